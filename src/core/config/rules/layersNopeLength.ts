import { overStacks } from "./ropeBlocks.ts";
import { finding, HUGGING_FACE, type Rule } from "./rule.ts";

export const layersNopeLength: Rule = {
  id: "layers/no-rope-length",
  severity: "error",
  formats: HUGGING_FACE,
  title: { en: "no_rope_layers is too short", zh: "no_rope_layers 过短" },
  rationale: {
    en: "Each layer looks up its own entry: a list that is too short ends in IndexError when the model is built.",
    zh: "每层按序号取自己的一项：列表过短时构建模型会抛出 IndexError。",
  },
  reference: "transformers/models/smollm3/modeling_smollm3.py",
  check: overStacks(({ attributes }) => {
    const found = attributes.own("no_rope_layers");
    const count = attributes.given("num_hidden_layers")?.value;
    if (attributes.type.N !== "no_rope_layers" || !Array.isArray(found?.value) || count === undefined) return [];
    if (found.value.length === 0 || found.value.length >= count) return [];
    return finding(
      found,
      { en: "{0} entries for {1} layers", zh: "{1} 层只有 {0} 项" },
      { args: [found.value.length, count] },
    );
  }),
};
