import { finding, HUGGING_FACE, type Rule } from "../rule.ts";
import { overBlocks, placeOf } from "../support/ropeBlocks.ts";

export const ropeBetaOrder: Rule = {
  id: "rope/beta-order",
  severity: "warning",
  formats: HUGGING_FACE,
  title: { en: "YaRN's bounds are the wrong way round", zh: "YaRN 的上下界颠倒" },
  rationale: {
    en: "Pairs that turn more than beta_fast times within the trained length are kept, those that turn less than beta_slow times are interpolated: beta_fast must be the larger one (defaults 32 and 1).",
    zh: "训练长度内转动超过 beta_fast 圈的分量保持不变，少于 beta_slow 圈的做内插：beta_fast 必须更大（默认 32 与 1）。",
  },
  reference: "https://arxiv.org/abs/2309.00071",
  check: overBlocks(({ section, type, number }) => {
    const fast = number("beta_fast") ?? 32;
    const slow = number("beta_slow") ?? 1;
    if (type !== "yarn" || fast >= slow) return [];
    const key = section.has("beta_fast") ? "beta_fast" : "beta_slow";
    return finding(
      placeOf(section, key),
      { en: "beta_fast {0} is less than beta_slow {1}", zh: "beta_fast（{0}）小于 beta_slow（{1}）" },
      { args: [fast, slow] },
    );
  }),
};
