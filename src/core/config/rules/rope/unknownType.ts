import { ownValue } from "../../../util/ownValue.ts";
import { findingAt, HUGGING_FACE, type Rule } from "../rule.ts";
import { checkEachBlock, locationOf } from "../support/ropeBlocks.ts";
import { ROPE_TYPE_KEYS } from "../support/ropeKeys.ts";

/** Unsupported names whose meaning is certain. */
const CERTAIN_ALIASES: Readonly<Record<string, string>> = { su: "longrope", deepseek_yarn: "yarn", none: "default" };

export const ropeUnknownType: Rule = {
  id: "rope/unknown-type",
  severity: "error",
  formats: HUGGING_FACE,
  title: { en: "Unknown rope_type", zh: "未知的 rope_type" },
  rationale: {
    en: "The config loads with a warning about a missing validation function; building the model raises KeyError.",
    zh: "加载配置时只警告缺少校验函数，构建模型时才抛出 KeyError。",
  },
  reference: "transformers/modeling_rope_utils.py: ROPE_INIT_FUNCTIONS",
  check: checkEachBlock(({ section, type, facts }) => {
    const empty = section.get("rope_type");
    if (empty?.value === null)
      return findingAt(empty, {
        en: "must not be null: KeyError when the model is built",
        zh: "不能为 null：构建模型时抛出 KeyError",
      });
    const { acceptedRopeTypes, ropeTypeAliases = {} } = facts.attributes.type;
    if (ownValue(ROPE_TYPE_KEYS, type) !== undefined && acceptedRopeTypes?.includes(type) === false)
      return findingAt(
        locationOf(section, section.has("rope_type") ? "rope_type" : "type"),
        {
          en: 'Phi-3 accepts only "longrope", not "{0}": ValueError',
          zh: "Phi-3 只接受 “longrope”，不接受 “{0}”：抛出 ValueError",
        },
        { args: [type] },
      );
    // Another rule reports values of the wrong type.
    if (section.has("rope_type") && section.string("rope_type") === undefined) return [];
    const { attributes } = facts;
    // Only vision towers have a second axis.
    if (ownValue(ROPE_TYPE_KEYS, type) !== undefined && (type !== "axial" || attributes.type.defaultsToAxial === true))
      return [];
    // Remote code may support names that transformers does not.
    if (
      (ownValue(CERTAIN_ALIASES, type) !== undefined || type === "ntk") &&
      (attributes.confidence === "guess" || attributes.type.remoteCode !== undefined)
    )
      return [];
    if (ownValue(ropeTypeAliases, type) !== undefined) return [];
    const key = section.has("rope_type") ? "rope_type" : "type";
    const meant = ownValue(CERTAIN_ALIASES, type);
    return findingAt(
      locationOf(section, key),
      {
        en: 'rope_type "{0}" is not supported here: KeyError when the model is built',
        zh: "此处不支持 rope_type “{0}”：构建模型时抛出 KeyError",
      },
      {
        args: [type, meant ?? ""],
        ...(meant === undefined
          ? {}
          : {
              fix: {
                title: { en: 'Change to "{1}"', zh: "改为 “{1}”" },
                changes: [{ path: [...section.path, key], value: meant }],
              },
            }),
      },
    );
  }),
};
