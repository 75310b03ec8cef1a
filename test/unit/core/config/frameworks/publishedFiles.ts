/** What a published file says about its model, written anew, and what the framework's code makes of it. */
export interface PublishedFile {
  readonly format: string;
  /** Repository and path. */
  readonly source: string;
  readonly content: unknown;
  /** Encoding and parameters of each spec, in order. */
  readonly specs: readonly {
    readonly encoding: string;
    readonly where?: string;
    readonly layers?: readonly number[];
    readonly confidence?: string;
    readonly params?: Readonly<Record<string, unknown>>;
  }[];
}

const file = (
  format: string,
  source: string,
  content: unknown,
  ...specs: PublishedFile["specs"][number][]
): PublishedFile => ({ format, source, content, specs });

const rope = (params: Record<string, unknown>, more: Partial<PublishedFile["specs"][number]> = {}) => ({
  encoding: "rope",
  params,
  ...more,
});

const NEOX: readonly PublishedFile[] = [
  file(
    "neox-yaml",
    "EleutherAI/gpt-neox configs/20B.yml",
    {
      "pipe-parallel-size": 4,
      "num-layers": 44,
      "hidden-size": 6144,
      "num-attention-heads": 64,
      "seq-length": 2048,
      "max-position-embeddings": 2048,
      "pos-emb": "rotary",
      "rotary-pct": 0.25,
      "no-weight-tying": true,
    },
    rope({ rope_theta: 10_000, head_dim: 96, rotary_dim: 24, layout: "half", num_layers: 44 }),
  ),
  file(
    "neox-yaml",
    "EleutherAI/gpt-neox configs/llemma/34B.yml",
    {
      pipe_parallel_size: 0,
      num_layers: 48,
      hidden_size: 8192,
      num_attention_heads: 64,
      num_kv_heads: 8,
      seq_length: 4096,
      max_position_embeddings: 4096,
      pos_emb: "rotary",
      rotary_pct: 1,
      rotary_emb_base: 1_000_000,
    },
    rope({ rope_theta: 1_000_000, head_dim: 128, num_kv_heads: 8, rotary_dim: 128 }),
  ),
  file(
    "neox-yaml",
    "EleutherAI/gpt-neox configs/mamba/mamba-370M.yml",
    {
      pipe_parallel_size: 0,
      num_layers: 48,
      hidden_size: 1024,
      num_attention_heads: 12,
      max_position_embeddings: 2048,
      attention_config: [[["mamba"], 48]],
      no_weight_tying: true,
    },
    { encoding: "learned_absolute", params: { usable_positions: 2048 } },
  ),
  file(
    "neox-yaml",
    "EleutherAI/gpt-neox configs/gmlp_small.yml",
    { "pipe-parallel-size": 1, "num-layers": 12, "hidden-size": 768, "num-attention-heads": 12, "pos-emb": "none" },
    { encoding: "none" },
  ),
];

const STRIPED: readonly PublishedFile[] = [
  file(
    "stripedhyena-yaml",
    "togethercomputer/stripedhyena configs/7b-sh-32k-v1.yml",
    {
      hidden_size: 4096,
      attn_layer_idxs: [1, 3, 5, 7],
      hyena_layer_idxs: [0, 2, 4, 6],
      num_layers: 8,
      num_attention_heads: 32,
      rotary_emb_base: 500_000,
      proj_groups: 4,
      max_seqlen: 32_768,
    },
    rope({ rope_theta: 500_000, num_kv_heads: 8, rotary_dim: 128, layout: "half" }, { layers: [1, 3, 5, 7] }),
  ),
  file(
    "stripedhyena-yaml",
    "evo-design/evo evo/configs/evo-1-131k-base_inference.yml",
    {
      hidden_size: 4096,
      attn_layer_idxs: [8, 16, 24],
      hyena_layer_idxs: [0, 1, 2],
      num_layers: 32,
      num_attention_heads: 32,
      max_sequence_len: 8192,
      proj_groups: 1,
      use_interpolated_rotary_pos_emb: true,
      rotary_emb_scaling_factor: 16,
    },
    rope({ rope_theta: 10_000, rope_type: "linear", factor: 16 }, { layers: [8, 16, 24] }),
  ),
];

