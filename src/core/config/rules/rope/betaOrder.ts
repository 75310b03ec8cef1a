import type { Section } from "../../text/section.ts";
import { findingAt, HUGGING_FACE, type Rule } from "../rule.ts";
import { checkEachBlock, locationOf } from "../support/ropeBlocks.ts";

function swapBetas(section: Section, fast: number, slow: number) {
  const change = (key: string, from: string, value: number) => {
    const raw = section.textOf([...section.path, from]);
    return { path: [...section.path, key], value, ...(raw === undefined ? {} : { raw }) };
  };
  return {
    title: { en: "Swap beta_fast and beta_slow", zh: "交换 beta_fast 与 beta_slow" },
    changes: [change("beta_fast", "beta_slow", slow), change("beta_slow", "beta_fast", fast)],
  };
}

export const ropeBetaOrder: Rule = {
  id: "rope/beta-order",
  severity: "warning",
  formats: HUGGING_FACE,
  title: { en: "beta_fast is less than beta_slow", zh: "beta_fast 小于 beta_slow" },
  rationale: {
    en: "Pairs with more than beta_fast rotations within the training context are kept; pairs with fewer than beta_slow are interpolated. So beta_fast must be the larger (defaults: 32 and 1).",
    zh: "训练上下文内旋转超过 beta_fast 圈的维度对保持不变，少于 beta_slow 圈的做内插，因此 beta_fast 必须更大（默认 32 与 1）。",
  },
  reference: "https://arxiv.org/abs/2309.00071",
  check: checkEachBlock(({ section, type, number }) => {
    const fast = number("beta_fast") ?? 32;
    const slow = number("beta_slow") ?? 1;
    if (type !== "yarn" || fast >= slow) return [];
    const key = section.has("beta_fast") ? "beta_fast" : "beta_slow";
    return findingAt(
      locationOf(section, key),
      { en: "beta_fast {0} is less than beta_slow {1}", zh: "beta_fast（{0}）小于 beta_slow（{1}）" },
      { args: [fast, slow], choices: [swapBetas(section, fast, slow)] },
    );
  }),
};
