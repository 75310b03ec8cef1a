import { describe, expect, test } from "vitest";
import { readConfig } from "../../../../../src/core/config/readConfig.ts";

function read(config: Readonly<Record<string, unknown>>) {
  return readConfig(JSON.stringify(config));
}

const META = {
  dim: 4096,
  n_layers: 32,
  n_heads: 32,
  n_kv_heads: 8,
  vocab_size: 128256,
  multiple_of: 1024,
  norm_eps: 1e-5,
};

describe("Meta's params.json", () => {
  test("sets Llama 3.1's scaling constants for use_scaled_rope and has interleaved pairs", () => {
    const { format, specs } = read({ ...META, rope_theta: 500000.0, use_scaled_rope: true });
    expect(format).toBe("meta-params");
    expect(specs[0]?.params).toMatchObject({
      rope_type: "llama3",
      rope_theta: 500000,
      factor: 8,
      low_freq_factor: 1,
      high_freq_factor: 4,
      original_max_position_embeddings: 8192,
      head_dim: 128,
      num_kv_heads: 8,
      layout: "interleaved",
      max_position_embeddings: null,
    });
    expect(specs[0]?.sources).toMatchObject({ rope_theta: "config", factor: "default", head_dim: "derived" });
  });

  test("with ExecuTorch's keys has the half layout, partial rotation, bases by layer type and layers without attention", () => {
    const mini = { ...META, use_hf_rope: true, rope_theta: 10000.0 };
    expect(read({ ...mini, partial_rotary_factor: 0.75 }).specs[0]?.params).toMatchObject({
      layout: "half",
      rotary_dim: 96,
      partial_rotary_factor: 0.75,
    });
    const layer_types = ["sliding_attention", "full_attention", "conv"];
    const layered = read({ ...mini, n_layers: 3, layer_types, local_rope_theta: 500.0, sliding_window: 512 });
    expect(layered.specs.map(({ encoding, layers, params }) => [encoding, layers, params.rope_theta])).toEqual([
      ["rope", [1], 10000],
      ["rope", [0], 500],
      ["none", [2], null],
    ]);
    expect(layered.specs[1]?.params.sliding_window).toBe(512);
  });

  test("without a base has 10000 for Llama 1 and 2, and 500000 for Llama 3", () => {
    expect(read({ ...META, vocab_size: 32000 }).specs[0]?.params.rope_theta).toBe(10000);
    expect(read({ ...META }).specs[0]?.params.rope_theta).toBe(500000);
  });

  test("of Llama 4 has RoPE except in each fourth layer", () => {
    const { specs } = read({ ...META, n_layers: 8, nope_layer_interval: 4 });
    expect(specs.map(({ encoding, layers }) => [encoding, layers])).toEqual([
      ["rope", [0, 1, 2, 4, 5, 6]],
      ["none", [3, 7]],
    ]);
  });
});

describe("Mistral's params.json", () => {
  const base = {
    dim: 4096,
    n_layers: 32,
    head_dim: 128,
    hidden_dim: 14336,
    n_heads: 32,
    n_kv_heads: 8,
    vocab_size: 32768,
  };

  test("reads beta as beta_fast and alpha as beta_slow", () => {
    const { format, specs } = read({
      ...base,
      rope_theta: 1e6,
      max_position_embeddings: 262144,
      yarn: { factor: 16, original_max_position_embeddings: 16384, beta: 30, alpha: 2, apply_scale: false },
    });
    expect(format).toBe("mistral-params");
    expect(specs[0]?.params).toMatchObject({
      rope_type: "yarn",
      factor: 16,
      beta_fast: 30,
      beta_slow: 2,
      mscale_all_dim: 1,
    });
    expect(specs[0]?.evidence.find(({ param }) => param === "beta_fast")?.path).toEqual(["yarn", "beta"]);
  });

  test("without a base has 1e6 as in current code, or a guess of 1e4 with a window", () => {
    expect(read(base).specs[0]).toMatchObject({ params: { rope_theta: 1e6 }, sources: { rope_theta: "default" } });
    expect(read({ ...base, sliding_window: 4096 }).specs[0]).toMatchObject({
      params: { rope_theta: 10000, sliding_window: 4096 },
      sources: { rope_theta: "guess" },
    });
  });
});

