import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { URI } from "vscode-uri";
import { findLearnedArrays, readLearnedArrays } from "../../../../src/core/checkpoint/learnedArrays.ts";
import { memoryReader, type RangeReader } from "../../../../src/core/checkpoint/rangeReader.ts";
import { readSafetensorsHeader } from "../../../../src/core/checkpoint/safetensors.ts";
import { readTensorValues } from "../../../../src/core/checkpoint/tensorValues.ts";
import { requireParams } from "../../../../src/core/encodings/support/schema.ts";
import { initialPanelState, type PanelState } from "../../../../src/core/protocol/state.ts";
import type { EncodingId } from "../../../../src/core/spec.ts";
import { termMatrix } from "../../../../src/core/terms/engine.ts";
import { pickWeights, readWeights } from "../../../../src/host/features/previewPanel/learnedWeights.ts";
import { addWeights, NO_CHECKPOINT_DATA } from "../../../../webview/state/checkpointData.ts";
import { derivePanelEncoding } from "../../../../webview/state/panelEncoding.ts";
import { stub } from "../../stub/vscode.ts";
import { knownEncoding } from "../../support/knownEncoding.ts";
import { type StoredTensor, safetensorsFile, storedFloat32 } from "../../support/safetensorsFile.ts";

async function valuesOf(tensor: StoredTensor, change: (file: RangeReader) => RangeReader = (file) => file) {
  const file = change(memoryReader(safetensorsFile({ other: storedFloat32([1], [7]), t: tensor })));
  const info = (await readSafetensorsHeader(file)).tensors.find(({ name }) => name === "t");
  if (info === undefined) throw new Error("no tensor");
  return [...(await readTensorValues(file, info))];
}

describe("numbers of a tensor", () => {
  it("are read in the four weight formats", async () => {
    const numbers = [1, -2.5, 0.15625, 0];
    const f64 = new Uint8Array(Float64Array.from(numbers).buffer);
    expect(await valuesOf({ dtype: "F64", shape: [2, 2], bytes: f64 })).toEqual(numbers);
    expect(await valuesOf(storedFloat32([4], numbers))).toEqual(numbers);
    const words = (values: readonly number[]) => new Uint8Array(Uint16Array.from(values).buffer);
    expect(await valuesOf({ dtype: "BF16", shape: [4], bytes: words([0x3f80, 0xc020, 0x3e20, 0]) })).toEqual(numbers);
    const half = words([0x3c00, 0xc100, 0x3100, 0x8000, 0x0001, 0x7bff, 0xfc00]);
    expect(await valuesOf({ dtype: "F16", shape: [7], bytes: half })).toEqual([
      1,
      -2.5,
      0.15625,
      -0,
      2 ** -24,
      65504,
      Number.NEGATIVE_INFINITY,
    ]);
  });

  it("may arrive in pieces that end inside a number", async () => {
    const numbers = Array.from({ length: 100 }, (_, n) => n / 4);
    const inBits = (file: RangeReader): RangeReader => ({
      size: file.size,
      read: (offset, length) => file.read(offset, offset > 200 ? Math.min(length, 7) : length),
    });
    expect(await valuesOf(storedFloat32([100], numbers), inBits)).toEqual(numbers);
  });

  it("are refused if the file is too short, the shape is wrong or the type is unsupported", async () => {
    const cut = (file: RangeReader): RangeReader => ({
      size: file.size,
      read: (offset, length) => file.read(offset, offset > 100 ? 0 : length),
    });
    await expect(valuesOf(storedFloat32([2], [1, 2]), cut)).rejects.toThrow(/unexpected end of file/);
    await expect(valuesOf(storedFloat32([3], [1, 2]))).rejects.toThrow(/size of t does not match its shape/);
    const bytes = new Uint8Array(4);
    await expect(valuesOf({ dtype: "I8", shape: [4], bytes })).rejects.toThrow(/unsupported type I8/);
  });
});

