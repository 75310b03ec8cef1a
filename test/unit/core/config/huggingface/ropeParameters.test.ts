import { describe, expect, test } from "vitest";
import { readConfig } from "../../../../../src/core/config/readConfig.ts";
import type { EncodingSpec } from "../../../../../src/core/spec.ts";

function read(config: Readonly<Record<string, unknown>>): readonly EncodingSpec[] {
  return readConfig(JSON.stringify(config)).specs;
}

function only(config: Readonly<Record<string, unknown>>): EncodingSpec {
  const specs = read(config);
  expect(specs).toHaveLength(1);
  const [spec] = specs;
  if (spec === undefined) throw new Error("no spec");
  return spec;
}

const LLAMA = {
  model_type: "llama",
  hidden_size: 4096,
  num_attention_heads: 32,
  num_key_value_heads: 8,
  num_hidden_layers: 32,
  max_position_embeddings: 131072,
};

describe("RoPE parameters", () => {
  test("come from a non-empty rope_scaling alone, theta included, and not from rope_parameters", () => {
    const { params, sources } = only({
      ...LLAMA,
      rope_parameters: { rope_type: "default", rope_theta: 777 },
      rope_scaling: { rope_type: "linear", factor: 2 },
    });
    expect(params).toMatchObject({ rope_type: "linear", factor: 2, rope_theta: 10000 });
    expect(sources.rope_theta).toBe("default");
  });

  test("take theta from rope_parameters before the top level", () => {
    const { params } = only({ ...LLAMA, rope_theta: 5, rope_parameters: { rope_type: "default", rope_theta: 777 } });
    expect(params.rope_theta).toBe(777);
  });

  test("take rope_type before the legacy type", () => {
    const { params } = only({ ...LLAMA, rope_scaling: { type: "linear", rope_type: "dynamic", factor: 2 } });
    expect(params.rope_type).toBe("dynamic");
  });

  test("take a missing original length from max_position_embeddings, and prefer the top-level one to the dictionary's", () => {
    const yarn = { rope_type: "yarn", factor: 4 };
    const missing = only({ ...LLAMA, rope_scaling: yarn });
    expect(missing.params.original_max_position_embeddings).toBe(131072);
    expect(missing.sources.original_max_position_embeddings).toBe("default");
    const both = only({
      ...LLAMA,
      original_max_position_embeddings: 8192,
      rope_scaling: { ...yarn, original_max_position_embeddings: 4096 },
    });
    expect(both.params.original_max_position_embeddings).toBe(8192);
  });

  test("use the ratio of the lengths for YaRN's null factor", () => {
    const { params, sources } = only({
      ...LLAMA,
      rope_scaling: { rope_type: "yarn", factor: null, original_max_position_embeddings: 32768 },
    });
    expect(params.factor).toBe(4);
    expect(sources.factor).toBe("derived");
  });

  test("of gpt_neox ignore rope_theta and partial_rotary_factor at the top level and use the old names", () => {
    const base = { model_type: "gpt_neox", hidden_size: 2048, num_attention_heads: 16 };
    expect(only({ ...base, rope_theta: 5, partial_rotary_factor: 0.9 }).params.rope_theta).toBe(10000);
    const old = only({ ...base, rotary_emb_base: 20000, rotary_pct: 0.5 });
    expect(old.params).toMatchObject({ rope_theta: 20000, head_dim: 128, rotary_dim: 64, partial_rotary_factor: 0.5 });
  });

  test("of phi3 read yarn as longrope and apply the fraction for the default type", () => {
    const base = { model_type: "phi3", hidden_size: 3072, num_attention_heads: 24, max_position_embeddings: 131072 };
    const lists = { short_factor: [1, 1], long_factor: [2, 2] };
    const { params } = only({ ...base, rope_scaling: { type: "yarn", ...lists } });
    expect(params).toMatchObject({ rope_type: "longrope", original_max_position_embeddings: 4096, factor: 32 });
    expect(only({ ...base, partial_rotary_factor: 0.75 }).params.rotary_dim).toBe(96);
  });

  test("of qwen2_vl read mrope as default with sections, and v4's text parameters at the top level", () => {
    const specs = read({
      model_type: "qwen2_vl",
      hidden_size: 1536,
      num_attention_heads: 12,
      num_key_value_heads: 2,
      num_hidden_layers: 28,
      max_position_embeddings: 32768,
      rope_theta: 1000000.0,
      rope_scaling: { type: "mrope", mrope_section: [16, 24, 24] },
      vision_config: { model_type: "qwen2_vl", depth: 32, embed_dim: 1280, num_heads: 16, hidden_size: 1536 },
    });
    const text = specs.find(({ where }) => where === "text");
    expect(text?.encoding).toBe("mrope");
    expect(text?.params).toMatchObject({
      rope_type: "default",
      rope_theta: 1e6,
      mrope_section: [16, 24, 24],
      head_dim: 128,
    });
    const vision = specs.find(({ where }) => where === "vision");
    expect(vision?.encoding).toBe("axial_rope");
    expect(vision?.params).toMatchObject({ rope_type: "axial", head_dim: 80, num_layers: 32, rope_theta: 10000 });
  });
});

