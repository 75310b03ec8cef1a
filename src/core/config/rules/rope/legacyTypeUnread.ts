import { findingAt, HUGGING_FACE, type Rule } from "../rule.ts";
import { checkEachRotaryStack } from "../support/ropeBlocks.ts";

export const ropeLegacyTypeUnread: Rule = {
  id: "rope/legacy-type-unread",
  severity: "error",
  formats: HUGGING_FACE,
  title: { en: "Legacy key type is ignored by this class", zh: "该类忽略旧键 type" },
  rationale: {
    en: "Classes with a base for each layer type start with rope_type default. A rope_scaling with only type does not override it, so nothing is scaled.",
    zh: "按层类型设底数的类先写入 rope_type default；rope_scaling 若只有 type，不会覆盖默认值，缩放不起作用。",
  },
  reference: "transformers/models/gemma3/configuration_gemma3.py: convert_rope_params_to_dict",
  check: checkEachRotaryStack(({ attributes: { type, section } }) => {
    const scaling = section?.section("rope_scaling");
    const written = scaling?.string("type");
    const isRead = scaling?.has("rope_type") === true || section?.section("rope_parameters") !== undefined;
    const merges = Object.values(type.ropeByLayerType ?? {}).some(
      ({ mergesRopeScaling }) => mergesRopeScaling === true,
    );
    if (!merges || written === undefined || written === "default" || isRead) return [];
    const found = scaling?.get("type");
    return findingAt(
      found,
      {
        en: '"type" is ignored by this class: rope_type stays "default" and nothing is scaled; write "rope_type"',
        zh: "该类忽略 “type”：rope_type 仍为 “default”，缩放不起作用；请写 “rope_type”",
      },
      {
        fix: {
          title: { en: 'Rename "type" to "rope_type"', zh: "将 “type” 改名为 “rope_type”" },
          changes: found === undefined ? [] : [{ path: found.path, renameTo: "rope_type" }],
        },
      },
    );
  }),
};
