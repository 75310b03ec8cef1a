import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { root } from "../../scripts/lib/root.ts";

const program = path.join(root, "dist/cli.js");
const workspace = "test/fixtures/workspace";

interface Ended {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs the shipped program as a process. */
function posenc(...args: readonly string[]): Ended {
  return spawnSync(process.execPath, [program, ...args], { cwd: root, encoding: "utf8" });
}

interface Entry {
  readonly file: string;
  readonly encodings: readonly { readonly encoding: string; readonly rope_type: string | null }[];
  readonly error: { readonly line: number } | null;
}

let scratch: string;

beforeAll(async () => {
  scratch = await mkdtemp(path.join(tmpdir(), "posenc-cli-"));
});
afterAll(() => rm(scratch, { recursive: true, force: true }));

describe("posenc", () => {
  test.skipIf(process.platform === "win32")("is an executable file", () => {
    const { status, stdout } = spawnSync(program, ["list"], { encoding: "utf8" });
    expect(status).toBe(0);
    expect(stdout).toMatch(/^rope\b/m);
  });

  test("inspects every config in a folder and exits with 2 if one is truncated", () => {
    const { status, stdout } = posenc("inspect", workspace, "--json");
    const entries: readonly Entry[] = JSON.parse(stdout);
    const files = entries.map(({ file }) => file);
    expect(files).toEqual([...files].sort());
    expect(files).toContain(`${workspace}/gemma-3-4b/config.json`);
    expect(entries.filter(({ error }) => error !== null).map(({ file }) => file)).toEqual([
      `${workspace}/cut-off/config.json`,
    ]);
    expect(status).toBe(2);
  });

  test.each([
    ["llama-3.1-8b", "rope", "llama3"],
    ["qwen2.5-7b-yarn", "rope", "yarn"],
    ["mistral-7b-v0.3", "rope", "default"],
    ["bert-base-uncased", "learned_absolute", null],
    ["gpt2", "learned_absolute", null],
    ["bloom-560m", "alibi", null],
    ["baichuan-13b", "alibi", null],
    ["t5-small", "t5_bias", null],
    ["deberta-v3-base", "deberta", null],
    ["chatglm3-6b", "rope", "default"],
  ])("recognises the encoding of %s", (model, encoding, ropeType) => {
    const { status, stdout } = posenc("inspect", `${workspace}/${model}/config.json`, "--json");
    const [entry]: readonly Entry[] = JSON.parse(stdout);
    expect(status).toBe(0);
    expect(entry?.encodings[0]).toMatchObject({ encoding, rope_type: ropeType });
  });

  test("check exits with 1 for warnings only above --max-warnings", () => {
    const file = `${workspace}/my-finetune/config.json`;
    expect(posenc("check", file).status).toBe(0);
    expect(posenc("check", file, "--max-warnings", "0").status).toBe(1);
  });

  test("matrix prints a matrix and writes it as NPY", () => {
    const args = ["matrix", "alibi", "--set", "num_heads=8", "--view", "bias", "--rows", "0:3", "--cols", "0:3"];
    expect(posenc(...args).stdout).toBe("0,0.5,1\n-0.5,0,0.5\n-1,-0.5,0\n");
    const file = path.join(scratch, "bias.npy");
    expect(posenc(...args, "-o", file).status).toBe(0);
    const bytes = readFileSync(file);
    expect(bytes.toString("latin1", 1, 6)).toBe("NUMPY");
    expect(bytes.readDoubleLE(bytes.length - 9 * 8 + 8)).toBe(0.5);
  });

  test("explain describes the encoding at a place in code and prints null elsewhere", () => {
    const [line = 0] = readFileSync(path.join(root, workspace, "model.py"), "utf8")
      .split("\n")
      .flatMap((text, index) => (text.startsWith("class RotaryEmbedding") ? [index + 1] : []));
    const found = posenc("explain", `${workspace}/model.py:${line}:8`, "--json");
    expect(JSON.parse(found.stdout)).toMatchObject({ encoding: "rope", layout: "half" });
    expect(JSON.parse(posenc("explain", `${workspace}/model.py:3:8`, "--json").stdout)).toBeNull();
  });

  test.each([
    ["no command", []],
    ["an unknown command", ["draw"]],
    ["an unknown encoding", ["matrix", "ropes", "--view", "scores", "--rows", "0:2", "--cols", "0:2"]],
    [
      "a parameter out of range",
      ["matrix", "rope", "--set", "head_dim=7", "--view", "scores", "--rows", "0:2", "--cols", "0:2"],
    ],
  ])("exits with 2 and a message on stderr for %s", (_, args) => {
    const { status, stderr } = posenc(...args);
    expect(status).toBe(2);
    expect(stderr).not.toBe("");
  });

  test("lists a missing file as an entry with an error and exits with 2", () => {
    const { status, stdout } = posenc("inspect", "nowhere.json", `${workspace}/gpt2/config.json`, "--json");
    const entries: readonly Entry[] = JSON.parse(stdout);
    expect(entries.map(({ file, error }) => [file, error === null])).toEqual([
      ["nowhere.json", false],
      [`${workspace}/gpt2/config.json`, true],
    ]);
    expect(status).toBe(2);
  });

  test("prints nothing but JSON on stdout with --json", () => {
    const { stdout, stderr } = posenc("inspect", `${workspace}/cut-off/config.json`, "--json");
    expect(JSON.parse(stdout)).toHaveLength(1);
    expect(stderr).not.toContain("    at ");
  });
});
