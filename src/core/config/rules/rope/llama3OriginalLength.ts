import { finding, HUGGING_FACE, type Rule } from "../rule.ts";
import { overBlocks, placeOf } from "../support/ropeBlocks.ts";

export const ropeLlama3Original: Rule = {
  id: "rope/llama3-original-length",
  severity: "warning",
  formats: HUGGING_FACE,
  title: { en: "Llama 3's trained length is not below the context", zh: "Llama 3 的训练长度不小于上下文长度" },
  rationale: {
    en: "original_max_position_embeddings must be a whole number below max_position_embeddings; else there is nothing to stretch.",
    zh: "original_max_position_embeddings 必须是小于 max_position_embeddings 的整数，否则无可扩展。",
  },
  reference: "transformers/modeling_rope_utils.py: _validate_llama3_rope_parameters",
  check: overBlocks(({ section, type, number, facts: { attributes } }) => {
    const original = number("original_max_position_embeddings");
    const longest = attributes.valueOrDefault("max_position_embeddings")?.value;
    if (type !== "llama3" || original === undefined) return [];
    const place = placeOf(section, "original_max_position_embeddings");
    if (!Number.isInteger(original))
      return finding(place, { en: "{0} is not a whole number", zh: "{0} 不是整数" }, { args: [original] });
    if (longest === undefined || original < longest) return [];
    return finding(
      place,
      { en: "{0} is not below max_position_embeddings {1}", zh: "{0} 不小于 max_position_embeddings {1}" },
      { args: [original, longest] },
    );
  }),
};