describe("layer types", () => {
  const sliding = [0, 1, 2, 3, 4, 6, 7, 8, 9, 10];

  test("of Gemma 3 have two bases, five local layers per global layer, and rope_scaling for global layers", () => {
    const specs = read({
      model_type: "gemma3_text",
      num_hidden_layers: 12,
      sliding_window: 512,
      rope_theta: 2e6,
      rope_local_base_freq: 20000,
      rope_scaling: { rope_type: "linear", factor: 8 },
    });
    expect(specs.map(({ layers }) => layers)).toEqual([sliding, [5, 11]]);
    expect(specs[0]?.params).toMatchObject({
      rope_theta: 20000,
      rope_type: "default",
      sliding_window: 512,
      factor: null,
    });
    expect(specs[1]?.params).toMatchObject({ rope_theta: 2e6, rope_type: "linear", factor: 8, sliding_window: null });
  });

  test("of Gemma 3 keep the class defaults if rope_parameters is flat", () => {
    const specs = read({
      model_type: "gemma3_text",
      num_hidden_layers: 6,
      rope_parameters: { rope_type: "default", rope_theta: 123 },
    });
    expect(specs.map(({ params }) => params.rope_theta)).toEqual([10000, 1000000]);
  });

  test("of OLMo 3 all declare rope_theta; transformers 5.18 applies it to full-attention layers only", () => {
    const specs = read({ model_type: "olmo3", num_hidden_layers: 4, sliding_window: 4096, rope_theta: 10000 });
    expect(specs.map(({ layers, params, runs }) => [layers, params.rope_theta, runs])).toEqual([
      [[0, 1, 2], 10000, { "transformers 5.18": { rope_theta: 500000 } }],
      [[3], 10000, undefined],
    ]);
  });

  test("of SmolLM3 use RoPE where no_rope_layers is 1, and omit it in each fourth layer by default", () => {
    const base = { model_type: "smollm3", num_hidden_layers: 4 };
    expect(read(base).map(({ encoding, layers }) => [encoding, layers])).toEqual([
      ["rope", [0, 1, 2]],
      ["none", [3]],
    ]);
    expect(read({ ...base, no_rope_layers: [0, 1, 1, 0] }).map(({ encoding, layers }) => [encoding, layers])).toEqual([
      ["none", [0, 3]],
      ["rope", [1, 2]],
    ]);
  });

  test("of Cohere 2 have neither RoPE nor a window in full-attention layers", () => {
    const specs = read({ model_type: "cohere2", num_hidden_layers: 4, sliding_window: 4096 });
    expect(specs.map(({ encoding, layers, params }) => [encoding, layers, params.sliding_window])).toEqual([
      ["rope", [0, 1, 2], 4096],
      ["none", [3], null],
    ]);
    expect(specs[0]?.params.layout).toBe("interleaved");
  });

  test("of Qwen2 have a window only with use_sliding_window, from max_window_layers on", () => {
    const base = { model_type: "qwen2", num_hidden_layers: 4, sliding_window: 1024, max_window_layers: 3 };
    expect(only(base).params.sliding_window).toBeNull();
    const specs = read({ ...base, use_sliding_window: true });
    expect(specs.map(({ layers, params }) => [layers, params.sliding_window])).toEqual([
      [[0, 1, 2], null],
      [[3], 1024],
    ]);
  });

  test("of Mistral have the class's window if the key is missing and none if it is null", () => {
    expect(only({ model_type: "mistral" }).params.sliding_window).toBe(4096);
    expect(only({ model_type: "mistral" }).sources.sliding_window).toBe("default");
    expect(only({ model_type: "mistral", sliding_window: null }).params.sliding_window).toBeNull();
  });

  test("of hybrid models have no positions in linear-attention layers", () => {
    const specs = read({ model_type: "qwen3_next", num_hidden_layers: 4 });
    expect(specs.map(({ encoding, layers }) => [encoding, layers])).toEqual([
      ["none", [0, 1, 2]],
      ["rope", [3]],
    ]);
    expect(specs[1]?.params).toMatchObject({ partial_rotary_factor: 0.25, head_dim: 256, rotary_dim: 64 });
  });
});