describe("learned arrays of an encoding", () => {
  const tensors = [
    { name: "transformer.wpe.weight", shape: [64, 24], type: "F32", offset: 0, length: 6144 },
    {
      name: "encoder.block.0.layer.0.SelfAttention.relative_attention_bias.weight",
      shape: [32, 6],
      type: "BF16",
      offset: 0,
      length: 384,
    },
    { name: "h.0.attn.c_attn.weight", shape: [24, 72], type: "F32", offset: 0, length: 6912 },
    { name: "vit.embeddings.position_embeddings", shape: [1, 197, 24], type: "I64", offset: 0, length: 0 },
  ];
  const paramsOf = (id: string) => {
    const encoding = knownEncoding(id);
    return requireParams(encoding, {});
  };

  it("are found by name and shape, and set the parameters that follow from them", () => {
    expect(findLearnedArrays("learned_absolute", paramsOf("learned_absolute"), tensors)).toEqual([
      {
        tensor: tensors[0],
        arrays: [{ input: "position_embeddings", tensor: tensors[0], shape: [64, 24] }],
        params: { hidden_size: 24, max_position_embeddings: 64 },
      },
    ]);
    expect(findLearnedArrays("t5_bias", paramsOf("t5_bias"), tensors)).toMatchObject([
      { arrays: [{ input: "relative_attention_bias" }], params: { num_buckets: 32, num_heads: 6 } },
    ]);
    expect(findLearnedArrays("rope", paramsOf("rope"), tensors)).toEqual([]);
  });
});

