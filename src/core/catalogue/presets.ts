import type { EncodingId, Params } from "../spec.ts";

/** Position encoding of a well-known model, with the values of its published config. */
export interface ModelPreset {
  /** Common name: "Llama 3.1 8B". */
  readonly name: string;
  readonly encoding: EncodingId;
  /** Values that differ from the encoding's defaults or that the model is known for. */
  readonly values: Params;
}

function ropePreset(name: string, values: Params): ModelPreset {
  return { name, encoding: "rope", values: { rope_type: "default", ...values } };
}

/** From Hugging Face's configs of these models, as read by transformers 5. */
export const PRESETS: readonly ModelPreset[] = [
  ropePreset("Llama 2 7B", { rope_theta: 10_000, head_dim: 128, num_heads: 32, max_position_embeddings: 4096 }),
  ropePreset("Llama 3 8B", { rope_theta: 500_000, head_dim: 128, num_heads: 32, max_position_embeddings: 8192 }),
  ropePreset("Llama 3.1 8B", {
    rope_type: "llama3",
    rope_theta: 500_000,
    head_dim: 128,
    num_heads: 32,
    max_position_embeddings: 131_072,
    factor: 8,
    low_freq_factor: 1,
    high_freq_factor: 4,
    original_max_position_embeddings: 8192,
  }),
  ropePreset("Mistral 7B v0.3", {
    rope_theta: 1_000_000,
    head_dim: 128,
    num_heads: 32,
    max_position_embeddings: 32_768,
  }),
  ropePreset("Qwen2.5 7B", { rope_theta: 1_000_000, head_dim: 128, num_heads: 28, max_position_embeddings: 32_768 }),
  ropePreset("Qwen2.5 7B YaRN ×4", {
    rope_type: "yarn",
    rope_theta: 1_000_000,
    head_dim: 128,
    num_heads: 28,
    max_position_embeddings: 131_072,
    factor: 4,
    original_max_position_embeddings: 32_768,
  }),
  ropePreset("Gemma 3 4B, sliding layers", {
    rope_theta: 10_000,
    head_dim: 256,
    num_heads: 8,
    max_position_embeddings: 131_072,
  }),
  ropePreset("Gemma 3 4B, full layers", {
    rope_type: "linear",
    rope_theta: 1_000_000,
    head_dim: 256,
    num_heads: 8,
    max_position_embeddings: 131_072,
    factor: 8,
  }),
  ropePreset("DeepSeek-V3", {
    rope_type: "yarn",
    rope_theta: 10_000,
    head_dim: 64,
    qk_head_dim: 192,
    num_heads: 128,
    layout: "interleaved",
    max_position_embeddings: 163_840,
    factor: 40,
    original_max_position_embeddings: 4096,
    beta_fast: 32,
    beta_slow: 1,
    mscale: 1,
    mscale_all_dim: 1,
    yarn_apply_mscale: true,
  }),
  ropePreset("gpt-oss 20B", {
    rope_type: "yarn",
    rope_theta: 150_000,
    head_dim: 64,
    num_heads: 64,
    max_position_embeddings: 131_072,
    factor: 32,
    original_max_position_embeddings: 4096,
    truncate: false,
  }),
  ropePreset("GPT-NeoX 20B", {
    rope_theta: 10_000,
    head_dim: 96,
    num_heads: 64,
    partial_rotary_factor: 0.25,
    max_position_embeddings: 2048,
  }),
  ropePreset("GPT-J 6B", {
    rope_theta: 10_000,
    head_dim: 256,
    num_heads: 16,
    rotary_dim: 64,
    layout: "interleaved",
    max_position_embeddings: 2048,
  }),
  ropePreset("ChatGLM3 6B", {
    rope_theta: 10_000,
    head_dim: 128,
    num_heads: 32,
    partial_rotary_factor: 0.5,
    layout: "interleaved",
    max_position_embeddings: 8192,
  }),
  {
    name: "Qwen2-VL 7B",
    encoding: "mrope",
    values: {
      mrope_section: [16, 24, 24],
      rope_theta: 1_000_000,
      head_dim: 128,
      num_heads: 28,
      max_position_embeddings: 32_768,
    },
  },
  { name: "BLOOM 560M", encoding: "alibi", values: { num_heads: 16, head_dim: 64, variant: "bloom" } },
  { name: "BLOOM 176B", encoding: "alibi", values: { num_heads: 112, head_dim: 128, variant: "bloom" } },
  { name: "Baichuan 13B", encoding: "alibi", values: { num_heads: 40, head_dim: 128, variant: "bloom" } },
  { name: "MPT 7B", encoding: "alibi", values: { num_heads: 32, head_dim: 128, alibi_bias_max: 8, variant: "mpt" } },
  {
    name: "T5 small, encoder",
    encoding: "t5_bias",
    values: { num_heads: 8, head_dim: 64, num_buckets: 32, max_distance: 128, bidirectional: true },
  },
  {
    name: "T5 small, decoder",
    encoding: "t5_bias",
    values: { num_heads: 8, head_dim: 64, num_buckets: 32, max_distance: 128, bidirectional: false },
  },
  {
    name: "DeBERTa v3 base",
    encoding: "deberta",
    values: { num_heads: 12, head_dim: 64, pos_att_type: "c2p|p2c", norm_rel_ebd: "layer_norm" },
  },
  {
    name: "BERT base",
    encoding: "learned_absolute",
    values: { num_heads: 12, head_dim: 64, max_position_embeddings: 512 },
  },
  {
    name: "GPT-2",
    encoding: "learned_absolute",
    values: { num_heads: 12, head_dim: 64, max_position_embeddings: 1024 },
  },
  {
    name: "Transformer base (2017)",
    encoding: "sinusoidal",
    values: { hidden_size: 512, num_heads: 8, head_dim: 64 },
  },
  {
    name: "Transformer-XL",
    encoding: "transformer_xl",
    values: { num_heads: 16, head_dim: 64 },
  },
  { name: "Swin-T, first stage", encoding: "swin_bias", values: { num_heads: 3, head_dim: 32, window_size: [7, 7] } },
];