// Qwen/Qwen-7B, modeling_qwen.py, get_ntk_alpha: 2^ceil(log2(L / seq_length) + 1) − 1, which is 2 L / seq_length − 1 at
// each power of two, the factor of dynamic NTK with 2.
test("the flag of Qwen 1 is dynamic NTK with factor 2 beyond seq_length", () => {
  const qwen = {
    model_type: "qwen",
    hidden_size: 4096,
    num_attention_heads: 32,
    num_hidden_layers: 32,
    seq_length: 8192,
  };
  const { params, evidence } = only({ ...qwen, use_dynamic_ntk: true });
  expect(params).toMatchObject({
    rope_type: "dynamic",
    factor: 2,
    max_position_embeddings: 8192,
    use_dynamic_ntk: true,
  });
  expect(evidence.map(({ param }) => param)).toContain("use_dynamic_ntk");
  expect(only({ ...qwen, use_dynamic_ntk: false }).params).toMatchObject({ rope_type: "default", factor: null });
});

describe("partial rotation", () => {
  test("of Llama is declared; transformers 5.18 ignores it for the default type and applies it for the others", () => {
    const partial = only({ ...LLAMA, partial_rotary_factor: 0.5 });
    expect([partial.params.rotary_dim, partial.runs]).toEqual([64, { "transformers 5.18": { rotary_dim: 128 } }]);
    const linear = { ...LLAMA, partial_rotary_factor: 0.5, rope_scaling: { rope_type: "linear", factor: 2 } };
    expect(only(linear).params.rotary_dim).toBe(64);
  });

  test("of GPT-J and CodeGen has rotary_dim, interleaved pairs and a fixed base", () => {
    const { params } = only({
      model_type: "gptj",
      n_embd: 4096,
      n_head: 16,
      n_layer: 28,
      rotary_dim: 64,
      rope_theta: 5,
    });
    expect(params).toMatchObject({ rotary_dim: 64, head_dim: 256, layout: "interleaved", rope_theta: 10000 });
  });

  test("of latent attention sets head_dim to the rotated dimensions and changes the softmax scale", () => {
    const { params } = only({
      model_type: "deepseek_v3",
      qk_rope_head_dim: 64,
      qk_nope_head_dim: 128,
      max_position_embeddings: 163840,
      rope_scaling: {
        type: "yarn",
        factor: 40,
        original_max_position_embeddings: 4096,
        mscale: 1.0,
        mscale_all_dim: 1.0,
      },
    });
    expect(params).toMatchObject({
      head_dim: 64,
      rotary_dim: 64,
      qk_head_dim: 192,
      yarn_apply_mscale: true,
      layout: "interleaved",
    });
  });
});

