import { ownValue } from "../../../util/ownValue.ts";
import type { Section } from "../../text/section.ts";
import { findingAt, HUGGING_FACE, type Rule, type RuleFinding } from "../rule.ts";
import { checkEachBlock, locationOf } from "../support/ropeBlocks.ts";
import { ROPE_TYPE_KEYS } from "../support/ropeKeys.ts";

/** A null key exists but fails in the computation; only YaRN replaces a null factor by the ratio of the lengths. */
function checkNulls(section: Section, type: string, required: readonly string[]): readonly RuleFinding[] {
  return required
    .filter((key) => section.get(key)?.value === null && !(type === "yarn" && key === "factor"))
    .flatMap((key) =>
      findingAt(
        locationOf(section, key),
        {
          en: 'rope_type "{0}" requires a value here: null raises TypeError',
          zh: "rope_type 为 “{0}” 时此处必须有值：null 会抛出 TypeError",
        },
        { args: [type] },
      ),
    );
}

export const ropeMissingKeys: Rule = {
  id: "rope/missing-keys",
  severity: "error",
  formats: HUGGING_FACE,
  title: { en: "Required RoPE keys are missing", zh: "该 RoPE 类型缺少必需的键" },
  rationale: {
    en: "transformers raises KeyError while loading the config. Missing lengths are filled in, so they are not reported here.",
    zh: "transformers 加载配置时会抛出 KeyError。长度类的键会自动补全，不在此列。",
  },
  reference: "transformers/modeling_rope_utils.py: RotaryEmbeddingConfigMixin._check_received_keys",
  check: checkEachBlock(({ section, type, facts: { attributes } }) => {
    const ofClass = type === "default" ? [] : (attributes.type.requiredRopeKeys ?? []);
    const required = [...(ownValue(ROPE_TYPE_KEYS, type)?.required ?? []), ...ofClass];
    const missing = required.filter((key) => key !== "original_max_position_embeddings" && !section.has(key));
    if (missing.length === 0) return checkNulls(section, type, required);
    return findingAt(
      locationOf(section, "rope_type"),
      {
        en: 'rope_type "{0}" requires {1}; otherwise transformers cannot load the file',
        zh: "rope_type 为 “{0}” 时必须有 {1}：否则 transformers 无法加载",
      },
      { args: [type, missing.join(", ")] },
    );
  }),
};
