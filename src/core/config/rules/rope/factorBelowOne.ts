import { finding, HUGGING_FACE, type Rule } from "../rule.ts";
import { overBlocks } from "../support/ropeBlocks.ts";

export const ropeFactorBelowOne: Rule = {
  id: "rope/factor-below-one",
  severity: "warning",
  formats: HUGGING_FACE,
  title: { en: "A scaling factor below 1", zh: "缩放因子小于 1" },
  rationale: {
    en: "factor stretches the context: it divides frequencies. Below 1 it shortens the context; llama.cpp's freq-scale is its inverse.",
    zh: "factor 用来延长上下文：频率除以它。小于 1 反而缩短；llama.cpp 的 freq-scale 是它的倒数。",
  },
  reference: "transformers/modeling_rope_utils.py: _validate_linear_rope_parameters",
  check: overBlocks(({ section, type, number }) => {
    const factor = number("factor");
    const empty = section.get("factor");
    if (type === "yarn" && empty?.value === null)
      return finding(empty, {
        en: "null is no factor: transformers warns and takes the ratio of the lengths",
        zh: "null 不是缩放因子：transformers 会警告，并取两个长度之比",
      });
    if (factor === undefined || factor >= 1) return [];
    return finding(
      section.get("factor"),
      { en: "factor {0} is below 1: it must be at least 1", zh: "factor 为 {0}，小于 1：至少应为 1" },
      { args: [factor] },
    );
  }),
};
