import { findingAt, HUGGING_FACE, type Rule } from "../rule.ts";
import { checkEachStack } from "../support/ropeBlocks.ts";

export const headsWidthRefused: Rule = {
  id: "heads/width-refused",
  severity: "error",
  formats: HUGGING_FACE,
  title: { en: "hidden_size rejected by the model class", zh: "hidden_size 被模型类拒绝" },
  rationale: {
    en: "Some classes raise ValueError on loading if hidden_size is not divisible by the number of heads, even if head_dim is set.",
    zh: "有些类在 hidden_size 不能被头数整除时，加载即抛出 ValueError，即使写明了 head_dim。",
  },
  reference: "transformers/models/llama/configuration_llama.py: validate_architecture",
  check: checkEachStack(({ attributes, specs }) => {
    const heads = specs[0]?.params.num_heads;
    const width = attributes.fromFile("hidden_size");
    if (
      attributes.type.requiresDivisibleWidth !== true ||
      typeof heads !== "number" ||
      heads <= 0 ||
      typeof width?.value !== "number"
    )
      return [];
    if (width.value % heads === 0) return [];
    return findingAt(
      width,
      {
        en: "{0} is not divisible by {1} heads: transformers raises ValueError",
        zh: "{0} 不能被 {1} 个头整除：transformers 会抛出 ValueError",
      },
      { args: [width.value, heads] },
    );
  }),
};