describe("the reader of learned arrays", () => {
  const numbers = (count: number, seed: number) =>
    Array.from({ length: count }, (_, n) => Math.fround(Math.sin(n * seed + seed)));
  const identity = (side: number, factor: number) =>
    Array.from({ length: side * side }, (_, n) => (n % (side + 1) === 0 ? factor : 0));
  const sum = (values: readonly number[]) => values.reduce((all, value) => all + value, 0);

  /** Values of a term, its scale in them, with content of ones. */
  async function termOf(
    encoding: EncodingId,
    tensors: Readonly<Record<string, StoredTensor>>,
    id: string,
    given: Partial<PanelState> = {},
  ) {
    const file = memoryReader(safetensorsFile(tensors));
    const params = derivePanelEncoding({ ...initialPanelState(encoding), ...given }, null)?.params ?? {};
    const [found] = findLearnedArrays(encoding, params, (await readSafetensorsHeader(file)).tensors);
    if (found === undefined) throw new Error("nothing was found");
    const weights = { encoding, uri: "memory:/w/model.safetensors", tensor: found.tensor.name };
    const arrays = await readLearnedArrays(file, found, () => undefined);
    const data = addWeights(NO_CHECKPOINT_DATA, weights, "model.safetensors", arrays);
    const changes = { ...given.changes, ...found.params } as PanelState["changes"];
    const state = { ...initialPanelState(encoding), keyLength: 4, queryLength: 4, ...given, changes, weights };
    const model = derivePanelEncoding(state, null, data);
    const attention = model?.resolved?.attention;
    const term = attention?.terms.find((candidate) => candidate.id === id);
    if (attention === undefined || term === undefined) throw new Error(JSON.stringify(model?.problems ?? null));
    return (i: number, j: number) => (termMatrix(attention, term, [i], [j])[0] ?? Number.NaN) * term.scale;
  }

  it("reads one row per offset from Swin, rows first, and three more from BEiT for the class token", async () => {
    const swin = numbers(9 * 2, 0.7);
    const name = "swin.encoder.layers.0.blocks.0.attention.self.relative_position_bias_table";
    const bias = await termOf("swin_bias", { [name]: storedFloat32([9, 2], swin) }, "bias", { head: 1 });
    // (0, 1) − (1, 0) is (−1, 1): row 0 of three, column 2.
    expect(bias(1, 2)).toBe(swin[2 * 2 + 1]);
    const beit = numbers(12 * 2, 1.1);
    const table = { "beit.relative_position_bias_table": storedFloat32([12, 2], beit) };
    const withClass = await termOf("swin_bias", table, "bias", { keyLength: 5, queryLength: 5 });
    expect([withClass(0, 0), withClass(0, 3), withClass(3, 0)]).toEqual([beit[11 * 2], beit[9 * 2], beit[10 * 2]]);
    expect(withClass(2, 3)).toBe(beit[2 * 2]);
  });

  it("reads distances j − i from −left in Wav2Vec2-BERT, and i − j from 1 − n in BERT", async () => {
    const values = numbers(4 * 2, 0.9);
    const changes = { left_max_position_embeddings: 2, right_max_position_embeddings: 1 };
    const name = "wav2vec2_bert.encoder.layers.0.self_attn.distance_embedding.weight";
    const later = await termOf("shaw", { [name]: storedFloat32([4, 2], values) }, "content_position", { changes });
    const row = (n: number) => sum(values.slice(2 * n, 2 * n + 2)) / Math.SQRT2;
    expect([later(0, 3), later(1, 1), later(2, 1), later(3, 0)]).toEqual(
      [3, 2, 1, 0].map((n) => expect.closeTo(row(n), 12)),
    );
    const five = numbers(5 * 2, 1.9);
    const bert = { "bert.encoder.layer.0.attention.self.distance_embedding.weight": storedFloat32([5, 2], five) };
    const earlier = await termOf("shaw", bert, "content_position");
    const own = (n: number) => expect.closeTo(sum(five.slice(2 * n, 2 * n + 2)) / Math.SQRT2, 12);
    expect([earlier(2, 1), earlier(1, 2), earlier(2, 2)]).toEqual([own(3), own(1), own(2)]);
  });

  it("normalises DeBERTa-v3's rows and projects them like keys, or with separate projections", async () => {
    const rows = numbers(4 * 64, 0.3);
    const [weight, shift] = [numbers(64, 0.8), numbers(64, 1.4)];
    const at = "deberta.encoder.";
    const shared = {
      [`${at}rel_embeddings.weight`]: storedFloat32([4, 64], rows),
      [`${at}LayerNorm.weight`]: storedFloat32([64], weight),
      [`${at}LayerNorm.bias`]: storedFloat32([64], shift),
      [`${at}layer.0.attention.self.query_proj.weight`]: storedFloat32([64, 64], identity(64, 1)),
      [`${at}layer.0.attention.self.key_proj.weight`]: storedFloat32([64, 64], identity(64, 2)),
      [`${at}layer.0.attention.self.key_proj.bias`]: storedFloat32([64], identity(8, 1)),
    };
    const changes = { max_relative_positions: 8 };
    const c2p = await termOf("deberta", shared, "content_position", { changes });
    // Distance 1 is row 1 + 2; three parts of 64 numbers.
    const x = rows.slice(3 * 64, 4 * 64);
    const mean = sum(x) / 64;
    const deviation = Math.sqrt(sum(x.map((value) => (value - mean) ** 2)) / 64 + 1e-7);
    const normed = x.map((value, n) => ((value - mean) / deviation) * (weight[n] ?? 0) + (shift[n] ?? 0));
    expect(c2p(2, 1)).toBeCloseTo((2 * sum(normed) + 8) / Math.sqrt(3 * 64), 10);
    const { [`${at}LayerNorm.weight`]: _w, [`${at}LayerNorm.bias`]: _b, ...plain } = shared;
    const own = {
      ...plain,
      [`${at}layer.0.attention.self.pos_key_proj.weight`]: storedFloat32([64, 64], identity(64, 3)),
    };
    const all = {
      ...own,
      [`${at}layer.0.attention.self.pos_query_proj.weight`]: storedFloat32([64, 64], identity(64, 5)),
    };
    expect((await termOf("deberta", all, "content_position", { changes }))(2, 1)).toBeCloseTo(
      (3 * sum(x)) / Math.sqrt(3 * 64),
      10,
    );
  });

  it("reads SAM's row and column vectors as query minus key, unscaled", async () => {
    const [down, across] = [numbers(3 * 2, 0.5), numbers(5 * 2, 1.5)];
    const tensors = {
      "vision_encoder.layers.0.attn.rel_pos_h": storedFloat32([3, 2], down),
      "vision_encoder.layers.0.attn.rel_pos_w": storedFloat32([5, 2], across),
    };
    const six = { keyLength: 6, queryLength: 6 };
    const columns = await termOf("decomposed_rel_pos", tensors, "columns", six);
    const rows = await termOf("decomposed_rel_pos", tensors, "rows", six);
    // (1, 0) − (0, 2): one row further down, two columns to the left.
    expect(rows(3, 2)).toBeCloseTo(sum(down.slice(4, 6)), 12);
    expect(columns(3, 2)).toBeCloseTo(sum(across.slice(0, 2)), 12);
  });

  it("reads Swin-V2's offset network and one temperature per head", async () => {
    const at = "swinv2.encoder.layers.0.blocks.0.attention.self.";
    const tensors = {
      [`${at}continuous_position_bias_mlp.0.weight`]: storedFloat32([2, 2], [1, 0, 0, 1]),
      [`${at}continuous_position_bias_mlp.0.bias`]: storedFloat32([2], [0.5, -0.25]),
      [`${at}continuous_position_bias_mlp.2.weight`]: storedFloat32([2, 2], [9, 9, 0.75, 2]),
      [`${at}logit_scale`]: storedFloat32([2, 1, 1], [0, 1.5]),
    };
    const bias = await termOf("swinv2_cpb", tensors, "bias", { head: 1 });
    expect(bias(2, 2)).toBeCloseTo(16 / (1 + Math.exp(-0.75 * 0.5)), 12);
    expect((await termOf("swinv2_cpb", tensors, "content", { head: 1 }))(1, 0)).toBeCloseTo(Math.exp(1.5), 12);
  });

  it("reads XLNet's W_r by model dimension, head and head dimension, with u and v", async () => {
    const [r, u, v] = [numbers(4 * 2 * 2, 0.4), numbers(4, 1.2), numbers(4, 2.2)];
    const at = "transformer.layer.0.rel_attn.";
    const tensors = {
      [`${at}r`]: storedFloat32([4, 2, 2], r),
      [`${at}r_w_bias`]: storedFloat32([2, 2], u),
      [`${at}r_r_bias`]: storedFloat32([2, 2], v),
    };
    const bias = await termOf("transformer_xl", tensors, "position_position", { head: 1 });
    const wave = [Math.sin(1), Math.sin(0.01), Math.cos(1), Math.cos(0.01)];
    const projected = [0, 1].map((c) => sum(wave.map((value, m) => value * (r[m * 4 + 2 + c] ?? 0))));
    expect(bias(2, 1)).toBeCloseTo(
      ((v[2] ?? 0) * (projected[0] ?? 0) + (v[3] ?? 0) * (projected[1] ?? 0)) / Math.SQRT2,
      12,
    );
    const key = await termOf("transformer_xl", tensors, "position_content", { head: 1 });
    expect(key(2, 1)).toBeCloseTo(((u[2] ?? 0) + (u[3] ?? 0)) / Math.SQRT2, 12);
  });

  it("refuses an array of a wrong shape or without the arrays that belong to it", async () => {
    const infoOf = (name: string, shape: readonly number[]) => ({ name, shape, type: "F32", offset: 0, length: 0 });
    const none = (encoding: EncodingId, ...tensors: ReturnType<typeof infoOf>[]) =>
      expect(
        findLearnedArrays(encoding, derivePanelEncoding(initialPanelState(encoding), null)?.params ?? {}, tensors),
      ).toEqual([]);
    none("swin_bias", infoOf("relative_position_bias_table", [10, 2]));
    none("decomposed_rel_pos", infoOf("attn.rel_pos_h", [3, 2]));
    none("swinv2_cpb", infoOf("attn.cpb_mlp.0.weight", [8, 2]));
    none("deberta", infoOf("deberta.encoder.rel_embeddings.weight", [512, 768]));
    none("transformer_xl", infoOf("layer.0.rel_attn.r", [4, 2, 2]));
    none("shaw", infoOf("encoder.layer.0.attention.self.distance_embedding.weight", [4, 2]));
  });
});

