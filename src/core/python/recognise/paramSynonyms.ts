import type { EncodingId } from "../../spec.ts";

type Synonyms = readonly (readonly [RegExp, string])[];

const CONTEXT_SYNONYMS: Synonyms = [
  [
    /^(?:max_position_embeddings?|n_positions|n_ctx|max_seq_len(?:gth)?|max_seq_length|model_max_length|block_size|context_length|max_sequence_length|max_len(?:gth)?|max_position|max_positions?|max_source_positions|num_positions|max_seqlen|trainable_position_size|sequence_length)$/,
    "max_position_embeddings",
  ],
];

const HEAD_SYNONYMS: Synonyms = [
  [
    /^(?:num_attention_heads|num_heads|n_heads?|n_head|nheads?|heads|num_attn_heads|alibi_num_heads|total_num_heads)$/,
    "num_heads",
  ],
];

const WIDTH_SYNONYMS: Synonyms = [
  [
    /^(?:hidden_size|d_model|embed_dim|embedding_dim|n_embd|dim|d_hid|emb_dim|n_units|d_model_size|model_dim|num_hiddens|emb_size|dim_model|d_emb|embedding_dims|feature_size)$/,
    "hidden_size",
  ],
];

const ROTARY_SYNONYMS: Synonyms = [
  [
    /^(?:rope_theta|rotary_emb_base|rotary_base|rope_base|base|theta|freq_base|rope_freq_base|max_wavelength|max_timescale|rope_max_timescale|rotary_embedding_base|rotary_theta|temperature|rope_temperature|base_freq|(?:rope_)?base_frequency)$/,
    "rope_theta",
  ],
  [/^(?:head_dim|dim_head|head_size|dim_per_head|size_per_head|d_head|kv_channels|qk_rope_head_dim|d_k)$/, "head_dim"],
  [/^(?:rotary_dim|rotary_ndims|rope_n_elem|n_elem|rotary_emb_dim|rot_dim|rotary_dims|rope_dim)$/, "rotary_dim"],
  [
    /^(?:partial_rotary_factor|rotary_pct|rotary_percent|rotary_percentage|rotary_emb_fraction|rotary_fraction)$/,
    "partial_rotary_factor",
  ],
  [
    /^(?:factor|scaling_factor|rope_condense_ratio|condense_ratio|interpolation_factor|interpolate_factor|seq_len_interpolation_factor|rope_scaling_factor|scale_factor|rope_factor|position_scale)$/,
    "factor",
  ],
  [
    /^(?:original_max_position_embeddings|original_context_length|old_context_len|original_max_seq_len|yarn_orig_ctx|n_ctx_orig|original_max_position|orig_context_len|original_seq_len|old_context_length|original_max_len|original_context_len|initial_context_length)$/,
    "original_max_position_embeddings",
  ],
  [/^(?:beta_fast|(?:rope_)?ntk_beta)$/, "beta_fast"],
  [/^(?:beta_slow|(?:rope_)?ntk_alpha)$/, "beta_slow"],
  [/^low_freq_factor$/, "low_freq_factor"],
  [/^high_freq_factor$/, "high_freq_factor"],
  [/^mscale$/, "mscale"],
  [/^mscale_all_dim$/, "mscale_all_dim"],
  [/^(?:attention_factor|attn_factor)$/, "attention_factor"],
  [/^mrope_sections?$/, "mrope_section"],
  [/^short_factor$/, "short_factor"],
  [/^long_factor$/, "long_factor"],
  ...CONTEXT_SYNONYMS,
];

const TABLE_SYNONYMS: Synonyms = [...CONTEXT_SYNONYMS, ...WIDTH_SYNONYMS];

