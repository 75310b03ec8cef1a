import { findingAt, HUGGING_FACE, type Rule } from "../rule.ts";
import { isFloatText } from "../support/floatText.ts";
import { checkEachBlock } from "../support/ropeBlocks.ts";

export const ropeAttentionFactor: Rule = {
  id: "rope/attention-factor",
  severity: "warning",
  formats: HUGGING_FACE,
  title: { en: "Invalid attention_factor", zh: "attention_factor 无效" },
  rationale: {
    en: "YaRN's attention_factor must be a float greater than 0; transformers also warns about an integer. LongRoPE accepts integers.",
    zh: "YaRN 的 attention_factor 必须是大于 0 的浮点数；写成整数时 transformers 也会警告。LongRoPE 接受整数。",
  },
  reference: "transformers/modeling_rope_utils.py: _validate_yarn_rope_parameters",
  check: checkEachBlock(({ section, type, number, facts }) => {
    const factor = number("attention_factor");
    const found = section.get("attention_factor");
    if (factor === undefined || found === undefined) return [];
    if ((type === "yarn" || type === "longrope") && factor < 0) {
      return findingAt(
        found,
        { en: "attention_factor {0} is negative", zh: "attention_factor 为 {0}，是负数" },
        { args: [factor] },
      );
    }
    if (type !== "yarn" || !Number.isInteger(factor) || isFloatText(facts.attributes.section?.textOf(found.path)))
      return [];
    return findingAt(
      found,
      { en: "transformers expects a float: write {0}.0", zh: "transformers 要求此处为浮点数：请写成 {0}.0" },
      {
        args: [factor],
        fix: {
          title: { en: "Change to {0}.0", zh: "改为 {0}.0" },
          changes: [{ path: found.path, raw: `${factor}.0` }],
        },
      },
    );
  }),
};
