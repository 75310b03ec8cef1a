import { cpSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { root } from "../../scripts/lib/root.ts";
import { posencIn } from "./support.ts";

const MODELS = "test/golden/models";

const attention = (...args: readonly string[]) => posencIn(root, "attention", ...args);

let scratch: string;

beforeAll(async () => {
  scratch = await mkdtemp(path.join(tmpdir(), "posenc-attention-"));
});
afterAll(() => rm(scratch, { recursive: true, force: true }));

interface Output {
  readonly model_type: string;
  readonly tokens: readonly string[] | null;
  readonly ids: readonly number[];
  readonly decoder_ids?: readonly number[];
  readonly layers: readonly {
    readonly stack?: string;
    readonly layer: number;
    readonly kind: string;
    readonly [array: string]: unknown;
  }[];
}

/** Header of a .npy file: the type and the shape of its array. */
function readNpyHeader(file: string): string {
  const bytes = readFileSync(file);
  return bytes.toString("latin1", 10, 10 + bytes.readUInt16LE(8)).trim();
}

function shapeOf(value: unknown): number[] {
  return Array.isArray(value) ? [value.length, ...shapeOf(value[0])] : [];
}

describe("posenc attention", () => {
  test("prints what was asked for, of one layer and head", () => {
    const { status, stdout, stderr } = attention(
      `${MODELS}/mistral`,
      "--text",
      "the sea",
      "--layer",
      "1",
      "--head",
      "3",
      "--what",
      "q,k,logits",
      "--json",
    );
    expect([status, stderr]).toEqual([0, ""]);
    const output: Output = JSON.parse(stdout);
    const tokens = output.ids.length;
    expect(output.model_type).toBe("mistral");
    expect(output.tokens?.length).toBe(tokens);
    const [layer] = output.layers;
    expect(Object.keys(layer ?? {})).toEqual(["layer", "kind", "heads", "kv_heads", "head_dim", "q", "k", "logits"]);
    expect([layer?.layer, layer?.kind]).toEqual([1, "self"]);
    expect([layer?.q, layer?.k, layer?.logits].map(shapeOf)).toEqual([
      [1, tokens, 16],
      [1, tokens, 16],
      [1, tokens, tokens],
    ]);
  });

  test("takes the key head that the query head reads", () => {
    const keys = (...head: readonly string[]) => {
      const { stdout } = attention(
        `${MODELS}/llama`,
        "--ids",
        "1,20",
        "--layer",
        "0",
        "--what",
        "k",
        "--json",
        ...head,
      );
      const output: Output = JSON.parse(stdout);
      return output.layers[0]?.k;
    };
    const all = keys();
    if (!Array.isArray(all)) throw new Error("k");
    expect(keys("--head", "1")).toEqual([all[0]]);
    expect(keys("--head", "2")).toEqual([all[1]]);
  });

  test("computes encoder, decoder and cross attention", () => {
    const { stdout } = attention(
      `${MODELS}/t5`,
      "--text",
      "the sea",
      "--decoder-text",
      "the",
      "--layer",
      "1",
      "--json",
    );
    const output: Output = JSON.parse(stdout);
    expect(output.layers.map(({ stack, layer, kind }) => [stack, layer, kind])).toEqual([
      ["encoder", 1, "self"],
      ["decoder", 1, "self"],
      ["decoder", 1, "cross"],
    ]);
    expect(output.decoder_ids?.[0]).toBe(0);
    expect(shapeOf(output.layers[2]?.attention)).toEqual([4, output.decoder_ids?.length, output.ids.length]);
  });

  test("writes one array of one layer, or of all layers, as .npy", () => {
    const one = path.join(scratch, "one.npy");
    const all = path.join(scratch, "all.npy");
    const ids = ["--ids", "1,20,30"];
    expect(attention(`${MODELS}/llama`, ...ids, "--layer", "0", "--npy", one).status).toBe(0);
    expect(
      attention(`${MODELS}/llama`, ...ids, "--layer", "all", "--head", "2", "--what", "q_rot", "--npy", all).status,
    ).toBe(0);
    expect(readNpyHeader(one)).toBe("{'descr': '<f4', 'fortran_order': False, 'shape': (4, 3, 3), }");
    expect(readNpyHeader(all)).toBe("{'descr': '<f4', 'fortran_order': False, 'shape': (3, 1, 3, 12), }");
    // The first token can only look at itself.
    const bytes = readFileSync(one);
    expect(bytes.readFloatLE(bytes.length - 4 * 3 * 3 * 4)).toBe(1);
  });

  test("asks what if", () => {
    const weights = (...set: readonly string[]) =>
      attention(`${MODELS}/llama`, "--ids", "1,20,30", "--layer", "2", "--json", ...set).stdout;
    expect(weights("--set", "rope_theta=500")).toBe(weights());
    expect(weights("--set", "rope_type=linear", "--set", "factor=4")).not.toBe(weights());
  });

  test("needs no tokenizer for ids", () => {
    const folder = path.join(scratch, "without-tokenizer");
    cpSync(path.join(root, MODELS, "llama"), folder, { recursive: true });
    rmSync(path.join(folder, "tokenizer.json"));
    const { status, stdout } = attention(folder, "--ids", "1,20", "--layer", "0", "--json");
    const output: Output = JSON.parse(stdout);
    expect([status, output.tokens, output.ids]).toEqual([0, null, [1, 20]]);
    const text = attention(folder, "--text", "the", "--layer", "0", "--json");
    expect([text.status, text.stderr]).toEqual([2, "posenc: the folder has no tokenizer.json: pass token ids\n"]);
  });

  test("names file and tensor of damaged weights", () => {
    const folder = path.join(scratch, "damaged");
    cpSync(path.join(root, MODELS, "llama"), folder, { recursive: true });
    const file = path.join(folder, "model.safetensors");
    writeFileSync(file, readFileSync(file).subarray(0, 100_000));
    const { status, stdout, stderr } = attention(folder, "--ids", "1,20", "--layer", "all", "--json");
    expect([status, stdout]).toEqual([2, ""]);
    expect(stderr).toMatch(/^posenc: model\.safetensors: the file ends within tensor model\.\S+\n$/);
  });

  test.each([
    [["--ids", "1", "--layer", "0"], "expected --json or --npy FILE"],
    [["--layer", "0", "--json"], "expected --text or --ids"],
    [["--text", "a", "--ids", "1", "--layer", "0", "--json"], "expected --text or --ids"],
    [["--ids", "1,x", "--layer", "0", "--json"], "--ids 1,x: expected integers separated by commas"],
    [["--ids", "1", "--layer", "3", "--json"], "--layer 3: must be all, or from 0 to 2"],
    [["--ids", "1", "--layer", "0", "--head", "4", "--json"], "--head 4: must be from 0 to 3"],
    [["--ids", "1", "--layer", "0", "--what", "v", "--json"], /^posenc: --what "v": must be one of hidden_in/],
    [["--ids", "1", "--layer", "0", "--set", "rope_theta", "--json"], "--set rope_theta: expected name=value"],
    [
      ["--ids", "1", "--layer", "0", "--set", "rope_tetha=1", "--json"],
      "--set rope_tetha = 1: is not a parameter of rope",
    ],
    [
      ["--ids", "1", "--layer", "0", "--decoder-text", "a", "--json"],
      "--decoder-text: llama has no decoder of its own",
    ],
    [
      ["--ids", "1", "--layer", "0", "--what", "q,k", "--npy", "x.npy"],
      "--npy x.npy: .npy holds one array; --what names several",
    ],
    [["--ids", "1", "--layer", "0", "--what", "bias", "--npy", "x.npy"], "--npy x.npy: the model has no bias there"],
  ])("refuses %j with exit code 2", (args, message) => {
    const { status, stdout, stderr } = attention(`${MODELS}/llama`, ...args);
    expect([status, stdout]).toEqual([2, ""]);
    if (typeof message === "string") expect(stderr).toBe(`posenc: ${message}\n`);
    else expect(stderr).toMatch(message);
  });

  test("refuses what is not a model's folder", () => {
    for (const folder of ["nowhere", "package.json"])
      expect(attention(folder, "--ids", "1", "--layer", "0", "--json").stderr).toBe(
        `posenc: ${folder}: not a folder\n`,
      );
    expect(attention("docs", "--ids", "1", "--layer", "0", "--json").stderr).toMatch(/^posenc: config\.json: /);
  });
});
