import { HUGGING_FACE, type Rule } from "../rule.ts";
import { missingLength } from "../support/missingLength.ts";

export const ropeLlama3NeedsOriginalLength: Rule = {
  id: "rope/llama3-needs-original-length",
  severity: "warning",
  formats: HUGGING_FACE,
  title: { en: "Llama 3 scaling without the trained length", zh: "Llama 3 缩放缺少训练长度" },
  rationale: {
    en: "The bounds of Llama 3's three ranges of wavelengths are parts of the trained length (8192); another length moves all of them.",
    zh: "Llama 3 三段波长的分界取决于训练长度（8192）；换成别的长度，分界全部移动。",
  },
  reference: "https://github.com/meta-llama/llama-models/blob/main/models/llama3/reference_impl/model.py",
  check: missingLength("llama3", {
    en: "original_max_position_embeddings is missing: {0} is taken for the trained length (Llama 3.1: 8192)",
    zh: "缺少 original_max_position_embeddings：将以 {0} 作为训练长度（Llama 3.1 为 8192）",
  }),
};
