import { describe, expect, it } from "vitest";
import { readConfig } from "../../../../../src/core/config/readConfig.ts";
import { buildRuntimeTables, RUNTIMES, type RuntimeTable } from "../../../../../src/core/config/runtimes/index.ts";
import { readFixture } from "../../../support/files.ts";
import { config } from "../../../support/llamaConfig.ts";

function tablesOf(text: string): readonly RuntimeTable[] {
  return buildRuntimeTables(text, readConfig(text));
}

/** One row as `{ runtime: value }`; a cell without a value shows its outcome. */
function row(text: string, id: string, table = 0): Record<string, unknown> {
  const found = tablesOf(text)[table];
  const cells = found?.rows.find((candidate) => candidate.id === id)?.cells ?? [];
  return Object.fromEntries(
    cells.map(({ outcome, value }, i) => [found?.columns[i]?.id, outcome === "value" ? value : outcome]),
  );
}

function differing(text: string, id: string, table = 0): string[] {
  const found = tablesOf(text)[table];
  const cells = found?.rows.find((candidate) => candidate.id === id)?.cells ?? [];
  return cells.flatMap(({ differs }, i) => (differs ? [found?.columns[i]?.id ?? ""] : []));
}

const sample = (model: string) => readFixture(`workspace/${model}/config.json`);

const MODERN = JSON.stringify({
  model_type: "llama",
  hidden_size: 4096,
  num_attention_heads: 32,
  num_hidden_layers: 32,
  max_position_embeddings: 8192,
  rope_parameters: { rope_type: "default", rope_theta: 500_000 },
});