const FOUNDRY: readonly PublishedFile[] = [
  file(
    "llm-foundry-yaml",
    "mosaicml/llm-foundry scripts/train/yamls/pretrain/mpt-125m.yaml",
    {
      variables: { max_seq_len: 2048 },
      max_seq_len: `\${variables.max_seq_len}`,
      model: {
        name: "mpt_causal_lm",
        d_model: 768,
        n_heads: 12,
        n_layers: 12,
        max_seq_len: `\${variables.max_seq_len}`,
        attn_config: { attn_impl: "flash" },
      },
    },
    { encoding: "learned_absolute", params: { usable_positions: 2048, num_heads: 12 } },
  ),
  file(
    "llm-foundry-yaml",
    "mosaicml/llm-foundry mcli/mcli-1b-max-seq-len-8k.yaml",
    {
      parameters: {
        max_seq_len: 8192,
        model: {
          name: "mpt_causal_lm",
          d_model: 2048,
          n_heads: 16,
          n_layers: 24,
          max_seq_len: `\${max_seq_len}`,
          attn_config: { alibi: true, attn_impl: "flash" },
        },
      },
    },
    { encoding: "alibi", params: { alibi_bias_max: 8, max_position_embeddings: 8192 } },
  ),
  file("llm-foundry-yaml", "mosaicml/llm-foundry scripts/train/yamls/finetune/mpt-7b_dolly_sft.yaml", {
    model: { name: "hf_causal_lm", pretrained: true, pretrained_model_name_or_path: "mosaicml/mpt-7b" },
  }),
];

const OLMO: readonly PublishedFile[] = [
  file(
    "olmo-yaml",
    "allenai/OLMo configs/official-0724/OLMo-7B-0724.yaml",
    {
      model: {
        d_model: 4096,
        n_heads: 32,
        n_layers: 32,
        alibi: false,
        rope: true,
        attention_layer_norm: false,
        block_type: "sequential",
        max_sequence_length: 4096,
      },
    },
    rope({ rope_theta: 10_000, head_dim: 128, layout: "half", max_position_embeddings: 4096 }),
  ),
  file(
    "olmo-yaml",
    "allenai/OLMo configs/official-1124/OLMo2-13B-stage1.yaml",
    {
      model: {
        d_model: 5120,
        n_heads: 40,
        n_layers: 40,
        rope: true,
        rope_theta: 500_000,
        attention_layer_norm: true,
        layer_norm_with_affine: true,
        max_sequence_length: 4096,
      },
    },
    rope({ rope_theta: 500_000, head_dim: 128, num_kv_heads: 40 }),
  ),
  file(
    "olmo-core",
    "allenai/OLMo-core src/olmo_core/nn/transformer/config.py (olmo2_7B)",
    {
      dataset: { sequence_length: 4096 },
      model: {
        _CLASS_: "olmo_core.nn.transformer.config.TransformerConfig",
        d_model: 4096,
        n_layers: 32,
        block: { attention: { n_heads: 32, rope: { name: "default", theta: 500_000 } } },
      },
    },
    rope({ rope_theta: 500_000, head_dim: 128, layout: "half", max_position_embeddings: 4096 }),
  ),
  file(
    "olmo-core",
    "allenai/OLMo-core src/olmo_core/nn/transformer/config.py (olmo3 with windows)",
    {
      model: {
        d_model: 4096,
        n_layers: 8,
        block: {
          sequence_mixer: {
            n_heads: 32,
            rope: {},
            sliding_window: {
              pattern: [4096, 4096, 4096, -1],
              force_full_attention_on_first_layer: false,
              force_full_attention_on_last_layer: true,
            },
          },
        },
      },
    },
    rope({ rope_theta: 500_000, sliding_window: 4096 }, { layers: [0, 1, 2, 4, 5, 6] }),
    rope({ rope_theta: 500_000, sliding_window: null }, { layers: [3, 7] }),
  ),
];

