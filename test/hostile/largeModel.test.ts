import { closeSync, ftruncateSync, mkdtempSync, openSync, rmSync, writeFileSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { runCli } from "./support/run.ts";

/** Llama 2 7B's sizes. */
const HIDDEN = 4096;
const INNER = 11_008;
const VOCABULARY = 32_000;
const LAYERS = 32;

/** Reads 26 GB if it reads everything; two layers are 800 MB. */
const KILL_AFTER_MS = 180_000;

const BFLOAT16_BYTES = 2;

let folder: string;

function tensorShapes(): [string, number[]][] {
  const layer = (n: number): [string, number[]][] => {
    const prefix = `model.layers.${n}`;
    return [
      ...["q", "k", "v", "o"].map((part): [string, number[]] => [
        `${prefix}.self_attn.${part}_proj.weight`,
        [HIDDEN, HIDDEN],
      ]),
      [`${prefix}.mlp.gate_proj.weight`, [INNER, HIDDEN]],
      [`${prefix}.mlp.up_proj.weight`, [INNER, HIDDEN]],
      [`${prefix}.mlp.down_proj.weight`, [HIDDEN, INNER]],
      [`${prefix}.input_layernorm.weight`, [HIDDEN]],
      [`${prefix}.post_attention_layernorm.weight`, [HIDDEN]],
    ];
  };
  return [
    ["model.embed_tokens.weight", [VOCABULARY, HIDDEN]],
    ...Array.from({ length: LAYERS }, (_, n) => layer(n)).flat(),
  ];
}

/** A file of 13 GB that takes no room on the disk: after the header there is a hole of zeros. */
function writeSparse(file: string): void {
  let end = 0;
  const header = tensorShapes().map(([name, shape]) => {
    const start = end;
    end += shape.reduce((product, side) => product * side, BFLOAT16_BYTES);
    return [name, { dtype: "BF16", shape, data_offsets: [start, end] }];
  });
  const text = Buffer.from(JSON.stringify(Object.fromEntries(header)));
  const length = Buffer.alloc(8);
  length.writeBigUInt64LE(BigInt(text.length));
  const handle = openSync(file, "w");
  try {
    writeSync(handle, length);
    writeSync(handle, text);
    ftruncateSync(handle, 8 + text.length + end);
  } finally {
    closeSync(handle);
  }
}

beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), "posenc-large-"));
  writeSparse(path.join(folder, "model.safetensors"));
  const config = {
    model_type: "llama",
    hidden_size: HIDDEN,
    intermediate_size: INNER,
    num_hidden_layers: LAYERS,
    num_attention_heads: 32,
    vocab_size: VOCABULARY,
  };
  writeFileSync(path.join(folder, "config.json"), JSON.stringify(config));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test(
  "the second layer of a model of 7 billion weights is computed in less than 600 MB",
  async () => {
    const args = ["attention", folder, "--ids", "1,2,3,4", "--layer", "1", "--head", "0", "--json"];
    const { exitCode, stdout, stderr, megabytes } = await runCli(args, undefined, KILL_AFTER_MS);
    expect([exitCode, stderr]).toEqual([0, ""]);
    // Weights of zero give equal logits.
    expect(JSON.parse(stdout).layers[0].attention[0][3]).toEqual([0.25, 0.25, 0.25, 0.25]);
    expect(megabytes).toBeLessThan(600);
  },
  KILL_AFTER_MS,
);
