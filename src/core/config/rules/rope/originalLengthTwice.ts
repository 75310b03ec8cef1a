import { finding, HUGGING_FACE, type Rule } from "../rule.ts";
import { overBlocks } from "../support/ropeBlocks.ts";

const KEY = "original_max_position_embeddings";

export const ropeOriginalTwice: Rule = {
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
  check: overBlocks(({ section, label, number, facts: { attributes } }) => {
    const inner = number(KEY);
    const top = attributes.fromFile(KEY);
    if (label !== null || inner === undefined || typeof top?.value !== "number" || top.value === inner) return [];
    return finding(
      section.get(KEY),
      { en: "{0} is overwritten by {1} at the top level", zh: "{0} 会被顶层的 {1} 覆盖" },
      { args: [inner, top.value] },
    );
  }),
};
