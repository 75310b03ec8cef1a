import { readFileSync, writeFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { root } from "../../../scripts/lib/root.ts";
import { runCommandLine } from "../../../src/cli/program.ts";
import { toBfloat16 } from "../../../src/core/terms/precision.ts";
import { type StoredTensor, safetensorsFile, storedFloat32 } from "../support/safetensorsFile.ts";

const MODELS = path.join(root, "test/golden/models");

type Nested = readonly (number | Nested)[];

interface ExpectedLayer {
  readonly layer: number;
  readonly [array: string]: unknown;
}

interface Verified {
  readonly layer: number;
  readonly of: string;
  readonly holds: boolean;
  readonly candidates: readonly {
    readonly name: string;
    readonly layout: string;
    readonly rope_theta: number | null;
    readonly error: number;
  }[];
}

let scratch: string;

beforeAll(async () => {
  scratch = await mkdtemp(path.join(tmpdir(), "posenc-verify-"));
});
afterAll(() => rm(scratch, { recursive: true, force: true }));

const flatten = (array: Nested): number[] =>
  array.flatMap((item) => (typeof item === "number" ? [item] : flatten(item)));

function isNested(value: unknown): value is Nested {
  return Array.isArray(value);
}

function shapeOf(value: unknown): number[] {
  return Array.isArray(value) ? [value.length, ...shapeOf(value[0])] : [];
}

/** What a hook would have captured from the original implementation. */
function captureOf(model: string, round: (value: number) => number = (value) => value): Record<string, StoredTensor> {
  const { layers }: { layers: readonly ExpectedLayer[] } = JSON.parse(
    readFileSync(path.join(MODELS, model, "expected.json"), "utf8"),
  );
  const tensors: Record<string, StoredTensor> = {};
  for (const layer of layers)
    for (const name of ["q", "k"]) {
      const [before, after] = [layer[name], layer[`${name}_rot`] ?? layer[name]];
      if (!isNested(before) || !isNested(after)) throw new Error(model);
      tensors[`layers.${layer.layer}.${name}`] = storedFloat32(shapeOf(before), flatten(before).map(round));
      tensors[`layers.${layer.layer}.${name}_rot`] = storedFloat32(shapeOf(after), flatten(after).map(round));
    }
  return tensors;
}

async function verify(tensors: Readonly<Record<string, StoredTensor>>, config: string) {
  const file = path.join(scratch, "capture.safetensors");
  writeFileSync(file, safetensorsFile(tensors));
  return await runCommandLine(["verify", file, "--config", config, "--json"]);
}

/** The config of a model with other values. */
function configWith(model: string, edit: Readonly<Record<string, unknown>>): string {
  const config: Record<string, unknown> = JSON.parse(readFileSync(path.join(MODELS, model, "config.json"), "utf8"));
  const file = path.join(scratch, `${model}.json`);
  writeFileSync(file, JSON.stringify({ ...config, ...edit }));
  return file;
}

describe("posenc verify", () => {
  test.each([
    "llama",
    "llama_llama3",
    "llama_yarn",
    "mistral",
    "qwen3",
    "gemma3",
    "phi3",
    "gpt_neox",
    "cohere",
    "glm4",
    "gptj",
    "modernbert",
    "smollm3",
    "phi3_longrope",
    "stablelm",
  ])("finds that %s rotates as its config declares", async (model) => {
    const { exitCode, stdout, stderr } = await verify(captureOf(model), path.join(MODELS, model));
    expect(stderr).toBe("");
    const layers: readonly Verified[] = JSON.parse(stdout);
    for (const { candidates } of layers)
      expect(candidates.find(({ name }) => name === "declared")?.error).toBeLessThan(1e-5);
    expect(layers.map(({ holds }) => holds)).toEqual(layers.map(() => true));
    expect(exitCode).toBe(0);
  });

  test("allows for vectors that were rounded to bfloat16", async () => {
    const { exitCode, stdout } = await verify(captureOf("llama_yarn", toBfloat16), path.join(MODELS, "llama_yarn"));
    const [first]: readonly Verified[] = JSON.parse(stdout);
    expect(first?.candidates.find(({ name }) => name === "declared")?.error).toBeGreaterThan(1e-4);
    expect(exitCode).toBe(0);
  });

  test("names the other layout: a conversion that did not permute the weights", async () => {
    // Cohere's own vectors, under the config of a model that pairs halves.
    const { exitCode, stdout } = await verify(
      captureOf("cohere"),
      configWith("llama", { head_dim: 8, rope_parameters: { rope_type: "default", rope_theta: 500_000 } }),
    );
    const [first]: readonly Verified[] = JSON.parse(stdout);
    expect([exitCode, first?.holds, first?.candidates[0]?.name, first?.candidates[0]?.layout]).toEqual([
      1,
      false,
      "declared, other layout",
      "interleaved",
    ]);
  });

  test("measures the base that the vectors show", async () => {
    const config = configWith("llama", { rope_parameters: { rope_type: "default", rope_theta: 10_000 } });
    const { exitCode, stdout } = await verify(captureOf("llama"), config);
    const layers: readonly Verified[] = JSON.parse(stdout);
    expect(exitCode).toBe(1);
    for (const { candidates } of layers) {
      expect(candidates[0]?.name).toBe("measured base");
      expect(Math.abs((candidates[0]?.rope_theta ?? 0) - 500)).toBeLessThan(0.01);
    }
  });

  test("names the scaling that was left out", async () => {
    const config = configWith("llama", {
      head_dim: 12,
      rope_parameters: { rope_type: "linear", rope_theta: 500, factor: 4 },
    });
    const { exitCode, stdout } = await verify(captureOf("llama"), config);
    const [first]: readonly Verified[] = JSON.parse(stdout);
    expect([exitCode, first?.candidates[0]?.name]).toEqual([1, "rope_type default"]);
  });

  test("detects a missing rotation", async () => {
    const capture = captureOf("llama");
    for (const name of Object.keys(capture)) {
      const before = capture[name.replace(/_rot$/, "")];
      if (before !== undefined) capture[name] = before;
    }
    const { exitCode, stdout } = await verify(capture, path.join(MODELS, "llama"));
    const [first]: readonly Verified[] = JSON.parse(stdout);
    expect([exitCode, first?.candidates[0]?.name]).toEqual([1, "no rotation"]);
  });

  test("prints the best candidates of each layer", async () => {
    writeFileSync(path.join(scratch, "llama.safetensors"), safetensorsFile(captureOf("llama")));
    const { stdout } = await runCommandLine([
      "verify",
      path.join(scratch, "llama.safetensors"),
      "--config",
      path.join(MODELS, "llama"),
    ]);
    expect(stdout.split("\n").slice(0, 2)).toEqual([
      "layer 0, q: as declared",
      expect.stringMatching(/^ {4}\d\.\de-\d+ {2}(?:declared|measured base): half, default, rope_theta 500$/),
    ]);
  });

  test.each([
    [{ "model.q": storedFloat32([1], [1]) }, /has no pair of tensors layers\.N\.q/],
    [
      { "layers.0.q": storedFloat32([2], [1, 2]), "layers.0.q_rot": storedFloat32([2], [1, 2]) },
      /layers\.0\.q: shape \[2\] is not/,
    ],
    [
      { "layers.9.q": storedFloat32([1, 2, 1], [1, 2]), "layers.9.q_rot": storedFloat32([1, 2, 1], [1, 2]) },
      /the config declares no layer 9/,
    ],
    [
      { "layers.0.q": storedFloat32([1, 2, 1], [1, 2]), "layers.0.q_rot": storedFloat32([1, 1, 2], [1, 2]) },
      /has another shape than layers\.0\.q/,
    ],
    [
      { "layers.0.q": storedFloat32([1, 1, 2], [1, 2]), "layers.0.q_rot": storedFloat32([1, 1, 2], [1, 2]) },
      /one token does not show/,
    ],
    [
      { "layers.0.q": storedFloat32([1, 2, 1], [1, Number.NaN]), "layers.0.q_rot": storedFloat32([1, 2, 1], [1, 2]) },
      /layers\.0\.q: contains NaN/,
    ],
  ])("refuses a capture that it cannot read (%#)", async (tensors, message) => {
    const { exitCode, stderr } = await verify(tensors, path.join(MODELS, "llama"));
    expect(exitCode).toBe(2);
    expect(stderr).toMatch(message);
  });

  test("refuses files that are not there", async () => {
    expect(
      (await runCommandLine(["verify", "nowhere.safetensors", "--config", path.join(MODELS, "llama")])).exitCode,
    ).toBe(2);
    writeFileSync(path.join(scratch, "empty.safetensors"), "");
    expect(
      (await runCommandLine(["verify", path.join(scratch, "empty.safetensors"), "--config", "nowhere"])).exitCode,
    ).toBe(2);
  });
});
