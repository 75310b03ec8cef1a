import { HUGGING_FACE, type Rule } from "../rule.ts";
import { checkOriginalLength } from "../support/missingLength.ts";

export const ropeYarnNeedsOriginalLength: Rule = {
  id: "rope/yarn-needs-original-length",
  severity: "warning",
  formats: HUGGING_FACE,
  title: { en: "YaRN without original_max_position_embeddings", zh: "YaRN 缺少 original_max_position_embeddings" },
  rationale: {
    en: "transformers silently uses max_position_embeddings as the training context. If that is the extended length, the ramp between kept and interpolated pairs is in the wrong place.",
    zh: "transformers 会不加提示地以 max_position_embeddings 作为训练上下文。若那是扩展后的长度，保留与内插之间的过渡区就错位了。",
  },
  reference: "https://github.com/huggingface/transformers/issues/38224",
  check: checkOriginalLength("yarn", {
    en: "original_max_position_embeddings is missing: {0} is used as the training context",
    zh: "缺少 original_max_position_embeddings：将以 {0} 作为训练上下文",
  }),
};
