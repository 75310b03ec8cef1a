import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { runInspect } from "../../../../../src/cli/inspect.ts";
import { memoryReader } from "../../../../../src/core/checkpoint/rangeReader.ts";
import { computeDerivedValues } from "../../../../../src/core/config/report/derivedValues.ts";
import { readCheckpoint } from "../../../../../src/core/config/weights/readCheckpoint.ts";
import { type GgufValue, gguf, safetensors, type Tensor } from "../../../support/checkpointFiles.ts";
import { scratchFolder } from "../../../support/scratch.ts";

const LLAMA: Readonly<Record<string, GgufValue>> = {
  "general.architecture": "llama",
  "llama.block_count": 32,
  "llama.context_length": 131072,
  "llama.embedding_length": 4096,
  "llama.attention.head_count": 32,
  "llama.attention.head_count_kv": 8,
  "llama.rope.freq_base": 500000,
  "llama.rope.dimension_count": 128,
};

async function read(metadata: Readonly<Record<string, GgufValue>>, tensors: readonly Tensor[] = []) {
  const reading = await readCheckpoint(memoryReader(gguf(metadata, tensors)));
  if (reading === undefined) throw new Error("not recognised");
  return reading;
}

describe("a GGUF file", () => {
  test("of Llama has interleaved pairs, no scaling if its keys are absent, and keys as places", async () => {
    const { format, modelType, specs, error } = await read(LLAMA);
    expect([format, modelType, error]).toEqual(["gguf", "llama", null]);
    expect(specs).toHaveLength(1);
    expect(specs[0]).toMatchObject({
      encoding: "rope",
      layers: "all",
      params: {
        rope_theta: 500000,
        head_dim: 128,
        rotary_dim: 128,
        num_kv_heads: 8,
        num_layers: 32,
        layout: "interleaved",
        rope_type: "default",
        max_position_embeddings: 131072,
      },
      sources: { rope_theta: "config", head_dim: "derived", rope_type: "default" },
    });
    expect(specs[0]?.evidence.find(({ param }) => param === "rope_theta")?.path).toEqual(["llama.rope.freq_base"]);
  });

  test("with rope_freqs has angles divided by it, as in Llama 3's scaling", async () => {
    const data = Array.from({ length: 64 }, (_, k) => (k < 32 ? 1 : 8));
    const { specs } = await read(LLAMA, [{ name: "rope_freqs.weight", shape: [64], data }]);
    expect(specs[0]?.params).toMatchObject({ rope_type: "llama3", factor: 8 });
    const [spec] = specs;
    if (spec === undefined) throw new Error("no spec");
    expect(computeDerivedValues(spec).inv_freq).toEqual(
      data.map((divisor, k) => 1 / (divisor * 500000 ** ((2 * k) / 128))),
    );
  });

  test("gives YaRN or linear scaling, and linear for a factor without a type", async () => {
    const qwen = {
      "general.architecture": "qwen2",
      "qwen2.block_count": 2,
      "qwen2.context_length": 131072,
      "qwen2.embedding_length": 64,
      "qwen2.attention.head_count": 4,
    };
    const yarn = await read({
      ...qwen,
      "qwen2.rope.scaling.type": "yarn",
      "qwen2.rope.scaling.factor": 4,
      "qwen2.rope.scaling.original_context_length": 32768,
    });
    expect(yarn.specs[0]?.params).toMatchObject({
      rope_type: "yarn",
      factor: 4,
      original_max_position_embeddings: 32768,
      layout: "half",
      rope_theta: 10000,
    });
    const linear = await read({ ...qwen, "qwen2.rope.scaling.factor": 4 });
    expect(linear.specs[0]?.params).toMatchObject({ rope_type: "linear", factor: 4 });
  });

  test("gives the window pattern, the base of sliding layers and the layers without RoPE", async () => {
    const base = (name: string) => ({
      "general.architecture": name,
      [`${name}.block_count`]: 8,
      [`${name}.embedding_length`]: 64,
      [`${name}.attention.head_count`]: 4,
    });
    const gemma = await read({
      ...base("gemma3"),
      "gemma3.attention.sliding_window": 512,
      "gemma3.rope.freq_base": 1000000,
      "gemma3.rope.freq_base_swa": 10000,
    });
    expect(gemma.specs.map(({ layers, params }) => [layers, params.sliding_window, params.rope_theta])).toEqual([
      [[0, 1, 2, 3, 4, 6, 7], 512, 10000],
      [[5], null, 1000000],
    ]);
    const smol = await read(base("smollm3"));
    expect(smol.specs.map(({ encoding, layers }) => [encoding, layers])).toEqual([
      ["rope", [0, 1, 2, 4, 5, 6]],
      ["none", [3, 7]],
    ]);
  });

  test("gives ALiBi, T5's buckets, learned tables or no encoding", async () => {
    const heads = { "mpt.attention.head_count": 32, "mpt.embedding_length": 4096, "mpt.attention.max_alibi_bias": 8 };
    expect((await read({ "general.architecture": "mpt", ...heads })).specs[0]).toMatchObject({
      encoding: "alibi",
      params: { num_heads: 32, alibi_bias_max: 8 },
    });
    const t5 = await read({ "general.architecture": "t5", "t5.attention.relative_buckets_count": 32 });
    expect(t5.specs.map(({ where, params }) => [where, params.num_buckets, params.max_distance])).toEqual([
      ["encoder", 32, 128],
      ["decoder", 32, 128],
    ]);
    const gpt2 = await read({ "general.architecture": "gpt2" }, [{ name: "position_embd.weight", shape: [768, 1024] }]);
    expect(gpt2.specs[0]).toMatchObject({
      encoding: "learned_absolute",
      params: { max_position_embeddings: 1024, usable_positions: 1024 },
    });
    expect((await read({ "general.architecture": "mamba" })).specs[0]?.encoding).toBe("none");
  });

  test("with a header truncated anywhere gives an error and no exception", async () => {
    const whole = gguf(LLAMA, [{ name: "rope_freqs.weight", shape: [64], data: [] }]);
    for (let length = 9; length < whole.length - 40; length += 7) {
      const reading = await readCheckpoint(memoryReader(whole.slice(0, length)));
      expect(reading?.format).toBe("gguf");
      expect(reading?.error).not.toBeNull();
    }
  });
});

