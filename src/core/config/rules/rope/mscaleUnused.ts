import { finding, HUGGING_FACE, type Rule } from "../rule.ts";
import { overBlocks } from "../support/ropeBlocks.ts";

export const ropeMscaleUnused: Rule = {
  id: "rope/mscale-unused",
  severity: "warning",
  formats: HUGGING_FACE,
  title: { en: "mscale that nothing comes of", zh: "不起作用的 mscale" },
  rationale: {
    en: "YaRN's factor on the scores takes mscale only together with mscale_all_dim, and neither where attention_factor is given. Otherwise it is 0.1 ln factor + 1, whatever mscale says.",
    zh: "YaRN 的分数系数只有在 mscale 与 mscale_all_dim 同时给出、且没有 attention_factor 时才用到它们；否则一律为 0.1 ln factor + 1。",
  },
  reference: "transformers/modeling_rope_utils.py: _compute_yarn_parameters",
  check: overBlocks(({ section, type, number }) => {
    const mscale = number("mscale");
    const all = number("mscale_all_dim");
    const given = number("attention_factor");
    // 1 is what YaRN takes by itself.
    if (type !== "yarn" || mscale === undefined || mscale === 0 || mscale === 1) return [];
    if (given !== undefined)
      return finding(
        section.get("mscale"),
        { en: "mscale {0} has no effect: attention_factor is {1}", zh: "mscale {0} 不起作用：attention_factor 为 {1}" },
        { args: [mscale, given] },
      );
    if (all !== undefined && all !== 0) return [];
    return finding(
      section.get("mscale"),
      {
        en: "mscale {0} has no effect without mscale_all_dim: the factor is 0.1 ln factor + 1",
        zh: "没有 mscale_all_dim，mscale {0} 不起作用：系数为 0.1 ln factor + 1",
      },
      { args: [mscale] },
    );
  }),
};