const MEGATRON: readonly PublishedFile[] = [
  file(
    "megatron-yaml",
    "NVIDIA/Megatron-LM tests/functional_tests/test_cases/mixtral/mixtral_8x22b_tp2pp8ep8vpp1_release/model_config.yaml",
    {
      MODEL_ARGS: {
        "--tensor-model-parallel-size": 2,
        "--position-embedding-type": "rope",
        "--rotary-percent": 1,
        "--num-layers": 56,
        "--hidden-size": 6144,
        "--num-attention-heads": 48,
        "--group-query-attention": true,
        "--num-query-groups": 8,
        "--max-position-embeddings": 4096,
      },
    },
    rope({ rope_theta: 10_000, head_dim: 128, num_kv_heads: 8, layout: "half" }),
  ),
  file(
    "megatron-yaml",
    "NVIDIA/Megatron-LM tests/functional_tests/test_cases/mixtral/deepseekv3_proxy_flex_tp2pp2emp16etp1cp1_gb_200_release/model_config.yaml",
    {
      MODEL_ARGS: {
        "--tensor-model-parallel-size": 2,
        "--num-layers": 14,
        "--hidden-size": 7168,
        "--num-attention-heads": 128,
        "--kv-channels": 128,
        "--multi-latent-attention": true,
        "--qk-pos-emb-head-dim": 64,
        "--rotary-base": 10_000,
        "--rotary-scaling-factor": 40,
        "--mscale": 1,
        "--mscale-all-dim": 1,
        "--position-embedding-type": "rope",
      },
    },
    rope({
      rope_type: "yarn",
      factor: 40,
      head_dim: 64,
      rotary_dim: 64,
      original_max_position_embeddings: 4096,
      mscale: 1,
    }),
  ),
  file(
    "megatron-yaml",
    "NVIDIA/Megatron-LM tests/functional_tests/test_cases/bert/bert_release_sm/model_config.yaml",
    {
      MODEL_ARGS: {
        "--tensor-model-parallel-size": 8,
        "--num-layers": 24,
        "--hidden-size": 1024,
        "--num-attention-heads": 16,
        "--max-position-embeddings": 512,
      },
    },
    { encoding: "learned_absolute", params: { usable_positions: 512 } },
  ),
  file(
    "megatron-yaml",
    "NVIDIA/Megatron-LM megatron/training/arguments.py (the args of a checkpoint)",
    {
      num_layers: 8,
      hidden_size: 2048,
      num_attention_heads: 16,
      kv_channels: 128,
      tensor_model_parallel_size: 1,
      position_embedding_type: "rope",
      no_rope_freq: [0, 0, 0, 1, 0, 0, 0, 1],
      qk_head_dim: 0,
      qk_pos_emb_head_dim: 0,
      multi_latent_attention: false,
    },
    rope({ head_dim: 128, rotary_dim: 128 }, { layers: [0, 1, 2, 4, 5, 6] }),
    { encoding: "none", layers: [3, 7] },
  ),
];