describe("a safetensors file", () => {
  test("gives tables by name and shape", async () => {
    const reading = await readCheckpoint(
      memoryReader(
        safetensors({
          "bert.embeddings.position_embeddings.weight": [512, 768],
          "vision_model.embeddings.position_embedding.weight": [50, 768],
          "encoder.block.0.layer.0.SelfAttention.relative_attention_bias.weight": [32, 8],
          "swin.encoder.layers.0.blocks.0.attention.self.relative_position_bias_table": [169, 3],
        }),
      ),
    );
    expect(reading?.format).toBe("safetensors");
    expect(reading?.specs.map(({ where, encoding, confidence }) => [where, encoding, confidence])).toEqual([
      ["text", "learned_absolute", "automatic"],
      ["vision", "learned_absolute", "automatic"],
      ["encoder", "t5_bias", "automatic"],
      ["encoder", "swin_bias", "automatic"],
    ]);
    expect(reading?.specs[0]?.params.usable_positions).toBe(512);
    expect(reading?.specs[2]?.params).toMatchObject({ num_buckets: 32, num_heads: 8 });
    expect(reading?.specs[3]?.params).toMatchObject({ window_size: 7, num_heads: 3 });
  });

  test("that is an index gives the tables of its shards, and refuses names outside its folder", async () => {
    const root = scratchFolder("index");
    writeFileSync(join(root, "model-1.safetensors"), safetensors({ "wpe.weight": [1024, 768] }));
    const index = (file: string) => JSON.stringify({ metadata: {}, weight_map: { "wpe.weight": file } });
    const path = join(root, "model.safetensors.index.json");
    writeFileSync(path, index("model-1.safetensors"));
    const entries = async () => JSON.parse((await runInspect([path], { json: true })).stdout);
    expect(await entries()).toMatchObject([
      {
        format: "safetensors-index",
        error: null,
        encodings: [{ encoding: "learned_absolute", params: { max_position_embeddings: 1024 } }],
      },
    ]);
    writeFileSync(path, index("../../etc/passwd"));
    expect(await entries()).toMatchObject([
      { format: "safetensors-index", encodings: [], error: { message: expect.stringContaining("../../etc/passwd") } },
    ]);
  });
});

test("a config and the GGUF file beside it are compared", async () => {
  const root = scratchFolder("gguf");
  writeFileSync(join(root, "model.gguf"), gguf({ ...LLAMA, "llama.rope.freq_base": 10000 }));
  const config = {
    model_type: "llama",
    hidden_size: 4096,
    num_attention_heads: 32,
    num_key_value_heads: 8,
    num_hidden_layers: 32,
    rope_theta: 500000.0,
  };
  writeFileSync(join(root, "config.json"), JSON.stringify(config));
  const [entry] = JSON.parse((await runInspect([root], { json: true })).stdout);
  expect(entry.diagnostics).toMatchObject([
    {
      rule: "gguf/disagrees",
      severity: "warning",
      path: ["rope_theta"],
      message: "rope_theta is 500000 here but 10000 in model.gguf",
    },
  ]);
});

test("posenc inspect finds checkpoints in folders and recognises them by content", async () => {
  const root = scratchFolder("checkpoints");
  writeFileSync(join(root, "a.gguf"), gguf(LLAMA));
  writeFileSync(join(root, "b.safetensors"), safetensors({ "wpe.weight": [1024, 768] }));
  writeFileSync(join(root, "renamed.bin"), gguf(LLAMA));
  const { stdout, exitCode } = await runInspect([root, join(root, "renamed.bin")], { json: true });
  expect(exitCode).toBe(0);
  expect(JSON.parse(stdout).map(({ format }: { format: string }) => format)).toEqual(["gguf", "safetensors", "gguf"]);
});
