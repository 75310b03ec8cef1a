import { findingAt, HUGGING_FACE, type Rule } from "../rule.ts";
import { checkEachRotaryStack } from "../support/ropeBlocks.ts";

export const ropePartialIgnored: Rule = {
  id: "rope/partial-ignored",
  severity: "error",
  formats: HUGGING_FACE,
  title: { en: "partial_rotary_factor is ignored by this model", zh: "此模型忽略 partial_rotary_factor" },
  rationale: {
    en: "For rope_type default, each model file computes its own frequencies. Many never read partial_rotary_factor and rotate the whole head.",
    zh: "rope_type 为 default 时频率由各模型文件自行计算，许多文件根本不读 partial_rotary_factor：整个头都会旋转。",
  },
  reference: "https://github.com/huggingface/transformers/issues/48652",
  check: checkEachRotaryStack(({ attributes, specs }) => {
    const spec = specs.find(({ params }) => params.rope_type === "default");
    const written = spec?.evidence.find(({ param }) => param === "partial_rotary_factor");
    const fraction = spec?.params.partial_rotary_factor;
    if (
      attributes.type.hasRopeParameters !== true ||
      attributes.type.honoursPartialFactor === true ||
      typeof fraction !== "number" ||
      fraction === 1
    )
      return [];
    return findingAt(
      written,
      {
        en: "{0} is ignored by {1} for rope_type default: all {2} dimensions rotate",
        zh: "rope_type 为 default 时 {1} 忽略 {0}：{2} 维全部旋转",
      },
      {
        args: [fraction, attributes.typeName ?? "", Number(spec?.params.head_dim)],
      },
    );
  }),
};
