import { findingAt, HUGGING_FACE, type Rule } from "../rule.ts";
import { checkEachRotaryStack } from "../support/ropeBlocks.ts";

export const ropeOddDimension: Rule = {
  id: "rope/odd-dimension",
  severity: "error",
  formats: HUGGING_FACE,
  title: { en: "Rotary dimension is odd", zh: "旋转维数为奇数" },
  rationale: {
    en: "Dimensions rotate in pairs. transformers raises ValueError if the whole head rotates and its dimension is odd; an odd partial dimension does not fit the tables.",
    zh: "维度成对旋转。整头旋转且维数为奇数时 transformers 抛出 ValueError；部分旋转的维数为奇数时与其表格不匹配。",
  },
  reference: "transformers/modeling_rope_utils.py: RotaryEmbeddingConfigMixin.validate_rope",
  check: checkEachRotaryStack(({ attributes, specs }) => {
    const spec = specs.find(({ params }) => typeof params.rotary_dim === "number");
    const dim = spec?.params.rotary_dim;
    const head = spec?.params.head_dim;
    if (typeof dim !== "number" || dim % 2 === 0 || dim <= 4 || typeof head !== "number") return [];
    const names =
      dim === head
        ? ["head_dim", "hidden_size", "num_attention_heads"]
        : ["rotary_dim", "partial_rotary_factor", "rotary_pct", "head_dim", "hidden_size"];
    const place = names.map((name) => attributes.fromFile(name)).find((found) => found !== undefined);
    return findingAt(
      place ?? spec?.evidence.find(({ param }) => param === "partial_rotary_factor"),
      {
        en: "{0} of {1} head dimensions would rotate, but pairs need an even number",
        zh: "每头 {1} 维中旋转 {0} 维：成对旋转要求偶数",
      },
      { args: [dim, head] },
    );
  }),
};
