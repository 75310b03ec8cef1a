import { isFiniteNumber } from "../../huggingface/attributes.ts";
import type { StackFacts } from "../../huggingface/readHuggingFace.ts";
import type { Section } from "../../text/section.ts";
import { findingAt, HUGGING_FACE, type Rule, type RuleFinding } from "../rule.ts";
import { checkEachStack } from "../support/ropeBlocks.ts";

/** Keys that transformers 5.18 declares as int in every class that has them. */
const INTEGER_KEYS = [
  "max_position_embeddings",
  "hidden_size",
  "num_attention_heads",
  "num_key_value_heads",
  "num_hidden_layers",
  "head_dim",
  "qk_rope_head_dim",
  "rotary_dim",
  "sliding_window",
  "n_positions",
  "n_embd",
  "n_head",
  "n_layer",
  "d_model",
  "n_heads",
  "n_layers",
  "max_seq_len",
  "relative_attention_num_buckets",
  "relative_attention_max_distance",
  "max_relative_positions",
] as const;

/** Keys that must be a single number here, although other models have one per stage. */
const SINGLE_SIZE_KEYS: readonly string[] = [
  "hidden_size",
  "num_attention_heads",
  "num_hidden_layers",
  "n_embd",
  "n_head",
  "n_layer",
];

/** Keys that must not be null. */
const NON_NULL_KEYS: readonly string[] = [
  "max_position_embeddings",
  "hidden_size",
  "num_attention_heads",
  "num_hidden_layers",
];

export const configNotAnInteger: Rule = {
  id: "config/not-an-integer",
  severity: "error",
  formats: HUGGING_FACE,
  title: { en: "Size is not an integer", zh: "尺寸不是整数" },
  rationale: {
    en: "transformers 5 checks the types of config values. A float such as 131072.0, often written by scripts that compute lengths, or a null raises TypeError on loading.",
    zh: "transformers 5 的配置类会检查类型：像 131072.0 这样的浮点数（常由计算长度的脚本写出）或 null，会在加载时抛出 TypeError。",
  },
  reference: "transformers/configuration_utils.py: PreTrainedConfig is a @strict dataclass",
  check: checkEachStack(({ attributes }: StackFacts) => {
    const { section, type, confidence } = attributes;
    if (
      section === undefined ||
      type.remoteCode !== undefined ||
      confidence === "guess" ||
      type.sizesMayBeFloats === true
    )
      return [];
    const declared = INTEGER_KEYS.filter((key) => type.defaults?.[key] !== undefined);
    return declared.flatMap((key) => [
      ...checkFloat(section, key),
      ...(SINGLE_SIZE_KEYS.includes(key) && typeof type.defaults?.[key] === "number" ? checkList(section, key) : []),
      ...(NON_NULL_KEYS.includes(key) && type.sizesMayBeNull !== true ? checkNull(section, key) : []),
    ]);
  }),
};

function checkFloat(section: Section, key: string): readonly RuleFinding[] {
  const found = section.get(key);
  if (found === undefined || !isFiniteNumber(found.value)) return [];
  const written = section.textOf(found.path) ?? "";
  if (!/[.eE]/.test(written)) return [];
  const fix = {
    title: { en: "Change to {1}", zh: "改为 {1}" },
    changes: [{ path: found.path, value: found.value }],
  };
  return findingAt(
    found,
    {
      en: "{0} is a float: transformers 5 requires an integer and raises TypeError",
      zh: "{0} 是浮点数：transformers 5 只接受整数，会抛出 TypeError",
    },
    { args: [written, found.value], ...(Number.isInteger(found.value) ? { fix } : {}) },
  );
}

function checkList(section: Section, key: string): readonly RuleFinding[] {
  const found = section.get(key);
  if (found === undefined || found.value === null || typeof found.value !== "object") return [];
  return findingAt(found, {
    en: "must be a single integer: transformers 5 raises TypeError",
    zh: "此处必须是单个整数：transformers 5 会抛出 TypeError",
  });
}

function checkNull(section: Section, key: string): readonly RuleFinding[] {
  const found = section.get(key);
  if (found?.value !== null) return [];
  return findingAt(
    found,
    { en: "must not be null: transformers 5 raises TypeError", zh: "不能为 null：transformers 5 会抛出 TypeError" },
    { fix: { title: { en: "Remove key", zh: "删除此键" }, changes: [{ path: found.path }] } },
  );
}
