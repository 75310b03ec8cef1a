import { findingAt, HUGGING_FACE, type Rule } from "../rule.ts";
import { checkEachBlock } from "../support/ropeBlocks.ts";

export const ropeMscaleUnused: Rule = {
  id: "rope/mscale-unused",
  severity: "warning",
  formats: HUGGING_FACE,
  title: { en: "mscale has no effect", zh: "mscale 不起作用" },
  rationale: {
    en: "YaRN uses mscale only together with mscale_all_dim, and only if attention_factor is not set. Without mscale_all_dim, the attention factor is 0.1 ln(factor) + 1.",
    zh: "只有同时给出 mscale_all_dim、且没有 attention_factor 时，YaRN 才用到 mscale。没有 mscale_all_dim 时，注意力系数为 0.1 ln(factor) + 1。",
  },
  reference: "transformers/modeling_rope_utils.py: _compute_yarn_parameters",
  check: checkEachBlock(({ section, type, number }) => {
    const mscale = number("mscale");
    const all = number("mscale_all_dim");
    const given = number("attention_factor");
    // 1 is YaRN's default.
    if (type !== "yarn" || mscale === undefined || mscale === 0 || mscale === 1) return [];
    if (given !== undefined)
      return findingAt(
        section.get("mscale"),
        { en: "mscale {0} has no effect: attention_factor is {1}", zh: "mscale {0} 不起作用：attention_factor 为 {1}" },
        { args: [mscale, given] },
      );
    if (all !== undefined && all !== 0) return [];
    return findingAt(
      section.get("mscale"),
      {
        en: "mscale {0} has no effect without mscale_all_dim: the attention factor is 0.1 ln(factor) + 1",
        zh: "没有 mscale_all_dim，mscale {0} 不起作用：注意力系数为 0.1 ln(factor) + 1",
      },
      { args: [mscale] },
    );
  }),
};