const NEMO: readonly PublishedFile[] = [
  file(
    "nemo-yaml",
    "NVIDIA/NeMo examples/nlp/language_modeling/conf/megatron_chatglm_config.yaml",
    {
      exp_manager: {},
      model: {
        mcore_gpt: true,
        encoder_seq_length: 32_768,
        max_position_embeddings: `\${.encoder_seq_length}`,
        num_layers: 28,
        hidden_size: 4096,
        num_attention_heads: 32,
        kv_channels: null,
        position_embedding_type: "rope",
        rotary_percentage: 0.5,
        rotary_interleaved: true,
      },
    },
    rope({ rotary_dim: 64, layout: "interleaved", max_position_embeddings: 32_768 }),
  ),
  file(
    "nemo-yaml",
    "NVIDIA/NeMo examples/nlp/language_modeling/conf/megatron_bert_config.yaml",
    {
      exp_manager: {},
      model: {
        encoder_seq_length: 512,
        num_layers: 12,
        hidden_size: 768,
        num_attention_heads: 12,
        megatron_amp_O2: false,
        make_vocab_size_divisible_by: 128,
      },
    },
    { encoding: "learned_absolute", params: { usable_positions: 512 } },
  ),
  file(
    "nemo-yaml",
    "NVIDIA/NeMo nemo/collections/nlp/modules/common/megatron/token_level_encoder_decoder.py (encoder and decoder)",
    {
      trainer: {},
      model: {
        encoder: { num_layers: 12, hidden_size: 768, num_attention_heads: 12, position_embedding_type: "relative" },
        decoder: { num_layers: 6, hidden_size: 768, num_attention_heads: 12, position_embedding_type: "relative" },
      },
    },
    { encoding: "t5_bias", where: "encoder", params: { num_buckets: 32, max_distance: 128, bidirectional: true } },
    { encoding: "t5_bias", where: "decoder", params: { num_layers: 6, bidirectional: false } },
  ),
  file(
    "nemo-yaml",
    "NVIDIA/NeMo examples/asr/conf/speech_multitask/fast-conformer_aed.yaml",
    {
      model: {
        model_defaults: { lm_dec_hidden: 1024 },
        preprocessor: { window_size: 0.025 },
        encoder: {
          _target_: "nemo.collections.asr.modules.ConformerEncoder",
          n_layers: 24,
          d_model: 1024,
          n_heads: 8,
          self_attention_model: "rel_pos",
        },
        transf_decoder: {
          _target_: "nemo.collections.asr.modules.transformer.get_nemo_transformer",
          config_dict: {
            max_sequence_length: 512,
            learn_positional_encodings: false,
            hidden_size: `\${model.model_defaults.lm_dec_hidden}`,
            num_layers: 24,
            num_attention_heads: 8,
          },
        },
      },
    },
    { encoding: "transformer_xl", where: "encoder", params: { num_heads: 8, head_dim: 128 } },
    { encoding: "sinusoidal", where: "decoder", params: { max_position_embeddings: 512, head_dim: 128 } },
  ),
  file(
    "nemo-yaml",
    "NVIDIA/NeMo examples/asr/conf/conformer/conformer_ctc_bpe.yaml",
    {
      trainer: {},
      model: {
        encoder: { _target_: "nemo.collections.asr.modules.ConformerEncoder", n_layers: 18, d_model: 512, n_heads: 8 },
      },
    },
    { encoding: "transformer_xl", where: "encoder", params: { num_layers: 18, max_position_embeddings: 5000 } },
  ),
];

