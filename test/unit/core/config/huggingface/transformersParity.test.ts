import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { TRANSFORMERS_RUN } from "../../../../../src/core/config/huggingface/readingView.ts";
import { readConfig } from "../../../../../src/core/config/readConfig.ts";
import { specAsRun } from "../../../../../src/core/config/runs.ts";
import type { EncodingSpec } from "../../../../../src/core/spec.ts";

/**
 * The attributes of transformers 5.18.0 after loading these configs (output of its classes):
 * `kinds` are the distinct rope_parameters, `layers` the kind of each layer, empty if all are equal.
 */
interface Case {
  readonly config: Readonly<Record<string, unknown>>;
  readonly sliding_window: number | null;
  readonly head_dim: number;
  readonly num_heads: number;
  readonly num_kv_heads: number | null;
  readonly max_position_embeddings: number | null;
  readonly num_layers: number;
  readonly kinds: readonly Readonly<Record<string, unknown>>[];
  readonly layers?: string;
}

/** Parameters with more or another meaning than the attribute of the class. */
const EXCEPTIONS: Readonly<Record<string, readonly string[]>> = {
  // The class stores these attributes of the file and never reads them.
  falcon: ["num_kv_heads"],
  bamba: [],
  // head_dim is the number of rotated dimensions; a `head_dim` in the file is stored but unused.
  deepseek_v3: ["head_dim"],
  glm4_moe_lite: ["head_dim"],
  youtu: ["head_dim"],
};

const cases: readonly Case[] = JSON.parse(readFileSync("test/fixtures/configs/transformers-5.18.json", "utf8"));

function specOf(specs: readonly EncodingSpec[], layer: number): EncodingSpec | undefined {
  return specs.find(({ layers }) => layers === "all" || layers.includes(layer));
}

function expectLayer(spec: EncodingSpec | undefined, golden: Case, kind: Readonly<Record<string, unknown>>): void {
  expect(spec).toBeDefined();
  if (spec === undefined) return;
  const { params, encoding } = spec;
  const skipped = EXCEPTIONS[String(golden.config.model_type)] ?? [];
  expect(params.num_heads).toBe(golden.num_heads);
  expect(params.num_layers).toBe(golden.num_layers);
  if (!skipped.includes("head_dim")) expect(params.head_dim).toBe(golden.head_dim);
  if (golden.num_kv_heads !== null && !skipped.includes("num_kv_heads"))
    expect(params.num_kv_heads).toBe(golden.num_kv_heads);
  if (golden.max_position_embeddings !== null)
    expect(params.max_position_embeddings).toBe(golden.max_position_embeddings);
  if (encoding === "none") return;
  for (const name of ["rope_type", "rope_theta", "factor", "original_max_position_embeddings"]) {
    if (kind[name] !== undefined) expect([name, params[name]]).toEqual([name, kind[name]]);
  }
  expect(params.partial_rotary_factor).toBe(kind.partial_rotary_factor ?? 1);
  if (kind.layer_type === "sliding_attention") expect(params.sliding_window).toBe(golden.sliding_window || null);
}

describe("effective RoPE parameters", () => {
  const types = [...new Set(cases.map(({ config }) => String(config.model_type)))];
  test.each(types)("of %s equal those of transformers 5.18", (type) => {
    for (const golden of cases.filter(({ config }) => config.model_type === type)) {
      const { specs: declared, modelType, error } = readConfig(JSON.stringify(golden.config));
      const specs = declared.map((spec) => specAsRun(spec, TRANSFORMERS_RUN));
      expect([modelType, error]).toEqual([type, null]);
      for (let layer = 0; layer < golden.num_layers; layer++) {
        const kind = golden.kinds[Number(golden.layers?.[layer] ?? 0)] ?? {};
        expectLayer(specOf(specs, layer), golden, kind);
      }
    }
  });
});
