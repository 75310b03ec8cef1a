import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { URI } from "vscode-uri";
import {
  type NormSettings,
  readContentRows,
  readNormSettings,
} from "../../../../src/core/checkpoint/contentTensors.ts";
import { memoryReader } from "../../../../src/core/checkpoint/rangeReader.ts";
import { readSafetensorsHeader } from "../../../../src/core/checkpoint/safetensors.ts";
import { buildLinkQuery, readLinkQuery } from "../../../../src/core/protocol/link.ts";
import { initialPanelState } from "../../../../src/core/protocol/state.ts";
import { logitMatrix } from "../../../../src/core/terms/engine.ts";
import { pickContent, readContent } from "../../../../src/host/features/previewPanel/checkpointContent.ts";
import { addRows, NO_CHECKPOINT_DATA } from "../../../../webview/state/checkpointData.ts";
import { derivePanelEncoding } from "../../../../webview/state/panelEncoding.ts";
import { stub } from "../../stub/vscode.ts";
import { type StoredTensor, safetensorsFile, storedFloat32 } from "../../support/safetensorsFile.ts";

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
  "model.layers.0.post_attention_layernorm.weight": storedFloat32([HIDDEN], NORM),
  "model.layers.1.self_attn.q_proj.weight": storedFloat32([1], [0]),
};

const row = (values: readonly number[], n: number, width = HIDDEN) => values.slice(n * width, (n + 1) * width);
const dot = (a: readonly number[], b: readonly number[]) => a.reduce((sum, x, n) => sum + x * (b[n] ?? 0), 0);

/** RMSNorm, W and bias of one token, computed by hand. */
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
  norms: NormSettings = {},
) {
  const reader = memoryReader(safetensorsFile(tensors));
  const known = new Map((await readSafetensorsHeader(reader)).tensors.map((info) => [info.name, info]));
  const find = async (name: string) => {
    const info = known.get(name);
    return info === undefined ? undefined : { info, reader };
  };
  return readContentRows([...known.keys()], find, { ids, head, headDim, norms });
}

function expectClose(actual: Float64Array, expected: readonly number[]): void {
  expect(actual).toHaveLength(expected.length);
  expected.forEach((value, n) => {
    expect(actual[n]).toBeCloseTo(value, 12);
  });
}

