import { HUGGING_FACE, type Rule } from "../rule.ts";
import { missingLength } from "../support/missingLength.ts";

export const ropeYarnNeedsOriginalLength: Rule = {
  id: "rope/yarn-needs-original-length",
  severity: "warning",
  formats: HUGGING_FACE,
  title: { en: "YaRN without the trained length", zh: "YaRN 缺少训练长度" },
  rationale: {
    en: "transformers silently takes max_position_embeddings for the trained length. If that is the extended length, the ramp between kept and interpolated pairs is in the wrong place.",
    zh: "transformers 会默默以 max_position_embeddings 作为训练长度。若那是扩展后的长度，保留与内插之间的过渡区就错位了。",
  },
  reference: "https://github.com/huggingface/transformers/issues/38224",
  check: missingLength("yarn", {
    en: "original_max_position_embeddings is missing: {0} is taken for the trained length",
    zh: "缺少 original_max_position_embeddings：将以 {0} 作为训练长度",
  }),
};
