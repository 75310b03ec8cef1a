import { findingAt, HUGGING_FACE, type Rule } from "../rule.ts";
import { checkEachRotaryStack } from "../support/ropeBlocks.ts";

export const windowLongerThanContext: Rule = {
  id: "window/longer-than-context",
  severity: "info",
  formats: HUGGING_FACE,
  title: { en: "Sliding window covers the whole context", zh: "滑动窗口不短于上下文" },
  rationale: {
    en: "Within max_position_embeddings such a window masks nothing.",
    zh: "在 max_position_embeddings 之内，这样的窗口不会遮住任何内容。",
  },
  reference: "https://github.com/vllm-project/vllm/issues/29111",
  check: checkEachRotaryStack(({ specs }) => {
    const spec = specs.find(({ params }) => typeof params.sliding_window === "number");
    const { sliding_window: size, max_position_embeddings: longest } = spec?.params ?? {};
    if (typeof size !== "number" || typeof longest !== "number" || size < longest) return [];
    return findingAt(
      spec?.evidence.find(({ param }) => param === "sliding_window"),
      { en: "{0} ≥ context {1}: nothing is masked", zh: "{0} ≥ 上下文 {1}：不会遮住任何内容" },
      { args: [size, longest] },
    );
  }),
};
