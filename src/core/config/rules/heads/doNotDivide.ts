import { finding, HUGGING_FACE, type Rule } from "../rule.ts";
import { overStacks } from "../support/ropeBlocks.ts";
import { dividesHeads } from "./widthRefused.ts";

export const headsDivide: Rule = {
  id: "heads/do-not-divide",
  severity: "warning",
  formats: HUGGING_FACE,
  title: { en: "Heads do not divide the width", zh: "头数不能整除隐藏维数" },
  rationale: {
    en: "Without head_dim a head is hidden_size / num_attention_heads wide; a remainder raises or is dropped, by model.",
    zh: "没有 head_dim 时，头的宽度为 hidden_size / num_attention_heads；有余数时，视模型而定会报错或被丢弃。",
  },
  reference: "transformers/modeling_rope_utils.py: head_dim = hidden_size // num_attention_heads",
  check: overStacks(({ attributes, specs }) => {
    const spec = specs[0];
    const heads = spec?.params.num_heads;
    const width = attributes.fromFile("hidden_size");
    if (
      dividesHeads(attributes.typeName) ||
      spec?.sources.head_dim !== "derived" ||
      typeof heads !== "number" ||
      typeof width?.value !== "number"
    )
      return [];
    if (width.value % heads === 0) return [];
    return finding(
      width,
      { en: "{0} is not a multiple of {1} heads", zh: "{0} 不是头数 {1} 的倍数" },
      { args: [width.value, heads] },
    );
  }),
};
