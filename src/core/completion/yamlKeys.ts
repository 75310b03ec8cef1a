import type { FileFormat } from "../config/formats.ts";
import type { Section } from "../config/text/section.ts";
import type { EncodingId } from "../spec.ts";

/** A key that a training framework reads, in the place where it reads it. */
export interface YamlKey {
  readonly key: string;
  /** The parameter that it sets, under its own name, and the encoding whose schema explains it (`rope` unless said). */
  readonly param?: string;
  readonly of?: EncodingId;
  /** Words that it takes, each with the encoding or the scaling of RoPE that it means. */
  readonly words?: Readonly<Record<string, string>>;
  /** A switch, and the encoding that it turns on. */
  readonly turnsOn?: EncodingId;
  /** Keys below it, with the scaling that they describe. */
  readonly inside?: readonly YamlKey[];
  readonly scaling?: string;
  /** Whether the mapping that it stands in takes it. */
  readonly when?: (section: Section | undefined) => boolean;
}

const base = (key: string): YamlKey => ({ key, param: "rope_theta" });
const part = (key: string): YamlKey => ({ key, param: "partial_rotary_factor" });
const factor = (key: string): YamlKey => ({ key, param: "factor" });

const MEGATRON: readonly YamlKey[] = [
  {
    key: "position_embedding_type",
    words: {
      rope: "rope",
      yarn: "yarn",
      mrope: "mrope",
      relative: "t5_bias",
      learned_absolute: "learned_absolute",
      none: "none",
    },
  },
  base("rotary_base"),
  part("rotary_percent"),
  factor("rotary_seq_len_interpolation_factor"),
  factor("rotary_scaling_factor"),
  { key: "relative_attention_num_buckets", param: "num_buckets", of: "t5_bias" },
  { key: "relative_attention_max_distance", param: "max_distance", of: "t5_bias" },
];

function component(section: Section | undefined): string {
  return section?.string("_component_") ?? "";
}

/** torchtune's models of a size (`llama3_1_8b`) take no arguments of this kind; what they are built by (`llama3_1`) does. */
function isBuilder(section: Section | undefined): boolean {
  return !/\d_?b(?:_|$)|_mini/.test(component(section));
}

/**
 * By format, as its reader takes them. Dictionaries of transformers (axolotl) have a table of their own: that of the
 * rules.
 */
export const YAML_KEYS: Readonly<Partial<Record<FileFormat, readonly YamlKey[]>>> = {
  "llamafactory-yaml": [
    { key: "rope_scaling", words: { linear: "linear", dynamic: "dynamic", yarn: "yarn", llama3: "llama3" } },
  ],
  "torchtune-yaml": [
    {
      key: "model",
      inside: [
        { ...base("rope_base"), when: isBuilder },
        {
          ...factor("scale_factor"),
          when: (section) => isBuilder(section) && /\.llama3_[1-9]/.test(component(section)),
        },
      ],
    },
  ],
  "litgpt-yaml": [
    base("rope_base"),
    part("rotary_percentage"),
    factor("rope_condense_ratio"),
    {
      key: "rope_adjustments",
      scaling: "llama3",
      inside: [
        factor("factor"),
        { key: "low_freq_factor", param: "low_freq_factor" },
        { key: "high_freq_factor", param: "high_freq_factor" },
        { key: "original_max_seq_len", param: "original_max_position_embeddings" },
      ],
    },
  ],
  "neox-yaml": [
    {
      key: "pos_emb",
      words: {
        rotary: "rope",
        alibi: "alibi",
        rpe: "t5_bias",
        sinusoidal: "sinusoidal",
        learned: "learned_absolute",
        none: "none",
      },
    },
    base("rotary_emb_base"),
    part("rotary_pct"),
    { key: "rpe_num_buckets", param: "num_buckets", of: "t5_bias" },
    { key: "rpe_max_distance", param: "max_distance", of: "t5_bias" },
  ],
  "megatron-yaml": [
    ...MEGATRON.map((key) => ({ ...key, when: (section: Section | undefined) => section?.has("model") !== true })),
    { key: "model", inside: MEGATRON },
  ],
  "llm-foundry-yaml": [
    {
      key: "model",
      inside: [
        {
          key: "attn_config",
          inside: [
            { key: "rope", turnsOn: "rope" },
            base("rope_theta"),
            {
              key: "rope_hf_config",
              scaling: "linear",
              inside: [
                { key: "type", words: { no_scaling: "default", linear: "linear", dynamic: "dynamic" } },
                factor("factor"),
              ],
            },
            { key: "alibi", turnsOn: "alibi" },
            { key: "alibi_bias_max", param: "alibi_bias_max", of: "alibi" },
          ],
        },
      ],
    },
  ],
};
