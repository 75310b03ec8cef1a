import { findingAt, HUGGING_FACE, type Rule } from "../rule.ts";
import { checkEachBlock } from "../support/ropeBlocks.ts";

const ORIGINAL_LENGTH_KEY = "original_max_position_embeddings";

export const ropeOriginalLengthTwice: Rule = {
  id: "rope/original-length-twice",
  severity: "error",
  formats: HUGGING_FACE,
  title: {
    en: "Two different values of original_max_position_embeddings",
    zh: "original_max_position_embeddings 有两个不同的值",
  },
  rationale: {
    en: "The top-level value overwrites the one in the dictionary; in some classes, only when the model is built.",
    zh: "顶层的值会覆盖字典中的值，某些类要到构建模型时才覆盖。",
  },
  reference: "transformers/modeling_rope_utils.py: standardize_rope_params",
  check: checkEachBlock(({ section, label, number, facts: { attributes } }) => {
    const inner = number(ORIGINAL_LENGTH_KEY);
    const top = attributes.fromFile(ORIGINAL_LENGTH_KEY);
    if (label !== undefined || inner === undefined || typeof top?.value !== "number" || top.value === inner) return [];
    return findingAt(
      section.get(ORIGINAL_LENGTH_KEY),
      { en: "{0} is overwritten by {1} at the top level", zh: "{0} 会被顶层的 {1} 覆盖" },
      { args: [inner, top.value] },
    );
  }),
};
