// Runs in a process of its own: forward passes of a random checkpoint of GPT-2 small's shape, with its weights loaded,
// in processor time without that of other programs (the backend has one thread).
import { memoryReader } from "../../../src/core/checkpoint/rangeReader.ts";
import { startWasm } from "../../../src/model/backend/wasm.ts";
import { LoadedModel } from "../../../src/model/loadedModel.ts";
import { type StoredTensor, safetensorsFile, storedFloat32 } from "../../unit/support/safetensorsFile.ts";

const HIDDEN = 768;
const LAYERS = 12;
const HEADS = 12;
const VOCABULARY = 1000;
const POSITIONS = 1024;
const TOKENS = 128;
const RUNS = 5;

const [, wasm = ""] = process.argv.slice(2);

let seed = 1;

/** A small random number, the same in every run (Lehmer's generator). */
function nextWeight(): number {
  seed = (seed * 16_807) % 2_147_483_647;
  return (seed / 2_147_483_647 - 0.5) * 0.06;
}

function matrix(...shape: readonly number[]): StoredTensor {
  return storedFloat32(shape, Array.from({ length: shape.reduce((product, side) => product * side, 1) }, nextWeight));
}

function layerTensors(layer: number): [string, StoredTensor][] {
  const prefix = `h.${layer}`;
  const linear = (name: string, inputs: number, outputs: number): [string, StoredTensor][] => [
    [`${prefix}.${name}.weight`, matrix(inputs, outputs)],
    [`${prefix}.${name}.bias`, matrix(outputs)],
  ];
  const norm = (name: string): [string, StoredTensor][] => [
    [`${prefix}.${name}.weight`, matrix(HIDDEN)],
    [`${prefix}.${name}.bias`, matrix(HIDDEN)],
  ];
  return [
    ...norm("ln_1"),
    ...linear("attn.c_attn", HIDDEN, 3 * HIDDEN),
    ...linear("attn.c_proj", HIDDEN, HIDDEN),
    ...norm("ln_2"),
    ...linear("mlp.c_fc", HIDDEN, 4 * HIDDEN),
    ...linear("mlp.c_proj", 4 * HIDDEN, HIDDEN),
  ];
}

const config = { model_type: "gpt2", n_embd: HIDDEN, n_head: HEADS, n_layer: LAYERS, n_positions: POSITIONS };
const files = new Map([
  ["config.json", new TextEncoder().encode(JSON.stringify({ ...config, vocab_size: VOCABULARY }))],
  [
    "model.safetensors",
    safetensorsFile(
      Object.fromEntries([
        ["wte.weight", matrix(VOCABULARY, HIDDEN)],
        ["wpe.weight", matrix(POSITIONS, HIDDEN)],
        ...Array.from({ length: LAYERS }, (_, n) => layerTensors(n)).flat(),
      ]),
    ),
  ],
]);
const folder = {
  list: () => Promise.resolve([...files.keys()]),
  open: (name: string) =>
    Promise.resolve({ reader: memoryReader(files.get(name) ?? new Uint8Array()), close: () => Promise.resolve() }),
};

/** Processor time of this process, in milliseconds. */
function now(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

async function main(): Promise<void> {
  await startWasm(wasm);
  const model = await LoadedModel.open(folder, 2 ** 30);
  const ids = Array.from({ length: TOKENS }, (_, n) => (n * 7) % VOCABULARY);
  const times: { first: number; whole: number }[] = [];
  for (let run = 0; run <= RUNS; run++) {
    const began = now();
    let first = 0;
    for await (const { layer } of model.run({ ids, wants: () => true, arrays: ["attention"] }))
      if (layer === 0) first = now() - began;
    // The first run loads the weights.
    if (run > 0) times.push({ first, whole: now() - began });
  }
  await model.close();
  process.stdout.write(JSON.stringify(times));
}

void main();
