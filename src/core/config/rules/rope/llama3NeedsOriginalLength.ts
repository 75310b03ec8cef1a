import { HUGGING_FACE, type Rule } from "../rule.ts";
import { checkOriginalLength } from "../support/missingLength.ts";

export const ropeLlama3NeedsOriginalLength: Rule = {
  id: "rope/llama3-needs-original-length",
  severity: "warning",
  formats: HUGGING_FACE,
  title: {
    en: "Llama 3 scaling without original_max_position_embeddings",
    zh: "Llama 3 缩放缺少 original_max_position_embeddings",
  },
  rationale: {
    en: "The bounds of Llama 3's three wavelength ranges are fractions of the training context (8192), so another length moves all of them.",
    zh: "Llama 3 三段波长的分界取决于训练上下文（8192）；换成别的长度，分界全部移动。",
  },
  reference: "https://github.com/meta-llama/llama-models/blob/main/models/llama3/reference_impl/model.py",
  check: checkOriginalLength("llama3", {
    en: "original_max_position_embeddings is missing: {0} is used as the training context (Llama 3.1: 8192)",
    zh: "缺少 original_max_position_embeddings：将以 {0} 作为训练上下文（Llama 3.1 为 8192）",
  }),
};