describe("queries and keys of a checkpoint's first layer", () => {
  it("pass through the layer's norm and projections, with keys shared by heads", async () => {
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

  it("are read from GPT-2's fused matrix, which stores them as columns", async () => {
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

  /** W·x for rows of a matrix that begin at `from`, without a norm. */
  const project = (weight: readonly number[], from: number, x: readonly number[]) =>
    Array.from({ length: DIM }, (_, n) => dot(row(weight, from + n), x));
  const embedded = { "transformer.word_embeddings.weight": storedFloat32([VOCABULARY, HIDDEN], EMBEDDING) };

  it.each([
    // name, rows, [head, first row of q, first row of k]: three heads of two numbers.
    ["gpt_neox.layers.0.attention.query_key_value.weight", 18, [1, 6, 8]],
    ["transformer.h.0.self_attention.query_key_value.weight", 18, [2, 12, 14]],
    // Falcon-7B: three queries, one key, one value; Falcon-40B by group is the same formula.
    ["transformer.h.0.self_attention.query_key_value.weight", 10, [2, 4, 6]],
    ["model.layers.0.self_attn.qkv_proj.weight", 18, [1, 2, 8]],
    ["model.layers.0.self_attn.W_pack.weight", 18, [2, 4, 10]],
    ["transformer.encoder.layers.0.self_attention.query_key_value.weight", 10, [2, 4, 6]],
    ["transformer.h.0.attn.c_attn.weight", 10, [1, 2, 6]],
    ["model.layers.0.attention.wqkv.weight", 18, [1, 6, 8]],
    ["transformer.blocks.0.attn.Wqkv.weight", 18, [2, 4, 10]],
  ] as const)("are read from %s with %i rows", async (name, rows, [head, q, k]) => {
    const weight = numbers(rows * HIDDEN, 1.7);
    const found = await rowsIn({ ...embedded, [name]: storedFloat32([rows, HIDDEN], weight) }, head, [4]);
    const x = row(EMBEDDING, 4);
    expectClose(found.q, project(weight, q, x));
    expectClose(found.k, project(weight, k, x));
  });

  it("are read by groups of heads in Falcon-40B and by cores in CodeGen", async () => {
    const wide = 8;
    const [table, grouped, cores] = [numbers(wide, 1.3), numbers(16 * wide, 0.6), numbers(24 * wide, 0.8)];
    const at = (weight: readonly number[], n: number) => dot(row(weight, n, wide), table);
    const embedding = { "transformer.wte.weight": storedFloat32([1, wide], table) };
    const falcon = "transformer.h.0.self_attention.query_key_value.weight";
    // Four heads of queries, two of keys: q0 q1 k v, q2 q3 k v.
    const found = await rowsIn({ ...embedding, [falcon]: storedFloat32([16, wide], grouped) }, 3, [0]);
    expectClose(found.q, [at(grouped, 10), at(grouped, 11)]);
    expectClose(found.k, [at(grouped, 12), at(grouped, 13)]);
    const codegen = { ...embedding, "transformer.h.0.attn.qkv_proj.weight": storedFloat32([24, wide], cores) };
    // One head on each of four cores: q, v, k.
    const other = await rowsIn(codegen, 2, [0]);
    expectClose(other.q, [at(cores, 12), at(cores, 13)]);
    expectClose(other.k, [at(cores, 16), at(cores, 17)]);
  });

  it("are read by head from a c_attn whose norms have biases, and in blocks when they have none", async () => {
    const weight = numbers(18 * HIDDEN, 1.7);
    const qwen = {
      "transformer.wte.weight": storedFloat32([VOCABULARY, HIDDEN], EMBEDDING),
      "transformer.h.0.ln_1.weight": storedFloat32([HIDDEN], NORM),
      "transformer.h.0.attn.c_attn.weight": storedFloat32([18, HIDDEN], weight),
    };
    const x = row(EMBEDDING, 2);
    const scale = 1 / Math.sqrt(dot(x, x) / HIDDEN + 1e-6);
    const normed = x.map((value, n) => value * scale * (NORM[n] ?? 0));
    expectClose((await rowsIn(qwen, 1, [2])).k, project(weight, 8, normed));
    const starcoder = { ...qwen, "transformer.h.0.ln_1.bias": storedFloat32([HIDDEN], B_LN) };
    expectClose((await rowsIn(starcoder, 1, [2])).k, project(weight, 8, layerNormed(x)));
    expectClose((await rowsIn(starcoder, 2, [2])).q, project(weight, 12, layerNormed(x)));
  });

  const B_LN = numbers(HIDDEN, 2.9);
  function layerNormed(x: readonly number[], bias: readonly number[] = B_LN): number[] {
    const mean = x.reduce((sum, value) => sum + value, 0) / HIDDEN;
    const variance = x.reduce((sum, value) => sum + (value - mean) ** 2, 0) / HIDDEN;
    return x.map((value, n) => ((value - mean) / Math.sqrt(variance + 1e-5)) * (NORM[n] ?? 0) + (bias[n] ?? 0));
  }

  it("pass through norms of their own, per head (Qwen3) or over all heads (OLMo 2)", async () => {
    const own = [0.5, 2];
    const prefix = "model.layers.0.self_attn.";
    const { q } = await rowsIn({ ...LLAMA, [`${prefix}q_norm.weight`]: storedFloat32([DIM], own) }, 3, [1]);
    const plain = byHand(1, W_Q, 3 * DIM);
    const size = Math.sqrt(dot(plain, plain) / DIM + 1e-6);
    expectClose(
      q,
      plain.map((value, n) => (value / size) * (own[n] ?? 0)),
    );
    const side = numbers(4, 1.6);
    const { k } = await rowsIn({ ...LLAMA, [`${prefix}k_norm.weight`]: storedFloat32([4], side) }, 3, [1]);
    const all = [...byHand(1, W_K, 0, B_K), ...byHand(1, W_K, DIM, B_K)];
    const whole = Math.sqrt(dot(all, all) / 4 + 1e-6);
    expectClose(
      k,
      [2, 3].map((n) => ((all[n] ?? 0) / whole) * (side[n] ?? 0)),
    );
    const odd = { ...LLAMA, [`${prefix}q_norm.weight`]: storedFloat32([3], [1, 1, 1]) };
    await expect(rowsIn(odd, 0, [1])).rejects.toThrow(/unsupported norm \(.*q_proj.weight\)/);
    const later = { ...LLAMA, [`${prefix}query_layernorm.weight`]: storedFloat32([DIM], own) };
    await expect(rowsIn(later, 0, [1])).rejects.toThrow(/unsupported norm \(.*query_layernorm.weight\)/);
  });

  it("use the norm that the config implies: Gemma adds one, OLMo has a plain LayerNorm, and the config gives epsilon", async () => {
    const x = row(EMBEDDING, 1);
    const { q } = await rowsIn(LLAMA, 0, [1], DIM, { weights: "minus_one", eps: 0.25 });
    const scale = 1 / Math.sqrt(dot(x, x) / HIDDEN + 0.25);
    expectClose(
      q,
      project(
        W_Q,
        0,
        x.map((value, n) => value * scale * (1 + (NORM[n] ?? 0))),
      ),
    );
    const { "model.layers.0.input_layernorm.weight": _norm, ...olmo } = LLAMA;
    const plain = await rowsIn(olmo, 0, [1], DIM, { weights: "absent" });
    const mean = x.reduce((sum, value) => sum + value, 0) / HIDDEN;
    const deviation = Math.sqrt(x.reduce((sum, value) => sum + (value - mean) ** 2, 0) / HIDDEN + 1e-5);
    expectClose(
      plain.q,
      project(
        W_Q,
        0,
        x.map((value) => (value - mean) / deviation),
      ),
    );
    expect(
      readNormSettings({ model_type: "gemma3", text_config: { model_type: "gemma3_text", rms_norm_eps: 1e-6 } }),
    ).toEqual({
      weights: "minus_one",
      eps: 1e-6,
    });
    expect([readNormSettings([]), readNormSettings({ model_type: 3, norm_eps: "x" })]).toEqual([{}, {}]);
  });

  it("lose their mean where attention and MLP share a norm without a bias (Cohere), and use BLOOM's embedding norm", async () => {
    const { "model.layers.0.post_attention_layernorm.weight": _post, ...cohere } = LLAMA;
    expectClose((await rowsIn(cohere, 0, [1])).q, project(W_Q, 0, layerNormed(row(EMBEDDING, 1), [])));
    const weight = numbers(18 * HIDDEN, 1.7);
    const bloom = {
      "word_embeddings.weight": storedFloat32([VOCABULARY, HIDDEN], EMBEDDING),
      "word_embeddings_layernorm.weight": storedFloat32([HIDDEN], NORM),
      "word_embeddings_layernorm.bias": storedFloat32([HIDDEN], B_LN),
      "h.0.self_attention.query_key_value.weight": storedFloat32([18, HIDDEN], weight),
    };
    expectClose((await rowsIn(bloom, 1, [3])).q, project(weight, 6, layerNormed(row(EMBEDDING, 3))));
  });

  it("are not guessed when their order in the fused matrix is unknown", async () => {
    const name = "transformer.layers.0.attn.qkv_proj.weight";
    const openElm = { ...embedded, [name]: storedFloat32([18, HIDDEN], numbers(18 * HIDDEN, 1)) };
    await expect(rowsIn(openElm, 0, [0])).rejects.toThrow(/is a fused QKV tensor with an unknown layout/);
    const heads = {
      ...embedded,
      "h.0.self_attention.query_key_value.weight": storedFloat32([16, HIDDEN], numbers(96, 1)),
    };
    await expect(rowsIn(heads, 0, [0])).rejects.toThrow(/does not contain head 0 \(head_dim 2\)/);
    await expect(rowsIn(heads, 0, [0], 5)).rejects.toThrow(/does not contain head 0 \(head_dim 5\)/);
  });

  it("are refused for a token, a head or a model that does not exist", async () => {
    await expect(rowsIn(LLAMA, 0, [VOCABULARY])).rejects.toThrow(/token 5 is out of range: the vocabulary has 5/);
    await expect(rowsIn(LLAMA, 4, [0])).rejects.toThrow(/does not contain head 4 \(head_dim 2\)/);
    await expect(rowsIn({ "conv.weight": storedFloat32([1], [1]) }, 0, [0])).rejects.toThrow(
      /no supported embedding with W_Q/,
    );
  });
});

describe("content from a checkpoint of the workspace", () => {
  const at = (name: string) => URI.parse(`memory:/workspace/m/${name}`);
  const index = at("model.safetensors.index.json");
  const shards = ["model-00001-of-00002.safetensors", "model-00002-of-00002.safetensors"] as const;

  function addShards(map: Readonly<Record<string, string>>): void {
    const entries = Object.entries(LLAMA);
    for (const shard of shards) {
      const own = Object.fromEntries(entries.filter(([name]) => map[name] === shard));
      stub.files.set(at(shard).toString(), safetensorsFile(own));
    }
    stub.files.set(index.toString(), new TextEncoder().encode(JSON.stringify({ weight_map: map })));
    stub.found.push(index, ...shards.map(at));
  }

  const map = Object.fromEntries(Object.keys(LLAMA).map((name, n) => [name, shards[n % 2] ?? ""]));

  beforeEach(() => stub.reset());
  afterEach(() => stub.reset());

  it("is selected through an index and read from its shards", async () => {
    addShards(map);
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

  it("is read with the config in the same folder", async () => {
    addShards(map);
    const ask = () => readContent({ uri: index.toString(), ids: [1], head: 0, headDim: DIM });
    const plain = await ask();
    stub.files.set(at("config.json").toString(), new TextEncoder().encode("{ cut off"));
    expect((await ask()).q).toEqual(plain.q);
    stub.files.set(at("config.json").toString(), new TextEncoder().encode('{"model_type": "gemma"}'));
    expect((await ask()).q).not.toEqual(plain.q);
  });

  it("is never read from another file or from a path outside the index's folder", async () => {
    addShards({ ...map, "model.embed_tokens.weight": "../../../etc/passwd" });
    const ask = (uri: string) => readContent({ uri, ids: [1], head: 0, headDim: DIM });
    await expect(ask(index.toString())).rejects.toThrow(/no supported embedding with W_Q/);
    await expect(ask("memory:/etc/model.safetensors")).rejects.toThrow(/Not a checkpoint in this workspace/);
    await expect(ask("memory:/workspace/m/notes.txt")).rejects.toThrow(/Not a checkpoint in this workspace/);
  });

  it("is drawn in the panel once it is read, and is not part of a link", () => {
    const checkpoint = { uri: index.toString(), ids: [1, 2] };
    const params = { head_dim: 2, num_heads: 2 };
    const state = { ...initialPanelState("none"), content: { checkpoint }, changes: params, head: 1 };
    const logits = (data = NO_CHECKPOINT_DATA) => {
      const attention = derivePanelEncoding(state, null, data)?.resolved?.attention;
      return attention === undefined ? [] : [...logitMatrix(attention, [0, 1], [0, 1])];
    };
    const [q, k] = [Float64Array.of(1, 2, 3, 4), Float64Array.of(5, 6, 7, 8)];
    const drawn = logits(addRows(NO_CHECKPOINT_DATA, { ...checkpoint, head: 1, headDim: 2 }, q, k));
    expect(drawn).not.toEqual(logits());
    const wanted = [17, 23, 39, 53].map((product) => product / Math.SQRT2);
    drawn.forEach((value, n) => {
      expect(value).toBeCloseTo(wanted[n] ?? 0, 12);
    });
    expect(readLinkQuery(buildLinkQuery(state))?.content).toBe("ones");
  });
});