describe("encodings other than RoPE", () => {
  test("have two table rows fewer in RoBERTa and two more in OPT", () => {
    const roberta = only({ model_type: "roberta", max_position_embeddings: 514, pad_token_id: 1 });
    expect(roberta.params).toMatchObject({ max_position_embeddings: 514, usable_positions: 512 });
    const opt = only({ model_type: "opt", max_position_embeddings: 2048 });
    expect(opt.params).toMatchObject({ max_position_embeddings: 2048, usable_positions: 2048 });
  });

  test("have two table rows fewer in models that number positions as RoBERTa does", () => {
    for (const type of ["longformer", "mpnet", "luke", "layoutlmv3", "esm"]) {
      const specs = read({ model_type: type, max_position_embeddings: 4098, pad_token_id: 1 });
      expect([type, specs[0]?.params.usable_positions]).toEqual([type, 4096]);
    }
  });

  test("count the class token in vision tables", () => {
    const { params, where } = only({ model_type: "vit", image_size: 224, patch_size: 16 });
    expect(where).toBe("vision");
    expect(params.max_position_embeddings).toBe(197);
  });

  test("take the table size from a model's own key", () => {
    expect(only({ model_type: "gpt_bigcode", n_positions: 8192, n_head: 48, n_embd: 6144 })).toMatchObject({
      where: "text",
      params: { max_position_embeddings: 8192, usable_positions: 8192, num_kv_heads: 1 },
    });
    expect(only({ model_type: "siglip2_vision_model", num_patches: 1024 }).params.max_position_embeddings).toBe(1024);
  });

  test("are two entries for encoder and decoder", () => {
    const t5 = read({ model_type: "t5", num_layers: 6, num_decoder_layers: 3, num_heads: 8, d_kv: 64 });
    expect(t5.map(({ where, params }) => [where, params.num_layers, params.bidirectional])).toEqual([
      ["encoder", 6, true],
      ["decoder", 3, false],
    ]);
    expect(t5[0]?.params).toMatchObject({ num_buckets: 32, max_distance: 128, head_dim: 64 });
    const whisper = read({ model_type: "whisper", encoder_layers: 4, decoder_layers: 4 });
    expect(whisper.map(({ where, encoding, params }) => [where, encoding, params.usable_positions])).toEqual([
      ["encoder", "sinusoidal", 1500],
      ["decoder", "learned_absolute", 448],
    ]);
    expect(read({ model_type: "bart" }).map(({ where }) => where)).toEqual(["encoder", "decoder"]);
  });

  test("are ALiBi or RoPE in Falcon and Baichuan, depending on the file", () => {
    expect(only({ model_type: "falcon", alibi: true, num_attention_heads: 71 }).encoding).toBe("alibi");
    expect(only({ model_type: "falcon", alibi: false }).encoding).toBe("rope");
    expect(only({ model_type: "baichuan", hidden_size: 5120, num_hidden_layers: 40 }).encoding).toBe("alibi");
    expect(only({ model_type: "baichuan", hidden_size: 4096, max_position_embeddings: 4096 }).encoding).toBe("rope");
  });

  test("have DeBERTa's absolute positions only with position_biased_input", () => {
    const base = {
      model_type: "deberta-v2",
      relative_attention: true,
      position_buckets: 256,
      max_relative_positions: -1,
    };
    const { encoding, params } = only({ ...base, position_biased_input: false, pos_att_type: "p2c|c2p" });
    expect(encoding).toBe("deberta");
    expect(params).toMatchObject({ num_buckets: 256, max_distance: 512, pos_att_type: ["p2c", "c2p"] });
    expect(read({ ...base, position_biased_input: true })).toHaveLength(2);
  });

  test("have a window in every second layer of GPT-Neo", () => {
    const specs = read({
      model_type: "gpt_neo",
      num_layers: 4,
      attention_types: [[["global", "local"], 2]],
      window_size: 256,
    });
    expect(specs.map(({ layers, params }) => [layers, params.sliding_window])).toEqual([
      [[0, 2], null],
      [[1, 3], 256],
    ]);
  });

  test("use the model type of a sub-config and the names of the stacks", () => {
    const specs = read({
      model_type: "llava",
      text_config: { model_type: "mistral", rope_theta: 1e6, sliding_window: null },
      vision_config: { model_type: "clip_vision_model", image_size: 336, patch_size: 14 },
    });
    expect(specs.map(({ where, encoding }) => [where, encoding])).toEqual([
      ["text", "rope"],
      ["vision", "learned_absolute"],
    ]);
    expect(specs[1]?.params.max_position_embeddings).toBe(577);
  });

  test("are a guess from the keys of an unknown model type", () => {
    const rope = only({ model_type: "newmodel", hidden_size: 1024, num_attention_heads: 8, rope_theta: 5e5 });
    expect(rope).toMatchObject({ encoding: "rope", confidence: "guess" });
    expect(rope.params).toMatchObject({ rope_theta: 5e5, head_dim: 128 });
    expect(only({ model_type: "other", alibi: true, num_attention_heads: 8 }).encoding).toBe("alibi");
  });
});