const SYNONYMS_BY_ENCODING: Partial<Record<EncodingId, Synonyms>> = {
  rope: ROTARY_SYNONYMS,
  axial_rope: ROTARY_SYNONYMS,
  mrope: ROTARY_SYNONYMS,
  xpos: [...ROTARY_SYNONYMS, [/^(?:scale_base|xpos_scale_base)$/, "scale_base"]],
  rerope: [...ROTARY_SYNONYMS, [/^window$/, "window"]],
  self_extend: [
    ...ROTARY_SYNONYMS,
    [/^(?:group_size_1|group_size|grp_n)$/, "group_size"],
    [/^(?:window_size|neighbor_window|group_size_2|ga_w)$/, "window"],
  ],
  sinusoidal: [
    [/^(?:base|max_wavelength|max_timescale|temperature|theta|max_period|timescale)$/, "base"],
    [/^padding_idx$/, "padding_idx"],
    [/^(?:channels|num_channels|n_channels)$/, "hidden_size"],
    [/^(?:length|n_pos|num_pos|num_embeddings)$/, "max_position_embeddings"],
    ...TABLE_SYNONYMS,
  ],
  multiplicative: TABLE_SYNONYMS,
  recursive: WIDTH_SYNONYMS,
  sincos_2d: [[/^(?:base|temperature|theta|max_wavelength)$/, "temperature"], ...WIDTH_SYNONYMS],
  learned_absolute: [
    [/^(?:offset)$/, "offset"],
    [/^padding_idx$/, "padding_idx"],
    [/^num_embeddings$/, "max_position_embeddings"],
    ...TABLE_SYNONYMS,
  ],
  t5_bias: [
    [
      /^(?:num_buckets|relative_attention_num_buckets|rel_pos_num_buckets|rpe_num_buckets|relative_buckets_count|position_bias_num_buckets)$/,
      "num_buckets",
    ],
    [
      /^(?:max_distance|relative_attention_max_distance|rpe_max_distance|rel_pos_max_distance|relative_max_distance|position_bias_max_distance|max_dist)$/,
      "max_distance",
    ],
    [/^(?:bidirectional)$/, "bidirectional"],
    ...HEAD_SYNONYMS,
  ],
  alibi: [[/^(?:alibi_bias_max|max_alibi_bias|bias_max)$/, "alibi_bias_max"], ...HEAD_SYNONYMS],
  shaw: [
    [
      /^(?:max_relative_positions?|max_relative_distance|left_max_position_embeddings|clipping_distance|max_rel_pos|max_clip)$/,
      "max_relative_position",
    ],
    ...HEAD_SYNONYMS,
  ],
  deberta: [
    [/^(?:position_buckets|bucket_size|num_buckets)$/, "position_buckets"],
    [/^(?:max_relative_positions|max_position)$/, "max_relative_positions"],
    ...HEAD_SYNONYMS,
  ],
  transformer_xl: [[/^clamp_len$/, "clamp_len"], ...TABLE_SYNONYMS],
  swin_bias: [[/^window_size$/, "window_size"], ...HEAD_SYNONYMS],
  swinv2_cpb: [
    [/^window_size$/, "window_size"],
    [/^pretrained_window_size$/, "pretrained_window_size"],
    ...HEAD_SYNONYMS,
  ],
  cope: [[/^(?:npos_max|cope_max_pos|max_pos|max_positions)$/, "npos_max"], ...HEAD_SYNONYMS],
  conv: [
    [/^(?:num_conv_pos_embeddings|conv_pos|kernel_size)$/, "num_conv_pos_embeddings"],
    [/^(?:num_conv_pos_embedding_groups|conv_pos_groups|groups)$/, "num_conv_pos_embedding_groups"],
  ],
};

/** Hugging Face's name for a parameter, by the name that code uses for it; null if unknown for this encoding. */
export function canonicalParam(encoding: EncodingId, name: string): string | null {
  const plain = name
    .replace(/^_+|_+$/g, "")
    .toLowerCase()
    .replace(/^default_(?=rope_|rotary_|alibi_)/, "");
  return SYNONYMS_BY_ENCODING[encoding]?.find(([pattern]) => pattern.test(plain))?.[1] ?? null;
}

/** Flags that set the layout, and whether true means interleaved. */
export const LAYOUT_FLAGS: readonly (readonly [RegExp, boolean])[] = [
  [/^(?!\w*(?:qkv|kv_|weight|glu))(?:\w+_)?(?:traditional|interleaved?)$/, true],
  [/^(?:\w+_)?is_neox_style$/, false],
];
