import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { URI } from "vscode-uri";
import { contentRows } from "../../src/core/checkpoint/contentTensors.ts";
import { memoryReader } from "../../src/core/checkpoint/rangeReader.ts";
import { readSafetensors } from "../../src/core/checkpoint/safetensors.ts";
import { linkQuery, readLinkQuery } from "../../src/core/protocol/link.ts";
import { initialPanelState } from "../../src/core/protocol/state.ts";
import { logitMatrix } from "../../src/core/terms/engine.ts";
import { pickContent, readContent } from "../../src/host/features/previewPanel/checkpointContent.ts";
import { modelOf } from "../../webview/state/model.ts";
import { keepRows } from "../../webview/state/ownRows.ts";
import { stub } from "./stub/vscode.ts";
import { type StoredTensor, safetensorsFile, storedFloat32 } from "./support/safetensorsFile.ts";

const numbers = (count: number, seed: number) =>
  Array.from({ length: count }, (_, n) => Math.fround(Math.sin(n * seed + seed)));

const HIDDEN = 6;
const DIM = 2;
const VOCABULARY = 5;

/** Four heads of queries, two of keys, as Llama names them. */
const EMBEDDING = numbers(VOCABULARY * HIDDEN, 1.3);
const NORM = numbers(HIDDEN, 0.7);
const W_Q = numbers(4 * DIM * HIDDEN, 2.1);
const W_K = numbers(2 * DIM * HIDDEN, 0.9);
const B_K = numbers(2 * DIM, 3.3);
const LLAMA = {
  "model.embed_tokens.weight": storedFloat32([VOCABULARY, HIDDEN], EMBEDDING),
  "model.layers.0.input_layernorm.weight": storedFloat32([HIDDEN], NORM),
  "model.layers.0.self_attn.q_proj.weight": storedFloat32([4 * DIM, HIDDEN], W_Q),
  "model.layers.0.self_attn.k_proj.weight": storedFloat32([2 * DIM, HIDDEN], W_K),
  "model.layers.0.self_attn.k_proj.bias": storedFloat32([2 * DIM], B_K),
  "model.layers.1.self_attn.q_proj.weight": storedFloat32([1], [0]),
};

const row = (values: readonly number[], n: number, width = HIDDEN) => values.slice(n * width, (n + 1) * width);
const dot = (a: readonly number[], b: readonly number[]) => a.reduce((sum, x, n) => sum + x * (b[n] ?? 0), 0);

/** RMSNorm, W and bias of one token, by hand. */
function byHand(id: number, weight: readonly number[], first: number, bias: readonly number[] = []): number[] {
  const x = row(EMBEDDING, id);
  const scale = 1 / Math.sqrt(dot(x, x) / HIDDEN + 1e-6);
  const normed = x.map((value, n) => value * scale * (NORM[n] ?? 0));
  return Array.from({ length: DIM }, (_, n) => dot(row(weight, first + n), normed) + (bias[first + n] ?? 0));
}

async function rowsIn(
  tensors: Readonly<Record<string, StoredTensor>>,
  head: number,
  ids: readonly number[],
  headDim = DIM,
) {
  const reader = memoryReader(safetensorsFile(tensors));
  const known = new Map((await readSafetensors(reader)).tensors.map((info) => [info.name, info]));
  const find = async (name: string) => {
    const info = known.get(name);
    return info === undefined ? undefined : { info, reader };
  };
  return contentRows([...known.keys()], find, { ids, head, headDim });
}

function expectClose(actual: Float64Array, expected: readonly number[]): void {
  expect(actual).toHaveLength(expected.length);
  expected.forEach((value, n) => {
    expect(actual[n]).toBeCloseTo(value, 12);
  });
}