describe("learned arrays from a checkpoint of the workspace", () => {
  const file = URI.parse("memory:/workspace/t5/model.safetensors");
  const bias = Array.from({ length: 8 * 2 }, (_, n) => n / 8 - 1);
  const tensor = "decoder.block.0.layer.0.SelfAttention.relative_attention_bias.weight";

  beforeEach(() => {
    stub.reset();
    stub.files.set(file.toString(), safetensorsFile({ [tensor]: storedFloat32([8, 2], bias) }));
    stub.found.push(file);
    stub.pick = (items) => items[0];
  });
  afterEach(() => stub.reset());

  const params = { num_heads: 8, head_dim: 64, num_buckets: 32 };

  it("are read from the file that the user selects", async () => {
    const { picked } = await pickWeights({ encoding: "t5_bias", params });
    expect(picked).toEqual({ uri: file.toString(), tensor, params: { num_buckets: 8, num_heads: 2 } });
    const read = await readWeights({ encoding: "t5_bias", uri: file.toString(), tensor, params });
    expect(read).toMatchObject({
      arrays: [{ input: "relative_attention_bias", shape: [8, 2] }],
      title: `t5/model.safetensors: ${tensor}`,
    });
    expect([...(read.arrays[0]?.values ?? [])]).toEqual(bias);
    expect(stub.progress).toContain("100 %");
  });

  it("are not read if the user cancels, and a message reports a file without any", async () => {
    await expect(pickWeights({ encoding: "learned_absolute", params })).rejects.toThrow(/no table for this encoding/);
    stub.pick = () => undefined;
    expect(await pickWeights({ encoding: "t5_bias", params })).toEqual({ picked: null });
    stub.found.splice(0);
    await expect(pickWeights({ encoding: "t5_bias", params })).rejects.toThrow(/No \.safetensors file found/);
  });

  it("are refused for a file outside the workspace, whatever the state contains", async () => {
    for (const uri of ["memory:/etc/model.safetensors", "memory:/workspace/t5/secret.txt"])
      await expect(readWeights({ encoding: "t5_bias", uri, tensor, params })).rejects.toThrow(
        /Not a checkpoint in this workspace/,
      );
  });

  it("replace the example values in the panel", () => {
    const weights = { encoding: "t5_bias", uri: file.toString(), tensor };
    const changes = { num_buckets: 8, num_heads: 2, max_distance: 16 };
    const state: PanelState = { ...initialPanelState("t5_bias"), changes, head: 1 };
    const array = { input: "relative_attention_bias", shape: [8, 2], values: bias };
    const data = addWeights(NO_CHECKPOINT_DATA, weights, "model.safetensors", [array]);
    const biasAt = (panel: PanelState, i: number, j: number) => {
      const term = derivePanelEncoding(panel, null, data)?.resolved?.attention.terms.find(({ id }) => id === "bias");
      return term?.kind === "bias" ? term.value(i, j) : Number.NaN;
    };
    // Bucket 0 is the query itself; bucket 1 the key before it. Head 1 is the second column.
    expect(biasAt({ ...state, weights }, 5, 5)).toBe(bias[1]);
    expect(biasAt({ ...state, weights }, 5, 4)).toBe(bias[3]);
    expect(biasAt(state, 5, 5)).not.toBe(bias[1]);
    // Another encoding does not use them.
    expect(derivePanelEncoding({ ...initialPanelState("alibi"), weights }, null, data)?.resolved?.scene.inputs).toEqual(
      {},
    );
  });
});
