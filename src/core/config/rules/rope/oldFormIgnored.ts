import { findingAt, HUGGING_FACE, type Rule } from "../rule.ts";
import { checkEachRotaryStack } from "../support/ropeBlocks.ts";

export const ropeOldFormIgnored: Rule = {
  id: "rope/old-form-ignored",
  severity: "error",
  formats: HUGGING_FACE,
  title: { en: "rope_scaling is not supported by this class", zh: "该类不支持 rope_scaling" },
  rationale: {
    en: "Gemma 4 and similar classes were added after version 4 and do not convert rope_scaling: it becomes a dictionary that the model cannot use.",
    zh: "Gemma 4 等类出现于第 4 版之后，不做转换：写 rope_scaling 会得到模型无法使用的字典。",
  },
  reference: "transformers/models/gemma4/configuration_gemma4.py: convert_rope_params_to_dict",
  check: checkEachRotaryStack(({ attributes: { type, section, typeName } }) => {
    const scaling = section?.get("rope_scaling");
    // Even null replaces the class's default.
    const labels = Object.values(type.ropeByLayerType ?? {});
    const isRead = labels.some((label) => label.mergesRopeScaling === true || label.takesFlatParameters === true);
    if (labels.length === 0 || isRead || scaling === undefined || section?.has("rope_parameters") === true) return [];
    return findingAt(
      scaling,
      {
        en: "{0} does not read rope_scaling: write rope_parameters, nested by layer type",
        zh: "{0} 不读 rope_scaling：请按层类型写 rope_parameters",
      },
      { args: [typeName ?? ""] },
    );
  }),
};
