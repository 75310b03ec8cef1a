import { beforeAll, describe, expect, test } from "vitest";
import type { Params } from "../../../src/core/spec.ts";
import type { ArrayName } from "../../../src/model/forward/run.ts";
import { LoadedModel } from "../../../src/model/loadedModel.ts";
import { collect, everything, goldenFiles, memoryFolder, startBackend } from "./support.ts";

beforeAll(startBackend);

const IDS = [1, 20, 30, 7, 9, 40];

/** An array of a layer, under other parameters. */
async function compute(name: string, overrides: Params, layer: number, array: ArrayName): Promise<readonly number[]> {
  const model = await LoadedModel.open(memoryFolder(goldenFiles(name)), 0);
  try {
    const records = await collect(model.run(everything(IDS), overrides));
    return [...(records[layer]?.arrays[array]?.values ?? [])];
  } finally {
    await model.close();
  }
}

const difference = (a: readonly number[], b: readonly number[]): number =>
  Math.max(...a.map((value, n) => Math.abs(value - (b[n] ?? Number.NaN))));

describe("with other parameters", () => {
  test("the first layer's queries stay and its rotated ones change; later layers change altogether", async () => {
    const changed = { rope_theta: 50_000 };
    for (const [layer, array, same] of [
      [0, "q", true],
      [0, "q_rot", false],
      [1, "q", false],
    ] as const) {
      const distance = difference(
        await compute("llama", {}, layer, array),
        await compute("llama", changed, layer, array),
      );
      expect(distance === 0, `${array} of layer ${layer}`).toBe(same);
    }
  });

  test("the config's own values change nothing", async () => {
    const own = await compute("llama_yarn", {}, 1, "attention");
    expect(await compute("llama_yarn", { factor: 4, rope_type: "yarn" }, 1, "attention")).toEqual(own);
    expect(difference(await compute("llama_yarn", { rope_type: "default" }, 1, "attention"), own)).toBeGreaterThan(
      0.001,
    );
  });

  test("the other pair layout permutes the pairs that rotate", async () => {
    const half = await compute("llama", {}, 0, "q_rot");
    const interleaved = await compute("llama", { layout: "interleaved" }, 0, "q_rot");
    // Position 0 does not rotate: 12 dimensions of the first token and head.
    expect(interleaved.slice(0, 12)).toEqual(half.slice(0, 12));
    expect(difference(interleaved, half)).toBeGreaterThan(0.01);
  });

  test("a window hides keys", async () => {
    const weights = await compute("llama", { sliding_window: 2 }, 0, "attention");
    const row = weights.slice(IDS.length * 4, IDS.length * 5);
    expect(row.map((weight) => weight > 0)).toEqual([false, false, false, true, true, false]);
  });

  test("a partial rotation leaves the other dimensions", async () => {
    const q = await compute("llama", { partial_rotary_factor: 0.5 }, 0, "q");
    const rotated = await compute("llama", { partial_rotary_factor: 0.5 }, 0, "q_rot");
    const last = (IDS.length - 1) * 12;
    expect(rotated.slice(last + 6, last + 12)).toEqual(q.slice(last + 6, last + 12));
    expect(difference(rotated.slice(last, last + 6), q.slice(last, last + 6))).toBeGreaterThan(0.01);
  });

  test("ALiBi's slopes change", async () => {
    const own = await compute("bloom", {}, 0, "bias");
    expect(difference(await compute("bloom", { alibi_bias_max: 4 }, 0, "bias"), own)).toBeGreaterThan(0.1);
  });

  test.each([
    [{ rope_tetha: 5 }, "rope_tetha = 5: is not a parameter of rope"],
    [{ head_dim: 5 }, "head_dim = 5: is fixed by the weights"],
    [{ rope_theta: -5 }, "rope_theta = -5: must be greater than 0"],
    [{ rope_type: "yawn" }, /^rope_type = "yawn": must be one of/],
  ])("%o are refused", async (overrides, message) => {
    await expect(compute("llama", overrides, 0, "q")).rejects.toThrow(message);
  });

  test("a table of positions has no parameters, but every model can have a window", async () => {
    await expect(compute("gpt2", { max_position_embeddings: 16 }, 0, "q")).rejects.toThrow(
      "max_position_embeddings = 16: is fixed by the weights",
    );
    for (const name of ["gpt2", "bert", "bloom", "opt", "deberta_v3"]) {
      const weights = await compute(name, { sliding_window: 2 }, 0, "attention");
      const row = weights.slice(IDS.length * 4, IDS.length * 5);
      const ahead = name === "bert" || name === "deberta_v3";
      expect(
        row.map((weight) => weight > 0),
        name,
      ).toEqual([false, false, false, true, true, ahead]);
    }
  });

  test("a name that every object has is not a parameter", async () => {
    const overrides: Params = Object.fromEntries([["__proto__", 5]]);
    await expect(compute("llama", overrides, 0, "q")).rejects.toThrow("__proto__ = 5: is not a parameter of rope");
  });
});

describe("a mixture of experts", () => {
  test("shows its first layer and then says what is missing", async () => {
    const files = goldenFiles("mistral");
    const config = new TextDecoder().decode(files.get("config.json"));
    files.set(
      "config.json",
      new TextEncoder().encode(config.replace('"model_type": "mistral"', '"model_type": "mixtral"')),
    );
    const model = await LoadedModel.open(memoryFolder(files), 0);
    const layers: number[] = [];
    const run = async () => {
      for await (const { layer } of model.run(everything(IDS))) layers.push(layer);
    };
    await expect(run()).rejects.toThrow("mixtral: mixtures of experts are not supported yet");
    expect(layers).toEqual([0]);
    await model.close();
  });
});
