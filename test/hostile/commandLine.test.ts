import { execFileSync } from "node:child_process";
import { mkdirSync, symlinkSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { runCommandLine } from "../../src/cli/program.ts";
import { gguf, safetensors } from "../unit/support/checkpointFiles.ts";
import { config } from "../unit/support/llamaConfig.ts";
import { expectBounded } from "./support/expectBounded.ts";
import { findDanger, HOSTILE_NAMES } from "./support/names.ts";
import { put, scratchFolder } from "./support/readers.ts";
import { type Run, runCli } from "./support/run.ts";

/** What starts a command in the log of GitHub Actions, Azure Pipelines or TeamCity. */
const LOG_COMMAND = /^\s*::|##\w*\[/m;

function expectHarmlessText({ stdout, stderr }: Pick<Run, "stdout" | "stderr">): void {
  for (const line of [...stdout.split("\n"), ...stderr.split("\n")])
    expect({ line, danger: findDanger("plain", line) }).toEqual({ line, danger: undefined });
  expect(stdout + stderr).not.toMatch(LOG_COMMAND);
}

const NAMES = [...HOSTILE_NAMES, "  ::warning file=a::b", "##vso[task.complete]", "##[error]x"];
const DEFINED_ERROR = /^posenc: .+\n$/;

describe("text output", () => {
  it("has no control character and no log command, whatever files are named and contain", async () => {
    const folder = scratchFolder();
    for (const [n, name] of NAMES.entries()) {
      const text = config({ model_type: name, rope_scaling: { rope_type: name, factor: 2, [name]: 1 }, [name]: 1 });
      put(folder, `${n} ${name.replaceAll("/", "∕")}/config.json`, text);
      put(folder, `${n} ${name.replaceAll("/", "∕")}/b_config.json`, `${text.slice(0, -1)},`);
    }
    for (const args of [
      ["check", "."],
      ["inspect", ".", "--runtimes"],
      ["check", ".", "--format", "json"],
    ]) {
      const run = await runCli(args, folder);
      expectBounded(run);
      expectHarmlessText(run);
      expect(run.stdout).toContain("config.json");
    }
  });

  it.each(NAMES)("says %j in an error on one line", async (name) => {
    const result = await runCommandLine(["plan", name, "--target", "9"]);
    expectHarmlessText(result);
    expect(result.stderr).toMatch(DEFINED_ERROR);
    expect(result.exitCode).toBe(2);
  });
});

describe("options", () => {
  it.each([
    [["check", ".", "--format", "constructor"], /--format must be one of/],
    [["plan", "--target", "9", "--trained", "3", "--format", "constructor"], /--format must be one of/],
    [["matrix", "rope", "--format", "__proto__", "--rows", "0:2"], /--format must be one of/],
    [["matrix", "rope", "--set", "__proto__=1", "--rows", "0:2"], /__proto__ = 1: is not a parameter/],
    [["matrix", "rope", "--set", "__proto__=[1]", "--rows", "0:2"], /is not a parameter/],
    [["matrix", "rope", "--set", "rope_type=toString", "--rows", "0:2"], /must be one of/],
    [["matrix", "rope", "--set", "constructor=1", "--rows", "0:2"], /is not a parameter/],
    [["matrix", "constructor"], /unknown encoding/],
  ])("%j name own keys only", async (args, reason) => {
    const result = await runCommandLine(args);
    expect(result.stderr).toMatch(reason);
    expect(result.exitCode).toBe(2);
  });

  it.each([
    [["matrix", "rope", "--rows", "0:9007199254740993"], /must be at most 9007199254740991/],
    [["matrix", "rope", "--rows", "0:1000000000"], /the limit is 4194304/],
    [["matrix", "rope", "--rows", "0:1", "--cols", "0:99999999"], /the limit is 4194304/],
    [["matrix", "rope", "--rows", "9999999:10000000"], /the limit is 4194304/],
    [["matrix", "rope", "--rows", "0:3000", "--cols", "0:3000"], /the limit is 4194304/],
    [["matrix", "rope", "--view", "attention", "--rows", "99999999:100000000", "--cols", "0:1"], /the limit is/],
    [["matrix", "sinusoidal", "--view", "table", "--set", "hidden_size=65536", "--rows", "0:100"], /the limit is/],
    [["matrix", "rope", "--shift", "99999999999999999999", "--rows", "0:2"], /must be an integer of at most/],
    [["matrix", "rope", "--set", "head_dim=1000000000", "--rows", "0:2"], /must be at most 4096/],
    [["plan", "--target", "9", "--trained", "3", "--head-dim", "1000000000"], /an even number from 4 to 4096/],
    [["matrix", "rope", "--inputs", "/dev/zero", "--rows", "0:2"], /not a regular file/],
    [["explain", "--points", "/dev/zero"], /not a regular file/],
    [["explain", "/dev/zero:1:1"], /not a regular file/],
    [["check", ".", "--baseline", "/dev/zero"], /not a regular file/],
  ])("%j end with the reason", async (args, reason) => {
    const run = await runCli(args, scratchFolder());
    expectBounded(run);
    expect(run.stderr).toMatch(reason);
    expect(run.exitCode).toBe(2);
  });
});

describe("sizes of a config", () => {
  const write = (more: object) => put(scratchFolder(), "config.json", config(more));

  it.each(["plan", "compare"])("that no model has are refused at their key by %s", async (command) => {
    const files = [write({ head_dim: 1e9 }), write({ num_attention_heads: 1e9 })];
    for (const file of files) {
      const run = await runCli(command === "plan" ? ["plan", file, "--target", "99999"] : ["compare", file, file]);
      expectBounded(run);
      expect(run.stderr).toMatch(/config\.json:1:\d+: \w+ = 1000000000 is not read: no model has more than 65,536/);
      expect(run.exitCode).toBe(2);
    }
  });
});

describe("files that are not regular ones", () => {
  /** A folder with a good config and everything else that can be named like a model's file. */
  function hostileFolder(): string {
    const folder = scratchFolder();
    put(folder, "config.json", config());
    const fifo = (name: string) => execFileSync("mkfifo", [path.join(folder, name)]);
    for (const name of ["a.gguf", "b.safetensors", "tokenizer_config.json", "c_config.json", "d.yaml", "shard-1"])
      fifo(name);
    symlinkSync("/dev/zero", path.join(folder, "e.gguf"));
    symlinkSync("/dev/zero", path.join(folder, "generation_config.json"));
    symlinkSync("/nowhere", path.join(folder, "f.safetensors"));
    symlinkSync("g_config.json", path.join(folder, "g_config.json"));
    mkdirSync(path.join(folder, "h.gguf"));
    symlinkSync("/dev/zero", path.join(folder, "shard-2"));
    const shards = {
      "wpe.weight": "shard-1",
      "b.weight": "shard-2",
      "c.weight": "h.gguf",
      "d.weight": "f.safetensors",
    };
    put(folder, "model.safetensors.index.json", JSON.stringify({ weight_map: shards }));
    return folder;
  }

  it.skipIf(process.platform === "win32")("leave the config beside them readable", async () => {
    const folder = hostileFolder();
    const run = await runCli(["inspect", ".", "--json"], folder);
    expectBounded(run);
    const found = JSON.parse(run.stdout);
    expect(found.find(({ file }: { file: string }) => file === "config.json")).toMatchObject({
      error: null,
      model_type: "llama",
    });
    expect(found.find(({ file }: { file: string }) => file.endsWith("index.json"))).toMatchObject({ error: null });
  });

  it.skipIf(process.platform === "win32")("are refused when they are named", async () => {
    const folder = hostileFolder();
    for (const name of ["a.gguf", "e.gguf", "f.safetensors", "c_config.json"]) {
      const run = await runCli(["inspect", name, "--json"], folder);
      expectBounded(run);
      expect(JSON.parse(run.stdout)[0].error.message).toMatch(/not a regular file|no such file/);
      expect(run.exitCode).toBe(2);
    }
  });

  it.skipIf(process.platform === "win32")("do not stop the settings of a project from being searched", async () => {
    const folder = hostileFolder();
    execFileSync("mkfifo", [path.join(folder, ".posenc.json")]);
    const run = await runCli(["check", "config.json"], folder);
    expectBounded(run);
    expect(run.exitCode).toBe(0);
  });
});

describe("a file that is not read", () => {
  it("leaves the others to be read, and is named with the limit", async () => {
    const folder = scratchFolder();
    put(folder, "a/config.json", `{"model_type":"llama",${'"a":1,'.repeat(300_000)}"b":1}`);
    put(folder, "b/config.json", config());
    put(folder, "c/model.safetensors", safetensors({ "wpe.weight": [1024, 768] }));
    put(folder, "d/model.gguf", gguf({ "general.architecture": "llama" }));
    const run = await runCli(["inspect", "."], folder);
    expectBounded(run);
    expect(run.stdout).toMatch(/a\/config\.json.*\n.*not read: more than 200,000 values/);
    expect(run.stdout).toMatch(/b\/config\.json.*\n.*RoPE/);
    expect(run.stdout).toMatch(/c\/model\.safetensors.*\n.*learned/);
    expect(run.exitCode).toBe(2);
  });

  it("says which globs of the project are not used", async () => {
    const folder = scratchFolder();
    put(folder, ".posenc.json", JSON.stringify({ ignore: ["{a,b}".repeat(30), "+(a)", "x".repeat(70_000), "old/**"] }));
    put(folder, "old/config.json", config());
    put(folder, "new/config.json", config());
    const run = await runCli(["inspect", "."], folder);
    expectBounded(run);
    expect(run.stderr).toMatch(/\.posenc\.json: ignore\[0\]: braces give more than 64 alternatives/);
    expect(run.stderr).toMatch(/ignore\[1\]: only \*, \?/);
    expect(run.stderr).toMatch(/ignore\[2\]: longer than 1000 characters/);
    expect(run.stdout).not.toContain("old");
    expect(run.stdout).toContain("new/config.json");
  });
});
