import { findingAt, HUGGING_FACE, type Rule } from "../rule.ts";
import { checkEachRotaryStack } from "../support/ropeBlocks.ts";

export const ropeDbrxTheta: Rule = {
  id: "rope/dbrx-theta",
  // The published DBRX config has it, so that an error would blame the wrong person.
  severity: "warning",
  formats: HUGGING_FACE,
  title: { en: "DBRX ignores rope_theta in attn_config", zh: "DBRX 忽略 attn_config 中的 rope_theta" },
  rationale: {
    en: "transformers 5 computes DBRX's frequencies from rope_parameters; attn_config.rope_theta is stored but never used.",
    zh: "transformers 5 按 rope_parameters 计算 DBRX 的频率；attn_config.rope_theta 只被保存，没有代码使用。",
  },
  reference: "transformers/models/dbrx/modeling_dbrx.py: DbrxRotaryEmbedding.compute_default_rope_parameters",
  check: checkEachRotaryStack(({ attributes, specs }) => {
    const { unreadThetaSection } = attributes.type;
    if (unreadThetaSection === undefined) return [];
    const written = attributes.section?.section(unreadThetaSection)?.get("rope_theta");
    const used = specs.find(({ encoding }) => encoding === "rope")?.params.rope_theta;
    if (typeof written?.value !== "number" || typeof used !== "number" || written.value === used) return [];
    return findingAt(
      written,
      {
        en: "{0} is ignored: transformers 5 uses base {1} unless rope_theta is at the top level",
        zh: "{0} 会被忽略：除非 rope_theta 写在顶层，transformers 5 使用底数 {1}",
      },
      {
        args: [written.value, used],
        fix: {
          title: { en: "Add rope_theta {0} at the top level", zh: "在顶层写入 rope_theta {0}" },
          changes: [{ path: ["rope_theta"], value: written.value }],
        },
      },
    );
  }),
};
