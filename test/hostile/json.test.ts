import { beforeAll, describe, expect, it } from "vitest";
import { expectBounded } from "./support/expectBounded.ts";
import { buildReaders, put, runReader, scratchFolder } from "./support/readers.ts";

const LLAMA = {
  model_type: "llama",
  hidden_size: 4096,
  num_attention_heads: 32,
  num_hidden_layers: 32,
  max_position_embeddings: 4096,
  rope_theta: 500000,
};
const config = (more: object) => JSON.stringify({ ...LLAMA, ...more });
const around = (inside: string) => `{"model_type":"llama","num_attention_heads":32,"hidden_size":64,"a":${inside}}`;
const many = <T>(count: number, item: (n: number) => T): T[] => Array.from({ length: count }, (_, n) => item(n));
const entries = <T>(count: number, entry: (n: number) => [string, T]) => Object.fromEntries(many(count, entry));
/** Just below what is read. */
const LARGEST = 16_000_000;

/** Texts, and what is said about them; null where the model is read as if nothing was. */
const TEXTS: readonly (readonly [name: string, text: () => string, says: RegExp | null])[] = [
  ["[ nested 900,000 times", () => around("[".repeat(900_000)), /nesting deeper than 1000 levels/],
  ["{ nested 900,000 times", () => '{"model_type":'.repeat(900_000), /nesting deeper than 1000 levels/],
  ["a string of 16 MB", () => around(`"${"x".repeat(LARGEST)}"`), null],
  ["a string of 8 million escapes", () => around(`"${"\\n".repeat(LARGEST / 2)}"`), null],
  ["an unclosed string of 16 MB", () => `${around("1").slice(0, -1)},"${"x".repeat(LARGEST)}`, /unterminated|expected/],
  ["more than 16 MB", () => around(`"${"x".repeat(2 * LARGEST)}"`), /larger than 16 MB/],
  ["a key of 16 MB", () => around(`{"${"x".repeat(LARGEST)}":1}`), null],
  ["a model type of 16 MB", () => config({ model_type: "x".repeat(LARGEST) }), null],
  [
    "a RoPE type of 10 MB",
    () => config({ rope_scaling: { rope_type: "x".repeat(1e7), factor: 2 } }),
    /rope\/unknown-type/,
  ],
  ["8 million numbers", () => around(`[${"1,".repeat(LARGEST / 2)}1]`), null],
  ["4 million NaNs", () => around(`[${"NaN,".repeat(LARGEST / 4)}1]`), null],
  ["250,000 NaNs", () => around(`[${"NaN,".repeat(250_000)}1]`), /more than 200,000 values/],
  [
    "800,000 keys",
    () => JSON.stringify({ ...LLAMA, ...entries(800_000, (n) => [`k${n}`, n]) }),
    /more than 200,000 values/,
  ],
  [
    "300,000 errors",
    () => `{"model_type":"llama",${'"a" 1 '.repeat(300_000)}}`,
    /expected a (?:colon|comma)|more than/,
  ],
  ["8 million colons", () => `{"model_type":"llama",${": ".repeat(LARGEST / 2)}}`, /more than 200,000 values/],
  ["16 million line breaks", () => around(`${"\n".repeat(LARGEST)}1`), null],
  ["16 million spaces", () => around(`${" ".repeat(LARGEST)}1`), null],
  ["a comment of 16 MB", () => around(`/*${"x".repeat(LARGEST)}*/1`), null],
  ["2 million comments", () => around(`${"/**/".repeat(2_000_000)}1`), /more than 200,000 values/],
  [
    "500,000 duplicate keys",
    () => `{"model_type":"llama",${'"rope_theta":1,'.repeat(500_000)}"a":1}`,
    /more than 200,000 values/,
  ],
  ["20,000 duplicate keys", () => `{"model_type":"llama",${'"rope_theta":1,'.repeat(20_000)}"a":1}`, /duplicate key/],
  [
    "20,000 unknown keys of RoPE",
    () => config({ rope_scaling: entries(20_000, (n) => [`factor${n}`, n]) }),
    /rope\/unknown-keys/,
  ],
  [
    "10,000 sub-configs",
    () => JSON.stringify({ model_type: "x", ...entries(10_000, (n) => [`c${n}_config`, LLAMA]) }),
    null,
  ],
  [
    "100,000 layer types",
    () => config({ model_type: "gemma3_text", layer_types: many(100_000, (n) => `t${n}`) }),
    /layers\//,
  ],
  ["heads of 1e9 dimensions", () => config({ head_dim: 1e9 }), /config\/too-large head_dim: .*no model has more than/],
  ["1e9 heads", () => config({ num_attention_heads: 1e9 }), /config\/too-large num_attention_heads/],
  [
    "1e9 heads with ALiBi",
    () => JSON.stringify({ model_type: "bloom", n_head: 1e9, hidden_size: 1e9 }),
    /config\/too-large n_head/,
  ],
  [
    "1e15 layers",
    () => config({ model_type: "gemma3_text", num_hidden_layers: 1e15 }),
    /config\/too-large num_hidden_layers/,
  ],
  [
    "1e9 buckets",
    () => JSON.stringify({ model_type: "t5", relative_attention_num_buckets: 1e9 }),
    /config\/too-large relative/,
  ],
  [
    "names of every object",
    () => config({ model_type: "constructor", rope_scaling: { rope_type: "toString", __proto__: 1 } }),
    null,
  ],
];

beforeAll(buildReaders);

describe("a JSON config with", () => {
  it.each(TEXTS)("%s", async (_name, text, says) => {
    const run = await runReader("json", put(scratchFolder(), "config.json", text()));
    expectBounded(run);
    expect(run.exitCode, run.stderr).toBe(0);
    const { error, problems } = JSON.parse(run.stdout);
    if (says === null) expect(error).toBeNull();
    else expect([error?.message, ...problems].join("\n")).toMatch(says);
  });
});
