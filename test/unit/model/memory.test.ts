import { memory } from "@tensorflow/tfjs-core/dist/base";
import { beforeAll, describe, expect, test } from "vitest";
import { RunCancelled } from "../../../src/model/cancel.ts";
import { LoadedModel } from "../../../src/model/loadedModel.ts";
import { collect, editHeader, everything, goldenFiles, memoryFolder, startBackend } from "./support.ts";

beforeAll(startBackend);

const IDS = [5, 20, 30, 7];

const CACHE_BYTES = 1 << 24;

const state = () => ({ tensors: memory().numTensors, bytes: memory().numBytes });

describe.each(["gpt2", "gemma3", "gpt_neox", "bloom", "bert"])("%s", (name) => {
  test("keeps memory constant over ten runs with its weights loaded", async () => {
    const before = state();
    const model = await LoadedModel.open(memoryFolder(goldenFiles(name)), CACHE_BYTES);
    await collect(model.run(everything(IDS)));
    const loaded = state();
    expect(loaded.bytes).toBeGreaterThan(before.bytes);
    for (let n = 0; n < 10; n++) await collect(model.run(everything(IDS)));
    expect(state()).toEqual(loaded);
    await model.close();
    expect(state()).toEqual(before);
  });
});

test("T5 frees everything", async () => {
  const before = state();
  const model = await LoadedModel.open(memoryFolder(goldenFiles("t5")), 0);
  for (let n = 0; n < 3; n++) await collect(model.run({ ...everything(IDS), decoderIds: [0, 5] }));
  await model.close();
  expect(state()).toEqual(before);
});

test("without a cache, matrices are freed after use", async () => {
  const model = await LoadedModel.open(memoryFolder(goldenFiles("llama")), 0);
  const before = state();
  await collect(model.run(everything(IDS)));
  // What stays are norms: fewer bytes than one projection.
  expect(state().bytes - before.bytes).toBeLessThan(48 * 48 * 4);
  await model.close();
});

describe("a run that does not end", () => {
  test("frees its tensors and files when the loop is left", async () => {
    const before = state();
    const folder = memoryFolder(goldenFiles("llama"));
    const model = await LoadedModel.open(folder, 0);
    for await (const record of model.run(everything(IDS))) if (record.layer === 1) break;
    await model.close();
    expect(state()).toEqual(before);
    expect(folder.opened).toBe(0);
  });

  test("stops between layers when it is cancelled", async () => {
    const before = state();
    const model = await LoadedModel.open(memoryFolder(goldenFiles("llama")), 0);
    const signal = { aborted: false };
    const layers: number[] = [];
    const run = async () => {
      for await (const { layer } of model.run({ ...everything(IDS), signal })) {
        layers.push(layer);
        signal.aborted = true;
      }
    };
    await expect(run()).rejects.toThrow(RunCancelled);
    expect(layers).toEqual([0]);
    await model.close();
    expect(state()).toEqual(before);
  });

  test("stops within a layer when it is cancelled", async () => {
    const before = state();
    const files = goldenFiles("llama");
    const signal = { aborted: false };
    let reads = 0;
    const folder = memoryFolder(files);
    const counted = {
      ...folder,
      open: async (name: string) => {
        const { reader, close } = await folder.open(name);
        const read = (offset: number, length: number) => {
          // The header takes two reads, the embedding one for each token.
          if (name === "model.safetensors" && ++reads === 12) signal.aborted = true;
          return reader.read(offset, length);
        };
        return { reader: { size: reader.size, read }, close };
      },
    };
    const model = await LoadedModel.open(counted, 0);
    await expect(collect(model.run({ ...everything(IDS), signal }))).rejects.toThrow(RunCancelled);
    expect(reads).toBeLessThan(15);
    await model.close();
    expect(state()).toEqual(before);
  });

  test("frees its tensors after an error", async () => {
    const before = state();
    const files = goldenFiles("llama");
    const bytes = files.get("model.safetensors") ?? new Uint8Array();
    files.set(
      "model.safetensors",
      editHeader(bytes, (header) => void delete header["model.layers.1.mlp.up_proj.weight"]),
    );
    const model = await LoadedModel.open(memoryFolder(files), 0);
    await expect(collect(model.run(everything(IDS)))).rejects.toThrow("mlp.up_proj.weight is missing");
    await model.close();
    expect(state()).toEqual(before);
  });
});