test("gpt-oss's original config has YaRN without rounding and a window in every second layer", () => {
  const { format, specs } = read({
    num_hidden_layers: 4,
    head_dim: 64,
    num_attention_heads: 64,
    num_key_value_heads: 8,
    sliding_window: 128,
    initial_context_length: 4096,
    rope_theta: 150000,
    rope_scaling_factor: 32.0,
    rope_ntk_alpha: 1,
    rope_ntk_beta: 32,
  });
  expect(format).toBe("openai-params");
  expect(specs.map(({ layers, params }) => [layers, params.sliding_window])).toEqual([
    [[0, 2], 128],
    [[1, 3], null],
  ]);
  expect(specs[0]?.params).toMatchObject({
    rope_type: "yarn",
    factor: 32,
    original_max_position_embeddings: 4096,
    max_position_embeddings: 131072,
    beta_fast: 32,
    beta_slow: 1,
    truncate: false,
    layout: "half",
  });
});

test("the original configs of BERT and XLNet are read", () => {
  const bert = read({
    hidden_size: 768,
    num_attention_heads: 12,
    num_hidden_layers: 12,
    max_position_embeddings: 512,
    type_vocab_size: 2,
    vocab_size: 30522,
  });
  expect(bert).toMatchObject({
    format: "original-bert",
    specs: [{ encoding: "learned_absolute", params: { usable_positions: 512 } }],
  });
  const xlnet = read({
    d_head: 64,
    d_inner: 4096,
    d_model: 1024,
    ff_activation: "gelu",
    n_head: 16,
    n_layer: 24,
    n_token: 32000,
    untie_r: true,
  });
  expect(xlnet).toMatchObject({
    format: "original-bert",
    specs: [{ encoding: "transformer_xl", params: { num_heads: 16, head_dim: 64, num_layers: 24 } }],
  });
});

test("DeepSeek's inference config is read", () => {
  const { format, specs } = read({
    vocab_size: 129280,
    dim: 7168,
    inter_dim: 18432,
    moe_inter_dim: 2048,
    n_layers: 61,
    n_heads: 128,
    n_routed_experts: 256,
    qk_nope_head_dim: 128,
    qk_rope_head_dim: 64,
  });
  expect(format).toBe("deepseek-inference");
  expect(specs[0]?.params).toMatchObject({
    rope_type: "yarn",
    factor: 40,
    head_dim: 64,
    qk_head_dim: 192,
    layout: "interleaved",
  });
});

describe("format recognition", () => {
  test.each([
    ["hf-config", { model_type: "llama" }],
    ["hf-config", { architectures: ["LlamaForCausalLM"] }],
    ["unknown", { tokenizer_class: "LlamaTokenizer" }],
    ["diffusers-config", { _class_name: "UNet2DConditionModel" }],
    ["unknown", { _class_name: "DDIMScheduler" }],
    ["unknown", { bos_token_id: 1, eos_token_id: 2, transformers_version: "4.40.0" }],
    ["unknown", { weight_map: {} }],
    ["hf-config", { model_type: "gpt_oss", architectures: ["GptOssForCausalLM"], initial_context_length: 4096 }],
  ])("finds %s in %j", (format, config) => {
    expect(read(config).format).toBe(format);
  });

  test("uses the architecture if model_type is missing", () => {
    expect(read({ architectures: ["MistralForCausalLM"], hidden_size: 4096 }).modelType).toBe("mistral");
  });

  test("reads an unknown name with a known class as that class, as a guess", () => {
    const { modelType, specs } = read({
      model_type: "kimi_k9",
      architectures: ["DeepseekV3ForCausalLM"],
      qk_rope_head_dim: 64,
      qk_nope_head_dim: 128,
    });
    expect(modelType).toBe("kimi_k9");
    expect(specs[0]).toMatchObject({ confidence: "guess", params: { head_dim: 64, layout: "interleaved" } });
  });

  test("reads sub-configs of an unknown composite model by their keys", () => {
    const { specs } = read({
      model_type: "made_up_chat",
      llm_config: { model_type: "qwen2", rope_theta: 1e6 },
      vision_config: {
        model_type: "made_up_vit",
        image_size: 448,
        patch_size: 14,
        hidden_size: 1024,
        num_attention_heads: 16,
      },
    });
    expect(specs.map(({ where, encoding, confidence }) => [where, encoding, confidence])).toEqual([
      ["text", "rope", "automatic"],
      ["vision", "learned_absolute", "guess"],
    ]);
    expect(specs[1]?.params.max_position_embeddings).toBe(1025);
  });
});

test("the vision tower of Mistral's params.json is Pixtral's", () => {
  const vision_encoder = { hidden_size: 1024, num_attention_heads: 16, num_hidden_layers: 24, rope_theta: 10000 };
  const config = {
    dim: 5120,
    n_layers: 40,
    head_dim: 128,
    n_heads: 32,
    n_kv_heads: 8,
    hidden_dim: 14336,
    vision_encoder,
  };
  const vision = readConfig(JSON.stringify(config)).specs.find(({ where }) => where === "vision");
  expect([vision?.encoding, vision?.params.variant]).toEqual(["axial_rope", "pixtral"]);
});
