import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { URI } from "vscode-uri";
import { learnedArrays } from "../../src/core/checkpoint/learnedArrays.ts";
import { memoryReader, type RangeReader } from "../../src/core/checkpoint/rangeReader.ts";
import { readSafetensors } from "../../src/core/checkpoint/safetensors.ts";
import { tensorValues } from "../../src/core/checkpoint/tensorValues.ts";
import { encodingById } from "../../src/core/encodings/index.ts";
import { requireParams } from "../../src/core/encodings/schema.ts";
import { initialPanelState, type PanelState } from "../../src/core/protocol/state.ts";
import { pickWeights, readWeights } from "../../src/host/features/previewPanel/weights.ts";
import { modelOf } from "../../webview/state/model.ts";
import { keepWeights } from "../../webview/state/weights.ts";
import { stub } from "./stub/vscode.ts";
import { type StoredTensor, safetensorsFile, storedFloat32 } from "./support/safetensorsFile.ts";

async function valuesOf(tensor: StoredTensor, change: (file: RangeReader) => RangeReader = (file) => file) {
  const file = change(memoryReader(safetensorsFile({ other: storedFloat32([1], [7]), t: tensor })));
  const info = (await readSafetensors(file)).tensors.find(({ name }) => name === "t");
  if (info === undefined) throw new Error("no tensor");
  return [...(await tensorValues(file, info))];
}

describe("numbers of a tensor", () => {
  it("are read in the four formats of weights", async () => {
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

  it("may come in pieces that end within a number", async () => {
    const numbers = Array.from({ length: 100 }, (_, n) => n / 4);
    const inBits = (file: RangeReader): RangeReader => ({
      size: file.size,
      read: (offset, length) => file.read(offset, offset > 200 ? Math.min(length, 7) : length),
    });
    expect(await valuesOf(storedFloat32([100], numbers), inBits)).toEqual(numbers);
  });

  it("are refused where the file ends too early, the shape lies, or the format has none", async () => {
    const cut = (file: RangeReader): RangeReader => ({
      size: file.size,
      read: (offset, length) => file.read(offset, offset > 100 ? 0 : length),
    });
    await expect(valuesOf(storedFloat32([2], [1, 2]), cut)).rejects.toThrow(/ends too early/);
    await expect(valuesOf(storedFloat32([3], [1, 2]))).rejects.toThrow(/size of t is not that of its shape/);
    const bytes = new Uint8Array(4);
    await expect(valuesOf({ dtype: "I8", shape: [4], bytes })).rejects.toThrow(/holds I8/);
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
    const encoding = encodingById(id);
    if (encoding === undefined) throw new Error(id);
    return requireParams(encoding, {});
  };

  it("are found by name and shape, and say what parameters follow", () => {
    expect(learnedArrays("learned_absolute", paramsOf("learned_absolute"), tensors)).toEqual([
      {
        tensor: tensors[0],
        input: "position_embeddings",
        params: { hidden_size: 24, max_position_embeddings: 64 },
      },
    ]);
    expect(learnedArrays("t5_bias", paramsOf("t5_bias"), tensors)).toMatchObject([
      { input: "relative_attention_bias", params: { num_buckets: 32, num_heads: 6 } },
    ]);
    expect(learnedArrays("rope", paramsOf("rope"), tensors)).toEqual([]);
  });
});

describe("a checkpoint of the workspace", () => {
  const file = URI.parse("memory:/workspace/t5/model.safetensors");
  const bias = Array.from({ length: 8 * 2 }, (_, n) => n / 8 - 1);
  const tensor = "decoder.block.0.layer.0.SelfAttention.relative_attention_bias.weight";

  beforeEach(() => {
    stub.reset();
    stub.files.set(file.toString(), safetensorsFile({ [tensor]: storedFloat32([8, 2], bias) }));
    stub.found.push(file as never);
    stub.pick = (items) => items[0];
  });
  afterEach(() => stub.reset());

  const params = { num_heads: 8, head_dim: 64, num_buckets: 32 };

  it("is chosen by the user, and read", async () => {
    const { picked } = await pickWeights({ encoding: "t5_bias", params });
    expect(picked).toEqual({ uri: file.toString(), tensor, params: { num_buckets: 8, num_heads: 2 } });
    const read = await readWeights({ encoding: "t5_bias", uri: file.toString(), tensor, params });
    expect(read).toMatchObject({
      input: "relative_attention_bias",
      columns: 2,
      title: `t5/model.safetensors: ${tensor}`,
    });
    expect([...read.values]).toEqual(bias);
    expect(stub.progress).toContain("100 %");
  });

  it("is left alone when the user changes their mind, and says so when it has nothing", async () => {
    await expect(pickWeights({ encoding: "learned_absolute", params })).rejects.toThrow(/no table for this encoding/);
    stub.pick = () => undefined;
    expect(await pickWeights({ encoding: "t5_bias", params })).toEqual({ picked: null });
    stub.found.splice(0);
    await expect(pickWeights({ encoding: "t5_bias", params })).rejects.toThrow(/no \.safetensors/);
  });

  it("must be one of the workspace, whatever a state says", async () => {
    for (const uri of ["memory:/etc/model.safetensors", "memory:/workspace/t5/secret.txt"])
      await expect(readWeights({ encoding: "t5_bias", uri, tensor, params })).rejects.toThrow(
        /no checkpoint of the workspace/,
      );
  });

  it("gives the panel its numbers in place of the examples", () => {
    const weights = { encoding: "t5_bias", uri: file.toString(), tensor };
    const changes = { num_buckets: 8, num_heads: 2, max_distance: 16 };
    const state: PanelState = { ...initialPanelState("t5_bias"), changes, head: 1 };
    const biasAt = (panel: PanelState, i: number, j: number) => {
      const term = modelOf(panel, null)?.drawable?.attention.terms.find(({ id }) => id === "bias");
      return term?.kind === "bias" ? term.value(i, j) : Number.NaN;
    };
    keepWeights(weights, { input: "relative_attention_bias", columns: 2, values: bias });
    // Bucket 0 is the query itself; bucket 1 the key before it. Head 1 is the second column.
    expect(biasAt({ ...state, weights }, 5, 5)).toBe(bias[1]);
    expect(biasAt({ ...state, weights }, 5, 4)).toBe(bias[3]);
    expect(biasAt(state, 5, 5)).not.toBe(bias[1]);
    // Another encoding has no use for them.
    expect(modelOf({ ...initialPanelState("alibi"), weights }, null)?.drawable?.scene.inputs).toEqual({});
  });
});