describe("the runtimes table", () => {
  it("has a column with its source for each runtime, and a cell for each column", () => {
    const [table] = tablesOf(config());
    expect(table?.columns.map(({ id }) => id)).toEqual([
      "transformers-4",
      "transformers-5",
      "vllm",
      "sglang",
      "tgi",
      "llama.cpp",
      "mlx",
    ]);
    for (const { source, version } of RUNTIMES) expect([source, version]).not.toContain("");
    for (const { cells } of table?.rows ?? []) expect(cells).toHaveLength(RUNTIMES.length);
  });

  it("does not take prototype properties for known models", () => {
    const cells = (id: string) => row(config({ model_type: "constructor" }), id);
    expect(cells("layout")["mlx"]).toBe("unknown");
    expect(cells("rope_theta")["mlx"]).toBe("unknown");
    expect(typeof cells("rope_theta")["transformers-4"]).not.toBe("function");
  });

  it("has no base for a v5 file in runtimes that do not read rope_parameters", () => {
    expect(row(MODERN, "rope_theta")).toEqual({
      "transformers-4": 10_000,
      "transformers-5": 500_000,
      vllm: 500_000,
      sglang: 500_000,
      tgi: 10_000,
      "llama.cpp": 500_000,
      mlx: 10_000,
    });
    expect(differing(MODERN, "rope_theta")).toEqual(["transformers-4", "tgi", "mlx"]);
    const other = MODERN.replace("llama", "qwen3");
    expect(row(other, "rope_theta").mlx).toBe("refused");
    expect(row(MODERN.replace("llama", "qwen2"), "rope_theta").mlx).toBe(1_000_000);
  });

  it("has equal bases for a v4 file", () => {
    expect(differing(config(), "rope_theta")).toEqual([]);
    expect(row(config(), "rope_type")).toMatchObject({ mlx: "default", "transformers-4": "default" });
  });

  it("shows which runtimes read type and which read rope_type", () => {
    const text = config({ rope_scaling: { type: "linear", rope_type: "dynamic", factor: 2 } });
    expect(row(text, "rope_type")).toEqual({
      "transformers-4": "linear",
      "transformers-5": "dynamic",
      vllm: "refused",
      sglang: "dynamic",
      tgi: "linear",
      "llama.cpp": "unknown",
      mlx: "linear",
    });
    const mistral = text.replace('"llama"', '"mistral"');
    expect(row(mistral, "rope_type")["transformers-4"]).toBe("dynamic");
  });

  it("multiplies the context where the runtime does, from the original length with YaRN", () => {
    const text = config({
      max_position_embeddings: 32_768,
      rope_scaling: { rope_type: "yarn", factor: 4, original_max_position_embeddings: 32_768 },
    });
    expect(row(text, "context")).toMatchObject({ vllm: 131_072, sglang: 32_768, "transformers-5": 32_768 });
    const linear = config({ rope_scaling: { rope_type: "linear", factor: 4 } });
    expect(row(linear, "context")).toMatchObject({ vllm: 16_384, sglang: 16_384 });
    expect(row(linear, "factor")).toMatchObject({ tgi: "ignored", mlx: 4 });
  });

  it("shows which servers read YaRN's attention factor", () => {
    const text = config({
      max_position_embeddings: 16_384,
      rope_scaling: {
        rope_type: "yarn",
        factor: 4,
        original_max_position_embeddings: 4096,
        attention_factor: 1.25,
        truncate: false,
      },
    });
    expect(row(text, "attention_factor")).toEqual({
      "transformers-4": 1.25,
      "transformers-5": 1.25,
      vllm: "unknown",
      sglang: "ignored",
      tgi: "ignored",
      "llama.cpp": 1.25,
      mlx: "unknown",
    });
    expect(differing(text, "truncate")).toEqual(["tgi", "llama.cpp", "mlx"]);
    const plain = config({ rope_scaling: { rope_type: "yarn", factor: 4 } });
    expect(tablesOf(plain)[0]?.rows.map(({ id }) => id)).not.toContain("attention_factor");
  });

  it("fills in a missing original length as each runtime does", () => {
    const text = config({ max_position_embeddings: 40_960, rope_scaling: { rope_type: "yarn", factor: 4 } });
    expect(row(text, "original_max_position_embeddings")).toMatchObject({
      "transformers-4": 40_960,
      "transformers-5": 40_960,
      tgi: "refused",
      mlx: 4096,
    });
  });

  it("applies a rotated fraction only where the runtime reads it", () => {
    const text = config({ partial_rotary_factor: 0.5 });
    expect(row(text, "rotary_dim")).toMatchObject({
      "transformers-4": 64,
      "transformers-5": 128,
      vllm: 64,
      sglang: "unknown",
    });
  });

  it("shows pair layout and number of rotated dimensions if a runtime's source gives them", () => {
    const sizes = { hidden_size: 4096, num_attention_heads: 32, num_hidden_layers: 2, rope_theta: 10_000 };
    const of = (model_type: string, id: string) => row(JSON.stringify({ model_type, ...sizes }), id);
    expect(of("cohere", "layout")).toMatchObject({
      tgi: "interleaved",
      "llama.cpp": "interleaved",
      mlx: "interleaved",
    });
    expect(of("qwen3", "layout")).toMatchObject({ tgi: "unknown", "llama.cpp": "half", mlx: "half" });
    expect(of("glm4", "layout")).toMatchObject({ "transformers-5": "interleaved", mlx: "interleaved" });
    expect(of("stablelm", "rotary_dim")).toMatchObject({ "transformers-5": 32, mlx: 32, tgi: "unknown" });
  });

  it("shows Llama 3's scaling, which llama.cpp reads from a tensor", () => {
    const llama = sample("llama-3.1-8b");
    expect(new Set(Object.values(row(llama, "rope_type")))).toEqual(new Set(["llama3"]));
    const [table] = tablesOf(llama);
    const cell = table?.rows.find(({ id }) => id === "rope_type")?.cells[5];
    expect(cell?.note?.en).toContain("rope_freqs.weight");
  });

  it("takes LongRoPE's original length from the place that each runtime reads", () => {
    const lists = { short_factor: new Array(64).fill(1), long_factor: new Array(64).fill(2) };
    const inside = config({
      max_position_embeddings: 16_384,
      rope_scaling: { rope_type: "longrope", ...lists, original_max_position_embeddings: 4096 },
    });
    expect(row(inside, "original_max_position_embeddings")).toMatchObject({
      "transformers-4": 16_384,
      "transformers-5": 4096,
      tgi: "refused",
    });
    const cell = tablesOf(inside)[0]?.rows.find(({ id }) => id === "rope_type")?.cells[6];
    expect(cell?.note?.en).toContain("long_factor");
  });

  it("is one table per layer type", () => {
    const gemma = sample("gemma-3-4b");
    expect(tablesOf(gemma)).toHaveLength(2);
    const sliding = tablesOf(gemma).findIndex(({ rows }) => rows.some(({ id }) => id === "sliding_window"));
    expect(row(gemma, "rope_theta", sliding)).toMatchObject({ "transformers-4": 10_000, "transformers-5": 10_000 });
    expect(row(gemma, "factor", 1 - sliding)).toMatchObject({ "transformers-4": 8, "transformers-5": 8 });
    expect(row(gemma, "context", 1 - sliding)).toMatchObject({ vllm: 131_072, sglang: "unknown" });
    expect(row(gemma, "rope_type", sliding)).toMatchObject({ "transformers-4": "default" });
  });

  it("reads mrope as default where the class does", () => {
    const text = config({
      model_type: "qwen2_vl",
      rope_scaling: { type: "mrope", mrope_section: [16, 24, 24] },
    });
    expect(row(text, "rope_type")).toMatchObject({
      "transformers-4": "default",
      "transformers-5": "default",
      vllm: "default",
    });
  });

  it("is unknown if transformers 4 has no class, and empty without rotation or a transformers config", () => {
    expect(row(config({ model_type: "ministral3" }), "rope_theta")["transformers-4"]).toBe("unknown");
    expect(tablesOf(sample("gpt2"))).toEqual([]);
    expect(tablesOf(JSON.stringify({ dim: 4096, n_layers: 32, n_heads: 32, multiple_of: 256 }))).toEqual([]);
    expect(tablesOf("{")).toEqual([]);
  });
});
