import { findingAt, HUGGING_FACE, type Rule } from "../rule.ts";
import { checkEachBlock, locationOf } from "../support/ropeBlocks.ts";

export const ropeLlama3OriginalLength: Rule = {
  id: "rope/llama3-original-length",
  severity: "warning",
  formats: HUGGING_FACE,
  title: {
    en: "original_max_position_embeddings is not below max_position_embeddings",
    zh: "original_max_position_embeddings 不小于 max_position_embeddings",
  },
  rationale: {
    en: "For Llama 3 scaling, original_max_position_embeddings must be an integer below max_position_embeddings; otherwise there is nothing to extend.",
    zh: "Llama 3 缩放要求 original_max_position_embeddings 是小于 max_position_embeddings 的整数，否则无可扩展。",
  },
  reference: "transformers/modeling_rope_utils.py: _validate_llama3_rope_parameters",
  check: checkEachBlock(({ section, type, number, facts: { attributes } }) => {
    const original = number("original_max_position_embeddings");
    const longest = attributes.valueOrDefault("max_position_embeddings")?.value;
    if (type !== "llama3" || original === undefined) return [];
    const place = locationOf(section, "original_max_position_embeddings");
    if (!Number.isInteger(original))
      return findingAt(place, { en: "{0} is not an integer", zh: "{0} 不是整数" }, { args: [original] });
    if (longest === undefined || original < longest) return [];
    return findingAt(
      place,
      { en: "{0} is not below max_position_embeddings {1}", zh: "{0} 不小于 max_position_embeddings {1}" },
      { args: [original, longest] },
    );
  }),
};