const JAX: readonly PublishedFile[] = [
  file(
    "maxtext-yaml",
    "AI-Hypercomputer/maxtext src/maxtext/configs/models/deepseek3-671b.yml",
    {
      base_emb_dim: 7168,
      base_num_query_heads: 128,
      base_num_kv_heads: 128,
      base_num_decoder_layers: 61,
      decoder_block: "deepseek",
      attention_type: "mla",
      qk_rope_head_dim: 64,
      rope_type: "yarn",
      rope_max_timescale: "10_000",
      original_max_position_embeddings: 4096,
      rope_factor: 40,
      beta_fast: 32,
      rope_interleave: true,
    },
    rope({ rope_theta: 10_000, rope_type: "yarn", factor: 40, head_dim: 64, layout: "interleaved" }),
  ),
  file(
    "maxtext-yaml",
    "AI-Hypercomputer/maxtext src/maxtext/configs/models/gpt3-175b.yml",
    {
      base_emb_dim: 12_288,
      base_num_query_heads: 96,
      base_num_decoder_layers: 96,
      trainable_position_size: 16_384,
      decoder_block: "gpt3",
    },
    { encoding: "learned_absolute", params: { usable_positions: 16_384 } },
  ),
  file(
    "maxtext-yaml",
    "AI-Hypercomputer/maxtext src/maxtext/configs/models/gemma3-4b.yml",
    {
      base_num_decoder_layers: 12,
      base_emb_dim: 2560,
      base_num_query_heads: 8,
      base_num_kv_heads: 4,
      head_dim: 256,
      decoder_block: "gemma3",
      sliding_window_size: 1024,
      local_rope_max_timescale: 10_000,
      rope_max_timescale: 1_000_000,
      rope_linear_scaling_factor: 8,
    },
    rope(
      { rope_theta: 10_000, rope_type: "default", sliding_window: 1024 },
      { layers: [0, 1, 2, 3, 4, 6, 7, 8, 9, 10] },
    ),
    rope({ rope_theta: 1_000_000, rope_type: "linear", factor: 8 }, { layers: [5, 11] }),
  ),
  file(
    "levanter-yaml",
    "stanford-crfm/levanter config/gpt2_small.yaml",
    { data: {}, trainer: {}, model: { type: "gpt2", hidden_dim: 768, num_heads: 12, num_layers: 12, seq_len: 1024 } },
    { encoding: "learned_absolute", params: { usable_positions: 1024, head_dim: 64 } },
  ),
  file(
    "levanter-yaml",
    "stanford-crfm/levanter config/sft_llama3.1_tulu3.yaml",
    {
      trainer: {},
      model: {
        type: "llama",
        hidden_dim: 4096,
        num_heads: 32,
        num_kv_heads: 8,
        num_layers: 32,
        seq_len: 4096,
        rope: { type: "llama3" },
      },
    },
    rope({
      rope_theta: 500_000,
      rope_type: "llama3",
      factor: 8,
      original_max_position_embeddings: 8192,
      layout: "half",
    }),
  ),
  file("levanter-yaml", "stanford-crfm/levanter config/llama2_7b_continued.yaml", {
    data: {},
    trainer: {},
    model: { type: "llama" },
    initialize_from_hf: "meta-llama/Llama-2-7b-hf",
    use_hf_model_config: true,
  }),
  file(
    "easylm",
    "young-geng/EasyLM EasyLM/models/llama/llama_model.py (7b)",
    {
      hidden_size: 4096,
      num_attention_heads: 32,
      num_hidden_layers: 32,
      max_sequence_length: 2048,
      scan_attention: false,
    },
    rope({ rope_theta: 10_000, layout: "interleaved", max_position_embeddings: 2048 }),
  ),
  file(
    "easylm",
    "young-geng/EasyLM EasyLM/models/llama/llama_model.py (llama3_8b)",
    {
      hidden_size: 4096,
      num_attention_heads: 32,
      num_key_value_heads: 8,
      num_hidden_layers: 32,
      max_position_embeddings: 8192,
      rope_theta: 5e5,
      scan_mlp: false,
    },
    rope({ rope_theta: 500_000, num_kv_heads: 8, layout: "interleaved" }),
  ),
];

