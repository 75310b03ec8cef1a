import { findingAt, HUGGING_FACE, type Rule } from "../rule.ts";
import { checkEachBlock, locationOf } from "../support/ropeBlocks.ts";

export const ropeProportionalWithoutFraction: Rule = {
  id: "rope/proportional-without-fraction",
  severity: "warning",
  formats: HUGGING_FACE,
  title: { en: "Proportional RoPE without partial_rotary_factor", zh: "proportional RoPE 缺少 partial_rotary_factor" },
  rationale: {
    en: "Without partial_rotary_factor every pair rotates, which is plain linear scaling.",
    zh: "没有 partial_rotary_factor 时所有维度对都旋转，等同于线性缩放。",
  },
  reference: "transformers/modeling_rope_utils.py: _validate_proportional_rope_parameters",
  check: checkEachBlock(({ section, type, facts: { attributes } }) => {
    if (
      type !== "proportional" ||
      section.has("partial_rotary_factor") ||
      attributes.fromFile("partial_rotary_factor") !== undefined
    )
      return [];
    return findingAt(locationOf(section, "rope_type"), {
      en: "partial_rotary_factor is missing: the whole head rotates, as with linear scaling",
      zh: "缺少 partial_rotary_factor：整个头都旋转，等同于线性缩放",
    });
  }),
};
