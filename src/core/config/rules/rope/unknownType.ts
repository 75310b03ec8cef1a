import { ownValue } from "../../../util/ownValue.ts";
import { finding, HUGGING_FACE, type Rule } from "../rule.ts";
import { overBlocks, placeOf } from "../support/ropeBlocks.ts";
import { TYPE_KEYS } from "../support/ropeKeys.ts";

/** Names that some classes translate before they validate. */
const TRANSLATED: Readonly<Record<string, RegExp>> = {
  mrope: /^qwen2(_5)?_vl/,
  xdrope: /^hunyuan_vl/,
  su: /^(phi3|phi4_multimodal)$/,
};

/** Types that Phi-3's class lets through; yarn becomes longrope there. */
const PHI3: ReadonlySet<string> = new Set(["default", "longrope", "yarn"]);

/** What another name certainly means. */
const MEANT: Readonly<Record<string, string>> = { su: "longrope", deepseek_yarn: "yarn", none: "default" };

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
  check: overBlocks(({ section, type, facts }) => {
    const empty = section.get("rope_type");
    if (empty?.value === null)
      return finding(empty, {
        en: "must not be null: KeyError when the model is built",
        zh: "不能为 null：构建模型时抛出 KeyError",
      });
    if (facts.attributes.type.s === "phi3" && ownValue(TYPE_KEYS, type) !== undefined && !PHI3.has(type))
      return finding(
        placeOf(section, section.has("rope_type") ? "rope_type" : "type"),
        {
          en: 'Phi-3 accepts only "longrope", not "{0}": ValueError',
          zh: "Phi-3 只接受 “longrope”，不接受 “{0}”：抛出 ValueError",
        },
        { args: [type] },
      );
    // A value of another kind has its own finding.
    if (section.has("rope_type") && section.string("rope_type") === undefined) return [];
    const { attributes } = facts;
    // Vision towers alone have a second axis.
    if (ownValue(TYPE_KEYS, type) !== undefined && (type !== "axial" || attributes.type.a === 1)) return [];
    // Code that comes with the checkpoint may know names that transformers does not.
    if (
      (ownValue(MEANT, type) !== undefined || type === "ntk") &&
      (attributes.confidence === "guess" || attributes.type.x === 1)
    )
      return [];
    if (ownValue(TRANSLATED, type)?.test(attributes.typeName ?? "") === true) return [];
    const key = section.has("rope_type") ? "rope_type" : "type";
    const meant = ownValue(MEANT, type);
    return finding(
      placeOf(section, key),
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
