import { findingAt, HUGGING_FACE, type Rule } from "../rule.ts";
import { checkEachRotaryStack, locationOf } from "../support/ropeBlocks.ts";

export const ropeThetaNull: Rule = {
  id: "rope/theta-null",
  severity: "error",
  formats: HUGGING_FACE,
  title: { en: "rope_theta is null", zh: "rope_theta 为 null" },
  rationale: {
    en: "null counts as the value, not as missing: building the model fails when the base is raised to a power.",
    zh: "null 会被当作取值而不是缺省：构建模型时对底数求幂会失败。",
  },
  reference: "transformers/modeling_rope_utils.py: RotaryEmbeddingConfigMixin.convert_rope_params_to_dict",
  check: checkEachRotaryStack(({ attributes, specs }) => {
    const scaling = attributes.section?.section("rope_scaling") ?? attributes.section?.section("rope_parameters");
    const used = specs.find(({ encoding }) => encoding !== "none")?.params.rope_theta;
    return [attributes.section, scaling].flatMap((section) => {
      if (section?.get("rope_theta")?.value !== null) return [];
      return findingAt(
        locationOf(section, "rope_theta"),
        { en: "must not be null: building the model fails", zh: "不能为 null：构建模型会失败" },
        {
          args: [String(used)],
          fix: {
            title: { en: "Remove key (default: {0})", zh: "删除此键（默认 {0}）" },
            changes: [{ path: [...section.path, "rope_theta"] }],
          },
        },
      );
    });
  }),
};
