import { findingAt, HUGGING_FACE, type Rule } from "../rule.ts";

export const t5CrossAttention: Rule = {
  id: "t5/cross-attention",
  severity: "info",
  formats: HUGGING_FACE,
  title: { en: "T5's cross-attention has no position bias", zh: "T5 的交叉注意力没有位置偏置" },
  rationale: {
    en: "Only the self-attention of each stack has the bias. Cross-attention has none, and the decoder's self-attention sees only the past.",
    zh: "只有各栈的自注意力带偏置；解码器对编码器的注意力没有偏置，其自注意力只看过去。",
  },
  reference: "https://github.com/google-research/text-to-text-transfer-transformer/issues/415",
  check: ({ stacks }) =>
    stacks.slice(0, 1).flatMap(({ attributes, stack, specs }) => {
      if (stack.encoding !== "t5_bias" || stack.where !== "encoder+decoder" || specs.length < 2) return [];
      return findingAt(
        attributes.fromFile("relative_attention_num_buckets"),
        { en: "{0} buckets in self-attention, none in cross-attention", zh: "自注意力有 {0} 个桶；交叉注意力没有" },
        { args: [Number(specs[0]?.params.num_buckets)] },
      );
    }),
};
