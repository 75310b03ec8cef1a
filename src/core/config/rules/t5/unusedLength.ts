import { findingAt, HUGGING_FACE, type Rule } from "../rule.ts";

export const t5UnusedLength: Rule = {
  id: "t5/unused-length",
  severity: "info",
  formats: HUGGING_FACE,
  title: { en: "n_positions has no effect", zh: "n_positions 不起作用" },
  rationale: {
    en: "T5's bias has a bucket for every distance; the key is a leftover from training at length 512.",
    zh: "T5 的偏置对任意距离都有桶；该键只是以长度 512 训练的遗留。",
  },
  reference: "transformers/models/t5/configuration_t5.py",
  check: ({ stacks }) =>
    stacks.slice(0, 1).flatMap(({ attributes, stack }) => {
      const found = attributes.fromFile("n_positions");
      if (stack.encoding !== "t5_bias" || typeof found?.value !== "number") return [];
      return findingAt(
        found,
        { en: "{0} is ignored: the bias has no length limit", zh: "{0} 会被忽略：该偏置没有长度限制" },
        { args: [found.value] },
      );
    }),
};
