import { findingAt, HUGGING_FACE, type Rule } from "../rule.ts";
import { checkEachStack } from "../support/ropeBlocks.ts";

export const windowDead: Rule = {
  id: "window/dead",
  severity: "info",
  formats: HUGGING_FACE,
  title: { en: "Sliding window is disabled", zh: "滑动窗口未启用" },
  rationale: {
    en: "Qwen's classes read sliding_window only if use_sliding_window is true; otherwise every layer has full attention.",
    zh: "Qwen 的类只有在 use_sliding_window 为真时才读 sliding_window：否则每层都是全注意力。",
  },
  reference: "transformers/models/qwen2/configuration_qwen2.py",
  check: checkEachStack(({ attributes }) => {
    const found = attributes.fromFile("sliding_window");
    if (
      attributes.type.windowNeedsFlag !== true ||
      typeof found?.value !== "number" ||
      attributes.flag("use_sliding_window")
    )
      return [];
    return findingAt(
      found,
      { en: "{0} has no effect: use_sliding_window is false", zh: "{0} 不起作用：use_sliding_window 为 false" },
      { args: [found.value] },
    );
  }),
};
