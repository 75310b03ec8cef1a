import { findingAt, HUGGING_FACE, type Rule } from "../rule.ts";
import { checkEachBlock } from "../support/ropeBlocks.ts";

export const ropeFactorBelowOne: Rule = {
  id: "rope/factor-below-one",
  severity: "warning",
  formats: HUGGING_FACE,
  title: { en: "Scaling factor is below 1", zh: "缩放因子小于 1" },
  rationale: {
    en: "Frequencies are divided by factor to extend the context; a factor below 1 shortens it. llama.cpp's freq-scale is the reciprocal.",
    zh: "factor 用来延长上下文：频率除以它。小于 1 反而缩短；llama.cpp 的 freq-scale 是它的倒数。",
  },
  reference: "transformers/modeling_rope_utils.py: _validate_linear_rope_parameters",
  check: checkEachBlock(({ section, type, number }) => {
    const factor = number("factor");
    const empty = section.get("factor");
    if (type === "yarn" && empty?.value === null)
      return findingAt(empty, {
        en: "must not be null: transformers warns and uses the ratio of the lengths",
        zh: "不应为 null：transformers 会警告，并取两个长度之比",
      });
    if (factor === undefined || factor >= 1) return [];
    return findingAt(
      section.get("factor"),
      { en: "factor must be at least 1, not {0}", zh: "factor 至少应为 1，而不是 {0}" },
      { args: [factor] },
    );
  }),
};
