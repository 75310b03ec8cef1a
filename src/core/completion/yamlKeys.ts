import type { FileFormat } from "../config/formats.ts";
import type { Section } from "../config/text/section.ts";
import type { EncodingId } from "../spec.ts";

/** A key that a training framework reads, at its place in the file. */
export interface YamlKey {
  readonly key: string;
  /** Name of our parameter that the key sets, and the encoding whose schema explains it (default: `rope`). */
  readonly param?: string;
  readonly encoding?: EncodingId;
  /** Accepted words, each with the encoding or RoPE scaling that it selects. */
  readonly words?: Readonly<Record<string, string>>;
  /** The key is a switch that enables this encoding. */
  readonly turnsOn?: EncodingId;
  /** Keys below it, and the RoPE scaling that they describe. */
  readonly children?: readonly YamlKey[];
  readonly scaling?: string;
  /** Whether the surrounding mapping accepts the key. */
  readonly when?: (section: Section | undefined) => boolean;
}

const thetaKey = (key: string): YamlKey => ({ key, param: "rope_theta" });
const fractionKey = (key: string): YamlKey => ({ key, param: "partial_rotary_factor" });
const factorKey = (key: string): YamlKey => ({ key, param: "factor" });

const MEGATRON_KEYS: readonly YamlKey[] = [
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
  thetaKey("rotary_base"),
  fractionKey("rotary_percent"),
  factorKey("rotary_seq_len_interpolation_factor"),
  factorKey("rotary_scaling_factor"),
  { key: "relative_attention_num_buckets", param: "num_buckets", encoding: "t5_bias" },
  { key: "relative_attention_max_distance", param: "max_distance", encoding: "t5_bias" },
];

function component(section: Section | undefined): string {
  return section?.string("_component_") ?? "";
}

/**
 * torchtune's builders with a size (`llama3_1_8b`) do not take these arguments; the underlying builder (`llama3_1`)
 * does.
 */
function isBuilder(section: Section | undefined): boolean {
  return !/\d_?b(?:_|$)|_mini/.test(component(section));
}

/**
 * Keys by format, as the format's reader takes them. axolotl's RoPE dictionary is transformers' own (`ROPE_TYPE_KEYS`).
 */
export const YAML_KEYS: Readonly<Partial<Record<FileFormat, readonly YamlKey[]>>> = {
  "llamafactory-yaml": [
    { key: "rope_scaling", words: { linear: "linear", dynamic: "dynamic", yarn: "yarn", llama3: "llama3" } },
  ],
  "torchtune-yaml": [
    {
      key: "model",
      children: [
        { ...thetaKey("rope_base"), when: isBuilder },
        {
          ...factorKey("scale_factor"),
          when: (section) => isBuilder(section) && /\.llama3_[1-9]/.test(component(section)),
        },
      ],
    },
  ],
  "litgpt-yaml": [
    thetaKey("rope_base"),
    fractionKey("rotary_percentage"),
    factorKey("rope_condense_ratio"),
    {
      key: "rope_adjustments",
      scaling: "llama3",
      children: [
        factorKey("factor"),
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
    thetaKey("rotary_emb_base"),
    fractionKey("rotary_pct"),
    { key: "rpe_num_buckets", param: "num_buckets", encoding: "t5_bias" },
    { key: "rpe_max_distance", param: "max_distance", encoding: "t5_bias" },
  ],
  "megatron-yaml": [
    ...MEGATRON_KEYS.map((key) => ({ ...key, when: (section: Section | undefined) => section?.has("model") !== true })),
    { key: "model", children: MEGATRON_KEYS },
  ],
  "nemo-yaml": [
    {
      key: "model",
      children: [
        ...MEGATRON_KEYS.filter(({ key }) => key !== "rotary_percent" && !key.startsWith("rotary_s")),
        fractionKey("rotary_percentage"),
        factorKey("seq_len_interpolation_factor"),
      ],
    },
  ],
  "llm-foundry-yaml": [
    {
      key: "model",
      children: [
        {
          key: "attn_config",
          children: [
            { key: "rope", turnsOn: "rope" },
            thetaKey("rope_theta"),
            {
              key: "rope_hf_config",
              scaling: "linear",
              children: [
                { key: "type", words: { no_scaling: "default", linear: "linear", dynamic: "dynamic" } },
                factorKey("factor"),
              ],
            },
            { key: "alibi", turnsOn: "alibi" },
            { key: "alibi_bias_max", param: "alibi_bias_max", encoding: "alibi" },
          ],
        },
      ],
    },
  ],
};
