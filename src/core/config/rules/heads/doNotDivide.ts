import { findingAt, HUGGING_FACE, type Rule } from "../rule.ts";
import { checkEachStack } from "../support/ropeBlocks.ts";

export const headsDoNotDivide: Rule = {
  id: "heads/do-not-divide",
  severity: "warning",
  formats: HUGGING_FACE,
  title: { en: "hidden_size is not divisible by the number of heads", zh: "头数不能整除隐藏维数" },
  rationale: {
    en: "Without head_dim, a head has hidden_size / num_attention_heads dimensions. Depending on the model, a remainder raises an error or is dropped.",
    zh: "没有 head_dim 时，头的维数为 hidden_size / num_attention_heads；有余数时，视模型而定会报错或被舍去。",
  },
  reference: "transformers/modeling_rope_utils.py: head_dim = hidden_size // num_attention_heads",
  check: checkEachStack(({ attributes, specs }) => {
    const spec = specs[0];
    const heads = spec?.params.num_heads;
    const width = attributes.fromFile("hidden_size");
    if (
      attributes.type.requiresDivisibleWidth === true ||
      spec?.sources.head_dim !== "derived" ||
      typeof heads !== "number" ||
      typeof width?.value !== "number"
    )
      return [];
    if (width.value % heads === 0) return [];
    return findingAt(
      width,
      { en: "{0} is not divisible by {1} heads", zh: "{0} 不能被 {1} 个头整除" },
      { args: [width.value, heads] },
    );
  }),
};
