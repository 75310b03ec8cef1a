import { findingAt, HUGGING_FACE, type Rule } from "../rule.ts";
import { checkEachStack } from "../support/ropeBlocks.ts";

export const layersNoRopeLength: Rule = {
  id: "layers/no-rope-length",
  severity: "error",
  formats: HUGGING_FACE,
  title: { en: "no_rope_layers has the wrong length", zh: "no_rope_layers 的长度与层数不符" },
  rationale: {
    en: "Each layer looks up its own entry, so a list that is too short raises IndexError when the model is built. Llama 4 derives layer_types from it and rejects any other length.",
    zh: "每层按序号取自己的一项：列表过短时构建模型会抛出 IndexError。Llama 4 由它生成 layer_types，长度不等即拒绝加载。",
  },
  reference: "transformers/models/smollm3/modeling_smollm3.py",
  check: checkEachStack(({ attributes }) => {
    const found = attributes.fromFile("no_rope_layers");
    const count = found === undefined ? undefined : attributes.valueOrDefault("num_hidden_layers")?.value;
    if (attributes.type.ropeLayers !== "no_rope_layers" || !Array.isArray(found?.value) || count === undefined)
      return [];
    const exact =
      attributes.type.layerTypeRule?.[0] === "chunked_with_rope" && attributes.fromFile("layer_types") === undefined;
    if (found.value.length === 0 || found.value.length === count || (!exact && found.value.length > count)) return [];
    return findingAt(
      found,
      { en: "{0} entries, but {1} layers", zh: "有 {0} 项，而模型有 {1} 层" },
      { args: [found.value.length, count] },
    );
  }),
};
