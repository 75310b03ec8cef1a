import { HUGGING_FACE, type Rule } from "../rule.ts";
import { checkOriginalLength } from "../support/missingLength.ts";

export const ropeLongropeNeedsOriginalLength: Rule = {
  id: "rope/longrope-needs-original-length",
  severity: "warning",
  formats: HUGGING_FACE,
  title: {
    en: "LongRoPE without original_max_position_embeddings",
    zh: "LongRoPE 缺少 original_max_position_embeddings",
  },
  rationale: {
    en: "Without it the ratio of the lengths is 1, so the attention factor is 1 and the long factors are never used within the context.",
    zh: "缺少它时长度之比为 1，注意力系数为 1，上下文之内永远用不到 long_factor。",
  },
  reference: "https://github.com/vllm-project/vllm/issues/27414",
  check: checkOriginalLength("longrope", {
    en: "original_max_position_embeddings is missing: {0} is used, and the long factors never apply within it",
    zh: "缺少 original_max_position_embeddings：将取 {0}，在此长度内不会用到 long_factor",
  }),
};
