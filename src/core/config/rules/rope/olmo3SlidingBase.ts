import { findingAt, HUGGING_FACE, type Rule } from "../rule.ts";
import { checkEachRotaryStack } from "../support/ropeBlocks.ts";

export const ropeOlmo3SlidingBase: Rule = {
  id: "rope/olmo3-sliding-base",
  severity: "error",
  formats: HUGGING_FACE,
  title: { en: "OLMo 3's sliding-window layers ignore rope_theta", zh: "OLMo 3 的滑动窗口层不使用 rope_theta" },
  rationale: {
    en: "The class consumes rope_theta for its full-attention layers, so its sliding-window layers always use 500000.",
    zh: "该类先把 rope_theta 给了全注意力层，轮到滑动窗口层时已取空：后者总是 500000。",
  },
  reference: "transformers/models/olmo3/configuration_olmo3.py: convert_rope_params_to_dict",
  check: checkEachRotaryStack(({ attributes: { type, section }, specs }) => {
    const theta = section?.get("rope_theta");
    const sliding = type.ropeByLayerType?.["sliding_attention"];
    if (sliding === undefined || sliding.thetaKey !== undefined || typeof theta?.value !== "number") return [];
    const other = specs.find(({ params }) => params.sliding_window !== null && params.rope_theta !== theta.value);
    if (other === undefined || section?.section("rope_parameters")?.has("sliding_attention") === true) return [];
    return findingAt(
      theta,
      {
        en: "{0} applies only to full-attention layers; sliding-window layers use {1}",
        zh: "{0} 只用于全注意力层；滑动窗口层为 {1}",
      },
      { args: [theta.value, Number(other.params.rope_theta)] },
    );
  }),
};
