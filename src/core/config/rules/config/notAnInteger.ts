import { isFiniteNumber } from "../../huggingface/attributes.ts";
import type { StackFacts } from "../../huggingface/readHuggingFace.ts";
import type { Section } from "../../text/section.ts";
import { type Finding, finding, HUGGING_FACE, type Rule } from "../rule.ts";
import { overStacks } from "../support/ropeBlocks.ts";

/** Fields that every class of transformers 5.18 that has them declares as int. */
const INTEGERS = [
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

/** Those that other models have one of for each stage: readers pass a list of them over. */
const SIZES: readonly string[] = [
  "hidden_size",
  "num_attention_heads",
  "num_hidden_layers",
  "n_embd",
  "n_head",
  "n_layer",
];

/** Those of them that may not be null. */
const NEEDED: readonly string[] = [
  "max_position_embeddings",
  "hidden_size",
  "num_attention_heads",
  "num_hidden_layers",
];
const MAY_BE_NULL = /^(?:dpt|esmfold2|dbrx|bart)$/;

export const configInteger: Rule = {
  id: "config/not-an-integer",
  severity: "error",
  formats: HUGGING_FACE,
  title: { en: "Size is not an integer", zh: "尺寸不是整数" },
  rationale: {
    en: "transformers 5 checks the types of config values. A float such as 131072.0, often written by scripts that compute lengths, or a null raises TypeError on loading.",
    zh: "transformers 5 的配置类会检查类型：像 131072.0 这样的浮点数（常由计算长度的脚本写出）或 null，会在加载时抛出 TypeError。",
  },
  reference: "transformers/configuration_utils.py: PreTrainedConfig is a @strict dataclass",
  check: overStacks(({ attributes }: StackFacts) => {
    const { section, type, typeName, confidence } = attributes;
    // MusicFlamingo's length is a number of seconds, a float of its own class.
    if (section === undefined || type.x === 1 || confidence === "guess" || typeName === "musicflamingo") return [];
    const declared = INTEGERS.filter((key) => type.f?.[key] !== undefined);
    return declared.flatMap((key) => [
      ...float(section, key),
      ...(SIZES.includes(key) && typeof type.f?.[key] === "number" ? several(section, key) : []),
      ...(NEEDED.includes(key) && !MAY_BE_NULL.test(typeName ?? "") ? absent(section, key) : []),
    ]);
  }),
};

function float(section: Section, key: string): readonly Finding[] {
  const found = section.get(key);
  if (found === undefined || !isFiniteNumber(found.value)) return [];
  const written = section.textOf(found.path) ?? "";
  if (!/[.eE]/.test(written)) return [];
  const fix = {
    title: { en: "Change to {1}", zh: "改为 {1}" },
    changes: [{ path: found.path, value: found.value }],
  };
  return finding(
    found,
    {
      en: "{0} is a float: transformers 5 requires an integer and raises TypeError",
      zh: "{0} 是浮点数：transformers 5 只接受整数，会抛出 TypeError",
    },
    { args: [written, found.value], ...(Number.isInteger(found.value) ? { fix } : {}) },
  );
}

function several(section: Section, key: string): readonly Finding[] {
  const found = section.get(key);
  if (found === undefined || found.value === null || typeof found.value !== "object") return [];
  return finding(found, {
    en: "must be a single integer: transformers 5 raises TypeError",
    zh: "此处必须是单个整数：transformers 5 会抛出 TypeError",
  });
}

function absent(section: Section, key: string): readonly Finding[] {
  const found = section.get(key);
  if (found?.value !== null) return [];
  return finding(
    found,
    { en: "must not be null: transformers 5 raises TypeError", zh: "不能为 null：transformers 5 会抛出 TypeError" },
    { fix: { title: { en: "Remove key", zh: "删除此键" }, changes: [{ path: found.path }] } },
  );
}
