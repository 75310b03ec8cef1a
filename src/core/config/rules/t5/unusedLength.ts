import { finding, HUGGING_FACE, type Rule } from "../rule.ts";

export const t5UnusedLength: Rule = {
  id: "t5/unused-length",
  severity: "info",
  formats: HUGGING_FACE,
  title: { en: "n_positions limits nothing", zh: "n_positions 不构成限制" },
  rationale: {
    en: "T5's bias has a bucket for every distance; the key is a left-over of training at 512.",
    zh: "T5 的偏置对任意距离都有桶；该键只是训练长度 512 的遗留。",
  },
  reference: "transformers/models/t5/configuration_t5.py",
  check: ({ stacks }) =>
    stacks.slice(0, 1).flatMap(({ attributes, stack }) => {
      const found = attributes.fromFile("n_positions");
      if (stack.i !== "t5_bias" || typeof found?.value !== "number") return [];
      return finding(
        found,
        { en: "{0} is not read: the bias has no limit of length", zh: "{0} 不会被读取：该偏置没有长度限制" },
        { args: [found.value] },
      );
    }),
};
