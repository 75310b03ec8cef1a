import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { expect, test } from "vitest";
import { runCheck } from "../../../src/cli/check.ts";
import { runCommandLine } from "../../../src/cli/program.ts";
import { scratchFolder } from "../support/scratch.ts";

function folder(files: Readonly<Record<string, unknown>>): string {
  const root = scratchFolder("check");
  for (const [name, value] of Object.entries(files)) {
    mkdirSync(dirname(join(root, name)), { recursive: true });
    writeFileSync(join(root, name), typeof value === "string" ? value : JSON.stringify(value));
  }
  return root;
}

/** A warning: YaRN without the training context. */
const WARNED = {
  model_type: "qwen2",
  max_position_embeddings: 131072,
  rope_scaling: { rope_type: "yarn", factor: 4.0 },
};
/** An error: a missing key. */
const REFUSED = { model_type: "llama", rope_scaling: { rope_type: "linear" } };
const SOUND = { model_type: "llama", rope_theta: 500000.0 };

test("posenc check exits with 0 for a valid config, 1 for an error, 2 for an unreadable file, and 1 for warnings above --max-warnings", async () => {
  const json = { format: "json" };
  expect((await runCheck([folder({ "config.json": SOUND })], json)).exitCode).toBe(0);
  expect((await runCheck([folder({ "config.json": REFUSED })], json)).exitCode).toBe(1);
  expect((await runCheck([folder({ "config.json": '{"model_type": "llama"' })], json)).exitCode).toBe(2);
  const warned = folder({ "a/config.json": WARNED, "b/config.json": WARNED });
  expect((await runCheck([warned], json)).exitCode).toBe(0);
  expect((await runCheck([warned], { ...json, maxWarnings: "2" })).exitCode).toBe(0);
  expect((await runCheck([warned], { ...json, maxWarnings: "1" })).exitCode).toBe(1);
  expect((await runCheck([warned], { ...json, maxWarnings: "many" })).exitCode).toBe(2);
  expect((await runCheck([warned], { format: "xml" })).exitCode).toBe(2);
});

test("posenc check --format json prints one entry per finding with its position", async () => {
  const root = folder({ "config.json": '{"model_type":"qwen2",\n "rope_scaling": {"rope_type":"yarn","factor":4.0}}' });
  const [entry, ...others] = JSON.parse((await runCheck([root], { format: "json" })).stdout);
  expect(others).toEqual([]);
  expect(entry).toEqual({
    file: join(root, "config.json"),
    rule: "rope/yarn-needs-original-length",
    severity: "warning",
    message: expect.stringContaining("32768"),
    path: ["rope_scaling"],
    line: 2,
    column: 18,
    range: { start: { line: 2, column: 18 }, end: { line: 2, column: 51 } },
  });
});

test("posenc check --format sarif prints SARIF 2.1.0 with relative URIs and UTF-16 columns", async () => {
  const root = folder({ "my model/config.json": REFUSED });
  const log = JSON.parse((await runCheck([root], { format: "sarif" })).stdout);
  expect(log.version).toBe("2.1.0");
  const [sarifRun] = log.runs;
  expect(sarifRun.columnKind).toBe("utf16CodeUnits");
  const [result] = sarifRun.results;
  expect(result).toMatchObject({ ruleId: "rope/missing-keys", level: "error" });
  expect(sarifRun.tool.driver.rules[result.ruleIndex].id).toBe("rope/missing-keys");
  const { artifactLocation, region } = result.locations[0].physicalLocation;
  expect(artifactLocation.uri).toBe(
    `${relative(process.cwd(), root).split("/").map(encodeURIComponent).join("/")}/my%20model/config.json`,
  );
  expect(region.startLine).toBe(1);
});

test("posenc check --baseline hides known findings even after they moved within the file", async () => {
  const root = folder({ "config.json": WARNED });
  const before = (await runCheck([root], { format: "json" })).stdout;
  writeFileSync(join(root, "baseline.json"), before);
  writeFileSync(join(root, "config.json"), JSON.stringify(WARNED, null, 4));
  const options = { format: "json", baseline: join(root, "baseline.json"), maxWarnings: "0" };
  expect(await runCheck([root], options)).toMatchObject({ exitCode: 0, stdout: "[]\n" });
  writeFileSync(
    join(root, "config.json"),
    JSON.stringify({ ...WARNED, rope_scaling: { ...WARNED.rope_scaling, factor: 0.5 } }),
  );
  expect(JSON.parse((await runCheck([root], options)).stdout)).toMatchObject([{ rule: "rope/factor-below-one" }]);
  expect((await runCheck([root], { ...options, baseline: join(root, "none.json") })).exitCode).toBe(2);
});

test(".posenc.json sets severities by rule and by group, and ignores files", async () => {
  const files = { "a/config.json": WARNED, "b/config.json": REFUSED };
  const settings = (value: unknown) => folder({ ...files, ".posenc.json": value });
  const rules = async (root: string) =>
    JSON.parse((await runCheck([root], { format: "json" })).stdout).map(
      ({ rule, severity }: Record<string, string>) => [rule, severity],
    );
  expect(
    await rules(settings({ rules: { "rope/missing-keys": "off", "rope/yarn-needs-original-length": "error" } })),
  ).toEqual([["rope/yarn-needs-original-length", "error"]]);
  expect(await rules(settings({ rules: { "rope/*": "off" } }))).toEqual([]);
  expect(await rules(settings({ ignore: ["b"] }))).toEqual([["rope/yarn-needs-original-length", "warning"]]);
});

test("posenc check compares a config with the tokenizer's length in the same folder", async () => {
  const root = folder({ "config.json": { model_type: "bert" }, "tokenizer_config.json": { model_max_length: 1024 } });
  expect(JSON.parse((await runCheck([root], { format: "json" })).stdout)).toMatchObject([
    { rule: "table/tokenizer-longer", severity: "warning" },
  ]);
});

test("posenc check prints file, position and rule of each finding, and a total", async () => {
  const root = folder({ "config.json": REFUSED });
  const { stdout, exitCode } = await runCommandLine(["check", root]);
  expect(exitCode).toBe(1);
  expect(stdout).toContain(`${join(root, "config.json")}:1:`);
  expect(stdout).toContain("rope/missing-keys");
  expect(stdout).toContain("1 errors, 0 warnings, 0 notes");
});

test("posenc check reports circular links, broken links, Git LFS pointers and empty files once each and reads the other files", async () => {
  const root = folder({
    "lfs/config.json": "version https://git-lfs.github.com/spec/v1\noid sha256:4d7a\nsize 12\n",
    "empty/config.json": "",
    "sound/config.json": SOUND,
    "circle/x": "",
    "gone/x": "",
    "neox/1b.yml":
      '# GPT-NeoX\n{\n  # braces and comments\n  "pos_emb": "rotary",\n  "num_attention_heads": 4,\n  "hidden_size": 64,\n}\n',
  });
  symlinkSync("config.json", join(root, "circle/config.json"));
  symlinkSync("nothing.json", join(root, "gone/config.json"));
  const { stdout, exitCode } = await runCheck([root], { format: "json" });
  const entries: readonly { file: string; message: string }[] = JSON.parse(stdout);
  expect(entries.map(({ file }) => relative(root, dirname(file)))).toEqual(["circle", "empty", "gone", "lfs"]);
  expect(entries[3]?.message).toContain("LFS");
  expect(exitCode).toBe(2);
});
