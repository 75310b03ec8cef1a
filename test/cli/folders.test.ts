import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { config } from "../unit/support/llamaConfig.ts";
import { posencIn } from "./support.ts";

interface Entry {
  readonly file: string;
  readonly format: string;
  readonly model_type: string | null;
  readonly encodings: readonly unknown[];
  readonly diagnostics: readonly { readonly rule: string }[];
  readonly error: unknown;
}

let scratch: string;

const inside = (...parts: readonly string[]) => path.join(scratch, ...parts);

async function write(file: string, text: string): Promise<void> {
  await mkdir(path.dirname(inside(file)), { recursive: true });
  await writeFile(inside(file), text);
}

function inspected(...paths: readonly string[]): readonly Entry[] {
  return JSON.parse(posencIn(scratch, "inspect", ...paths, "--json").stdout);
}

/** A safetensors header with one learned table. */
function safetensors(): Buffer {
  const head = JSON.stringify({ "wpe.weight": { dtype: "F32", shape: [1024, 768], data_offsets: [0, 3_145_728] } });
  const length = Buffer.alloc(8);
  length.writeBigUInt64LE(BigInt(head.length));
  return Buffer.concat([length, Buffer.from(head), Buffer.alloc(64)]);
}

beforeAll(async () => {
  scratch = await mkdtemp(path.join(tmpdir(), "posenc-folders-"));
});
afterAll(() => rm(scratch, { recursive: true, force: true }));

describe.skipIf(process.platform === "win32")("posenc inspect in the Hugging Face cache", () => {
  const model = "hub/models--meta-llama--Llama-3.1-8B";
  const snapshot = `${model}/snapshots/d04e592bb4f6aa9cfee91e2e20afa771667e1d4b`;

  beforeAll(async () => {
    const wrong = config({
      max_position_embeddings: 4096,
      rope_scaling: { rope_type: "yarn", attn_factor: 1, factor: 4 },
    });
    await write(`${model}/blobs/0bb6fd75b3ad2fe988565929f329945262c2814e`, wrong);
    await write(`${model}/blobs/db88166e2bc4c799fd5d1ae643b75e84d03ee70e`, JSON.stringify({ model_max_length: 8192 }));
    await write(`${model}/refs/main`, "d04e592bb4f6aa9cfee91e2e20afa771667e1d4b");
    await mkdir(inside(snapshot), { recursive: true });
    const link = (blob: string, name: string) => symlink(`../../blobs/${blob}`, inside(snapshot, name));
    await link("0bb6fd75b3ad2fe988565929f329945262c2814e", "config.json");
    await link("db88166e2bc4c799fd5d1ae643b75e84d03ee70e", "tokenizer_config.json");
    await link("gone", "generation_config.json");
    await symlink(inside("hub"), inside("hub", "loop"));
  });

  test("lists one model per snapshot: it follows links to files, skips links to folders and does not list blobs", () => {
    expect(inspected("hub").map(({ file }) => file)).toEqual([`${snapshot}/config.json`]);
  });

  test("reads a linked config together with the linked files in its folder", () => {
    const [entry] = inspected("hub");
    expect(entry).toMatchObject({ format: "hf-config", model_type: "llama", error: null });
    expect(entry?.diagnostics.map(({ rule }) => rule)).toContain("rope/near-miss-key");
    const { stdout, status } = posencIn(scratch, "check", "hub");
    expect(stdout).toContain(`${snapshot}/config.json:`);
    expect(status).toBe(0);
  });

  test("reads a blob that is given by its path, whatever its name", () => {
    const [entry] = inspected(`${model}/blobs/0bb6fd75b3ad2fe988565929f329945262c2814e`);
    expect(entry).toMatchObject({ format: "hf-config", model_type: "llama" });
  });
});

describe("posenc inspect in a folder with several files of one model", () => {
  beforeAll(async () => {
    await write("multi/config.json", config());
    await write("multi/generation_config.json", JSON.stringify({ transformers_version: "5.18.0", max_length: 20 }));
    await write("multi/tokenizer_config.json", JSON.stringify({ tokenizer_class: "X", model_max_length: 1e30 }));
    await write("multi/params.json", JSON.stringify({ dim: 4096, n_layers: 32, n_heads: 32, multiple_of: 256 }));
    await write(
      "multi/train.yaml",
      "base_model: x\noverrides_of_model_config:\n  rope_scaling:\n    type: linear\n    factor: 2.0\n",
    );
    await write("multi/node_modules/x/config.json", config());
    const index = { metadata: {}, weight_map: { "wpe.weight": "model-00001-of-00001.safetensors" } };
    await write("multi/model.safetensors.index.json", JSON.stringify(index));
    await writeFile(inside("multi/model-00001-of-00001.safetensors"), safetensors());
    const leaving = { metadata: {}, weight_map: { "wpe.weight": "../multi/model-00001-of-00001.safetensors" } };
    await write("leaving/model.safetensors.index.json", JSON.stringify(leaving));
    await write("sub/a/config.json", config());
    await write("sub/.posenc.json", JSON.stringify({ ignore: ["old/**"] }));
    await write("sub/old/config.json", config());
  });

  test("lists every model file by path and skips unrelated files", () => {
    expect(inspected("multi").map(({ file, format }) => [file, format])).toEqual([
      ["multi/config.json", "hf-config"],
      ["multi/model-00001-of-00001.safetensors", "safetensors"],
      ["multi/model.safetensors.index.json", "safetensors-index"],
      ["multi/params.json", "meta-params"],
      ["multi/train.yaml", "axolotl-yaml"],
    ]);
  });

  test("reads the shards of an index and refuses a path outside its folder", () => {
    const index = inspected("multi").find(({ format }) => format === "safetensors-index");
    expect(index?.encodings).toEqual([expect.objectContaining({ encoding: "learned_absolute" })]);
    const [refused] = inspected("leaving");
    expect(refused).toMatchObject({
      encodings: [],
      error: { message: expect.stringContaining("path outside the index folder") },
    });
  });

  test("keeps the order of the arguments and skips ignored files", () => {
    expect(inspected("sub", "multi/config.json").map(({ file }) => file)).toEqual([
      "sub/a/config.json",
      "multi/config.json",
    ]);
    expect(inspected("sub/old").map(({ file }) => file)).toEqual([]);
  });
});
