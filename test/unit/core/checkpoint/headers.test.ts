import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { readGgufHeader } from "../../../../src/core/checkpoint/gguf.ts";
import { CheckpointError, memoryReader, type RangeReader } from "../../../../src/core/checkpoint/rangeReader.ts";
import { readSafetensorsHeader, readSafetensorsIndex } from "../../../../src/core/checkpoint/safetensors.ts";
import { BudgetError } from "../../../../src/core/util/budget.ts";
import { GgufWriter } from "../../support/ggufWriter.ts";

function sample(): GgufWriter {
  return new GgufWriter()
    .string("general.architecture", "llama")
    .uint32("llama.context_length", 131_072)
    .float32("llama.rope.freq_base", 500_000)
    .bool("llama.rope.scaling.finetuned", true)
    .uint64("llama.big", 2 ** 40)
    .int32s("llama.rope.dimension_sections", [16, 24, 24, 0])
    .strings(
      "tokenizer.ggml.tokens",
      Array.from({ length: 20_000 }, (_, n) => `token${n}`),
    )
    .float32s("tokenizer.ggml.scores", new Array<number>(20_000).fill(0))
    .tensor("rope_freqs.weight", [64])
    .tensor("token_embd.weight", [4096, 128_256]);
}

describe("the GGUF reader", () => {
  test("keeps scalars and short arrays and skips the tokenizer", async () => {
    const head = await readGgufHeader(memoryReader(sample().bytes()));
    expect(head.metadata.get("general.architecture")).toBe("llama");
    expect(head.metadata.get("llama.context_length")).toBe(131_072);
    expect(head.metadata.get("llama.rope.freq_base")).toBe(500_000);
    expect(head.metadata.get("llama.rope.scaling.finetuned")).toBe(true);
    expect(head.metadata.get("llama.big")).toBe(2 ** 40);
    expect(head.metadata.get("llama.rope.dimension_sections")).toEqual([16, 24, 24, 0]);
    expect([...head.skipped]).toEqual([
      ["tokenizer.ggml.tokens", 20_000],
      ["tokenizer.ggml.scores", 20_000],
    ]);
  });

  test("reads names and shapes of tensors, and the aligned start of their data", async () => {
    const bytes = sample().bytes();
    const { tensors } = await readGgufHeader(memoryReader(bytes));
    expect(tensors.map(({ name, shape }) => [name, shape])).toEqual([
      ["rope_freqs.weight", [64]],
      ["token_embd.weight", [4096, 128_256]],
    ]);
    expect(tensors[0]?.offset).toBe(Math.ceil(bytes.length / 32) * 32);
  });

  test("reads a big-endian file", async () => {
    const head = await readGgufHeader(memoryReader(sample().bytes({ littleEndian: false })));
    expect(head.metadata.get("llama.rope.freq_base")).toBe(500_000);
    expect(head.version).toBe(3);
  });

  test("reads only the header, in bounded pieces", async () => {
    const bytes = sample().bytes();
    const asked: number[] = [];
    const reader: RangeReader = {
      size: 8e9,
      read: (offset, length) => {
        asked.push(offset + length);
        return Promise.resolve(bytes.subarray(offset, offset + length));
      },
    };
    await readGgufHeader(reader);
    expect(Math.max(...asked)).toBeLessThan(bytes.length + (2 << 20));
  });

  test("skips strings that span many pieces, and reports a truncated one as the end of the file", async () => {
    const words = Array.from({ length: 100_000 }, (_, n) => (n % 997 === 0 ? "long".repeat(200) : `token ${n}`));
    const bytes = new GgufWriter().strings("tokenizer.ggml.tokens", words).uint32("llama.block_count", 32).bytes();
    const pieces: number[] = [];
    const reader = memoryReader(bytes);
    const counted: RangeReader = {
      size: reader.size,
      read: (offset, length) => {
        pieces.push(offset);
        return reader.read(offset, length);
      },
    };
    const head = await readGgufHeader(counted);
    expect(head.skipped.get("tokenizer.ggml.tokens")).toBe(100_000);
    expect(head.metadata.get("llama.block_count")).toBe(32);
    expect(pieces.length).toBe(1 + Math.ceil(bytes.length / (1 << 20)));
    const cut = readGgufHeader(memoryReader(bytes.subarray(0, 1_500_000)));
    await expect(cut).rejects.toSatisfy((error) => error instanceof CheckpointError && error.offset > 1_499_000);
  });

  test("reports a file that is truncated anywhere, and never hangs", async () => {
    const bytes = new GgufWriter().string("a", "b").int32s("c", [1, 2]).tensor("d", [3]).bytes();
    for (let length = 0; length < bytes.length; length++) {
      await expect(readGgufHeader(memoryReader(bytes.subarray(0, length)))).rejects.toBeInstanceOf(CheckpointError);
    }
  });

  test("returns a result, a CheckpointError or a BudgetError for changed bytes", async () => {
    const bytes = new GgufWriter().string("a", "b").int32s("c", [1, 2]).strings("e", ["x"]).tensor("d", [3]).bytes();
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(fc.nat(bytes.length - 1), fc.nat(255)), { minLength: 1, maxLength: 6 }),
        async (changes) => {
          const changed = bytes.slice();
          for (const [at, value] of changes) changed[at] = value;
          try {
            await readGgufHeader(memoryReader(changed));
          } catch (error) {
            expect(error instanceof CheckpointError || error instanceof BudgetError, String(error)).toBe(true);
          }
        },
      ),
      { numRuns: 2000 },
    );
  });
});

function safetensors(head: string, data = 8): Uint8Array {
  const json = new TextEncoder().encode(head);
  const bytes = new Uint8Array(8 + json.length + data);
  new DataView(bytes.buffer).setBigUint64(0, BigInt(json.length), true);
  bytes.set(json, 8);
  return bytes;
}

describe("the safetensors reader", () => {
  const head = JSON.stringify({
    __metadata__: { format: "pt" },
    "encoder.relative_attention_bias.weight": { dtype: "F32", shape: [2, 1], data_offsets: [0, 8] },
    broken: { dtype: "F32", shape: "no" },
  });

  test("reads names, shapes, types and data offsets", async () => {
    const { tensors, metadata } = await readSafetensorsHeader(memoryReader(safetensors(head)));
    expect(metadata).toEqual({ format: "pt" });
    expect(tensors).toEqual([
      {
        name: "encoder.relative_attention_bias.weight",
        shape: [2, 1],
        type: "F32",
        offset: 8 + head.length,
        length: 8,
      },
    ]);
  });

  test.each([
    ["an empty file", new Uint8Array(0)],
    ["a length beyond the file", safetensors(head).subarray(0, 20)],
    ["invalid JSON", safetensors("{]")],
    ["a list", safetensors("[1]")],
  ])("reports a CheckpointError for %s", async (_name, bytes) => {
    await expect(readSafetensorsHeader(memoryReader(bytes))).rejects.toBeInstanceOf(CheckpointError);
  });

  test("refuses an index that names files outside its folder", () => {
    const index = readSafetensorsIndex({
      weight_map: { a: "model-1.safetensors", b: "../secret", c: "/etc/passwd", d: "C:\\x", e: 5, f: "sub/x" },
    });
    expect([...(index?.weightMap ?? [])]).toEqual([["a", "model-1.safetensors"]]);
    expect(index?.refused).toEqual(["../secret", "/etc/passwd", "C:\\x", "5", "sub/x"]);
    expect(readSafetensorsIndex({ other: 1 })).toBeUndefined();
  });
});