const TORCH: readonly PublishedFile[] = [
  file(
    "nanotron-yaml",
    "huggingface/nanotron examples/config_tiny_llama.yaml",
    {
      model: {
        model_config: {
          is_llama_config: true,
          hidden_size: 2048,
          num_attention_heads: 16,
          num_key_value_heads: 2,
          num_hidden_layers: 28,
          max_position_embeddings: 128_256,
          rope_scaling: null,
        },
      },
    },
    rope({ rope_theta: 10_000, head_dim: 128, num_kv_heads: 2, layout: "half" }),
  ),
  file(
    "nanotron-yaml",
    "huggingface/nanotron examples/config_qwen_with_moe.yaml",
    {
      model: {
        model_config: {
          is_qwen2_config: true,
          hidden_size: 256,
          num_attention_heads: 4,
          num_hidden_layers: 4,
          max_position_embeddings: 4096,
          no_rope_layer: 2,
          rope_interleaved: true,
          sliding_window_size: 20,
        },
      },
    },
    rope({ layout: "interleaved", sliding_window: 20 }, { layers: [0, 2] }),
    { encoding: "none", layers: [1, 3] },
  ),
  file(
    "lingua-yaml",
    "facebookresearch/lingua apps/main/configs/llama_7B.yaml",
    {
      optim: { lr: 0.001 },
      distributed: { fsdp_type: "full_shard" },
      model: { dim: 4096, n_layers: 32, n_heads: 32, rope_theta: "100_000" },
      data: { seq_len: 4096 },
    },
    rope({ rope_theta: 100_000, head_dim: 128, layout: "interleaved", max_position_embeddings: 4096 }),
  ),
  file(
    "lingua-yaml",
    "facebookresearch/lingua apps/main/configs/llama_1B.yaml",
    { dump_dir: "x", optim: { lr: 0.003 }, model: { dim: 2048, n_layers: 25, n_heads: 16 } },
    rope({ rope_theta: 10_000, head_dim: 128, num_layers: 25 }),
  ),
  file(
    "open-lm",
    "mlfoundations/open_lm open_lm/model_configs/open_lm_1b.json",
    {
      hidden_dim: 2048,
      n_layers: 24,
      n_heads: 16,
      seq_len: 2048,
      vocab_size: 50_432,
      post_embed_norm: false,
      weight_tying: false,
    },
    rope({ rope_theta: 10_000, head_dim: 128, layout: "half" }),
  ),
  file(
    "open-lm",
    "mlfoundations/open_lm open_lm/model_configs/llama2_7b.json",
    {
      hidden_dim: 4096,
      n_layers: 32,
      n_heads: 32,
      seq_len: 4096,
      post_embed_norm: false,
      positional_embedding_type: "llama_rotary",
    },
    rope({ layout: "interleaved", max_position_embeddings: 4096 }),
  ),
  file(
    "x-transformers",
    "lucidrains/x-transformers README.md (rotary)",
    { max_seq_len: 1024, attn_layers: { dim: 512, depth: 6, heads: 8, rotary_pos_emb: true } },
    rope({ head_dim: 64, rotary_dim: 32, layout: "interleaved", max_position_embeddings: 1024 }),
  ),
  file(
    "x-transformers",
    "lucidrains/x-transformers README.md (ALiBi without a table)",
    { max_seq_len: 1024, use_abs_pos_emb: false, attn_layers: { dim: 512, depth: 6, heads: 8, alibi_pos_bias: true } },
    { encoding: "alibi", params: { num_heads: 8 } },
  ),
];