describe("queries and keys of a checkpoint's first layer", () => {
  it("go through its norm and projections, with keys shared by heads", async () => {
    const ids = [3, 0, 3];
    const { q, k } = await rowsIn(LLAMA, 3, ids);
    expectClose(
      q,
      ids.flatMap((id) => byHand(id, W_Q, 3 * DIM)),
    );
    // Heads 2 and 3 of the queries share head 1 of the keys.
    expectClose(
      k,
      ids.flatMap((id) => byHand(id, W_K, DIM, B_K)),
    );
  });

  it("are found in GPT-2's one matrix of columns", async () => {
    const c = numbers(HIDDEN * 3 * HIDDEN, 1.7);
    const tensors = {
      "wte.weight": storedFloat32([VOCABULARY, HIDDEN], EMBEDDING),
      "h.0.attn.c_attn.weight": storedFloat32([HIDDEN, 3 * HIDDEN], c),
    };
    const { q, k } = await rowsIn(tensors, 1, [4]);
    const column = (n: number) => Array.from({ length: HIDDEN }, (_, r) => c[r * 3 * HIDDEN + n] ?? 0);
    const x = row(EMBEDDING, 4);
    expectClose(
      q,
      [DIM, DIM + 1].map((n) => dot(x, column(n))),
    );
    expectClose(
      k,
      [HIDDEN + DIM, HIDDEN + DIM + 1].map((n) => dot(x, column(n))),
    );
  });

  it("are refused for tokens, heads and models that are not there", async () => {
    await expect(rowsIn(LLAMA, 0, [VOCABULARY])).rejects.toThrow(/token 5 does not exist: the vocabulary has 5/);
    await expect(rowsIn(LLAMA, 4, [0])).rejects.toThrow(/head 4 of 2 numbers/);
    await expect(rowsIn({ "conv.weight": storedFloat32([1], [1]) }, 0, [0])).rejects.toThrow(/no embedding with W_Q/);
  });
});

describe("content from a checkpoint of the workspace", () => {
  const at = (name: string) => URI.parse(`memory:/workspace/m/${name}`);
  const index = at("model.safetensors.index.json");
  const shards = ["model-00001-of-00002.safetensors", "model-00002-of-00002.safetensors"] as const;

  function haveShards(map: Readonly<Record<string, string>>): void {
    const entries = Object.entries(LLAMA);
    for (const shard of shards) {
      const own = Object.fromEntries(entries.filter(([name]) => map[name] === shard));
      stub.files.set(at(shard).toString(), safetensorsFile(own));
    }
    stub.files.set(index.toString(), new TextEncoder().encode(JSON.stringify({ weight_map: map })));
    stub.found.push(index as never, ...(shards.map(at) as never[]));
  }

  const map = Object.fromEntries(Object.keys(LLAMA).map((name, n) => [name, shards[n % 2] ?? ""]));

  beforeEach(() => stub.reset());
  afterEach(() => stub.reset());

  it("is chosen by its index, and read from the pieces that hold it", async () => {
    haveShards(map);
    let offered: readonly unknown[] = [];
    stub.pick = (items) => {
      offered = items;
      return items[0];
    };
    expect(await pickContent()).toEqual({ uri: index.toString() });
    expect(offered).toHaveLength(1);
    const { q, title } = await readContent({ uri: index.toString(), ids: [1], head: 0, headDim: DIM });
    expectClose(q, byHand(1, W_Q, 0));
    expect(title).toBe("m/model.safetensors.index.json");
  });

  it("opens nothing outside: neither another file, nor one that an index leads to", async () => {
    haveShards({ ...map, "model.embed_tokens.weight": "../../../etc/passwd" });
    const ask = (uri: string) => readContent({ uri, ids: [1], head: 0, headDim: DIM });
    await expect(ask(index.toString())).rejects.toThrow(/no embedding with W_Q/);
    await expect(ask("memory:/etc/model.safetensors")).rejects.toThrow(/no checkpoint of the workspace/);
    await expect(ask("memory:/workspace/m/notes.txt")).rejects.toThrow(/no checkpoint of the workspace/);
  });

  it("is what the panel draws once it is read, and no link carries it", () => {
    const checkpoint = { uri: index.toString(), ids: [1, 2] };
    const params = { head_dim: 2, num_heads: 2 };
    const state = { ...initialPanelState("none"), content: { checkpoint }, changes: params, head: 1 };
    const logits = () => {
      const attention = modelOf(state, null)?.drawable?.attention;
      return attention === undefined ? [] : [...logitMatrix(attention, [0, 1], [0, 1])];
    };
    const before = logits();
    keepRows({ ...checkpoint, head: 1, headDim: 2 }, Float64Array.of(1, 2, 3, 4), Float64Array.of(5, 6, 7, 8));
    expect(logits()).not.toEqual(before);
    const wanted = [17, 23, 39, 53].map((product) => product / Math.SQRT2);
    logits().forEach((value, n) => {
      expect(value).toBeCloseTo(wanted[n] ?? 0, 12);
    });
    expect(readLinkQuery(linkQuery(state))?.content).toBe("ones");
  });
});
