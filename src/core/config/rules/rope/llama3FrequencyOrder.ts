import { findingAt, HUGGING_FACE, type Rule } from "../rule.ts";
import { checkEachBlock, locationOf } from "../support/ropeBlocks.ts";

export const ropeLlama3FrequencyOrder: Rule = {
  id: "rope/llama3-frequency-order",
  severity: "warning",
  formats: HUGGING_FACE,
  title: { en: "high_freq_factor is less than low_freq_factor", zh: "high_freq_factor 小于 low_freq_factor" },
  rationale: {
    en: "Wavelengths above original / low_freq_factor are scaled, those below original / high_freq_factor are kept. So high_freq_factor must not be the smaller. If they are equal, as in Llama 4 Scout, the scaling is a step without a blend, which is well defined.",
    zh: "波长大于 original / low_freq_factor 的被缩放，小于 original / high_freq_factor 的保持不变：high_freq_factor 不得更小。两者相等时（如 Llama 4 Scout）缩放是没有过渡的阶跃，定义明确。",
  },
  reference: "transformers/modeling_rope_utils.py: _validate_llama3_rope_parameters",
  check: checkEachBlock(({ section, type, number }) => {
    const low = number("low_freq_factor");
    const high = number("high_freq_factor");
    if (type !== "llama3" || low === undefined || high === undefined || high >= low) return [];
    return findingAt(
      locationOf(section, "high_freq_factor"),
      {
        en: "high_freq_factor {0} must not be less than low_freq_factor {1}",
        zh: "high_freq_factor（{0}）不得小于 low_freq_factor（{1}）",
      },
      {
        args: [high, low],
      },
    );
  }),
};