const SPEECH: readonly PublishedFile[] = [
  file(
    "wenet-yaml",
    "wenet-e2e/wenet examples/aishell/s0/conf/train_conformer.yaml",
    {
      encoder: "conformer",
      encoder_conf: { output_size: 256, attention_heads: 4, num_blocks: 12, pos_enc_layer_type: "rel_pos" },
      decoder: "transformer",
      decoder_conf: { attention_heads: 4, num_blocks: 6 },
    },
    { encoding: "transformer_xl", where: "encoder", params: { head_dim: 64, num_layers: 12 } },
    { encoding: "sinusoidal", where: "decoder", params: { head_dim: 64, num_layers: 6 } },
  ),
  file(
    "wenet-yaml",
    "wenet-e2e/wenet examples/aishell/s0/conf/train_transformer.yaml",
    {
      encoder: "transformer",
      encoder_conf: { output_size: 256, attention_heads: 4, num_blocks: 12 },
      decoder: "bitransformer",
      decoder_conf: { attention_heads: 4, num_blocks: 3 },
    },
    { encoding: "sinusoidal", where: "encoder" },
    { encoding: "sinusoidal", where: "decoder" },
  ),
  file(
    "audiocraft-yaml",
    "facebookresearch/audiocraft config/model/lm/default.yaml",
    {
      lm_model: "transformer_lm",
      transformer_lm: { dim: 512, num_heads: 8, num_layers: 8, positional_embedding: "sin", xpos: false },
    },
    { encoding: "sinusoidal", where: "audio", confidence: "automatic", params: { frequency: "tensor2tensor" } },
  ),
  file(
    "audiocraft-yaml",
    "facebookresearch/audiocraft config/model/lm/model_scale/small.yaml",
    { transformer_lm: { dim: 1024, num_heads: 16, num_layers: 24 } },
    { encoding: "sinusoidal", where: "audio", confidence: "guess", params: { num_layers: 24 } },
  ),
  file(
    "opennmt-yaml",
    "OpenNMT/OpenNMT-py config/config-transformer-base-1GPU.yml",
    {
      encoder_type: "transformer",
      decoder_type: "transformer",
      position_encoding: true,
      enc_layers: 6,
      dec_layers: 6,
      heads: 8,
      hidden_size: 512,
      word_vec_size: 512,
    },
    { encoding: "sinusoidal", where: "encoder", params: { layout: "interleaved", embed_scale: "sqrt(embedding_dim)" } },
    { encoding: "sinusoidal", where: "decoder", params: { num_layers: 6 } },
  ),
  file(
    "opennmt-yaml",
    "OpenNMT/OpenNMT-py docs/source/examples/replicate_vicuna/templates/llama7B-finetune.yaml",
    {
      model_task: "lm",
      encoder_type: "transformer_lm",
      decoder_type: "transformer_lm",
      max_relative_positions: -1,
      position_encoding: false,
      layers: 32,
      heads: 32,
      hidden_size: 4096,
      word_vec_size: 4096,
    },
    rope({ rope_theta: 10_000, head_dim: 128, layout: "interleaved" }),
  ),
  file(
    "fairseq-yaml",
    "facebookresearch/fairseq examples/wav2vec/config/pretraining/wav2vec2_base_librispeech.yaml",
    { task: { _name: "audio_pretraining" }, model: { _name: "wav2vec2", final_dim: 256, encoder_embed_dim: 768 } },
    {
      encoding: "conv",
      where: "audio",
      params: { num_conv_pos_embeddings: 128, num_conv_pos_embedding_groups: 16, num_heads: 12 },
    },
  ),
  file(
    "fairseq-yaml",
    "facebookresearch/fairseq fairseq/config/model/transformer_lm/transformer_lm_gpt.yaml",
    {
      decoder_embed_dim: 768,
      decoder_layers: 12,
      decoder_attention_heads: 12,
      decoder_learned_pos: false,
      no_token_positional_embeddings: false,
    },
    { encoding: "sinusoidal", where: "text", params: { frequency: "tensor2tensor", padding_idx: 1, num_heads: 12 } },
  ),
  file(
    "fairseq-yaml",
    "facebookresearch/fairseq examples/wav2vec/config/pretraining/wav2vec2_conformer_large_librivox.yaml",
    {
      task: { _name: "audio_pretraining" },
      model: {
        _name: "wav2vec2",
        layer_type: "conformer",
        pos_enc_type: "rel_pos",
        encoder_layers: 24,
        encoder_embed_dim: 1024,
        encoder_attention_heads: 16,
      },
    },
    { encoding: "transformer_xl", where: "audio", params: { num_heads: 16, head_dim: 64 } },
  ),
];

export const PUBLISHED_FILES: readonly PublishedFile[] = [
  ...NEOX,
  ...STRIPED,
  ...FOUNDRY,
  ...OLMO,
  ...MEGATRON,
  ...NEMO,
  ...JAX,
  ...TORCH,
  ...SPEECH,
];
