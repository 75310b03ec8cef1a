import { execFileSync, spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { root } from "../../support/files.ts";

/**
 * Adding an encoding needs one new file, its line in the index and its golden data with an adapter, nothing else: done
 * here with a made-up one in a copy of the sources.
 */
const copy = mkdtempSync(join(tmpdir(), "posenc-made-up-"));
const bin = (name: string) => join(root, "node_modules/.bin", name);

beforeAll(() => {
  const copied = [
    "src",
    "webview",
    "scripts",
    "test/golden",
    "test/tsconfig.json",
    "tsconfig.base.json",
    "vitest.config.mts",
  ];
  for (const name of copied) {
    cpSync(join(root, name), join(copy, name), { recursive: true });
  }
  // Node evaluates the expressions below as ES modules, and so must read what they import.
  const manifest: Readonly<Record<string, unknown>> = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  writeFileSync(join(copy, "package.json"), JSON.stringify({ ...manifest, type: "module" }));
  symlinkSync(join(root, "node_modules"), join(copy, "node_modules"));
  // The new file …
  cpSync(join(root, "test/fixtures/madeUp/cosineBias.ts"), join(copy, "src/core/encodings/cosineBias.ts"));
  // … its golden data with the adapter …
  cpSync(join(root, "test/fixtures/madeUp/cosine_bias.json"), join(copy, "test/golden/data/cosine_bias.json"));
  cpSync(join(root, "test/fixtures/madeUp/cosineBiasAdapter.ts"), join(copy, "test/golden/adapters/cosineBias.ts"));
  // … and its line in the index.
  const table = join(copy, "src/core/encodings/index.ts");
  const text = readFileSync(table, "utf8");
  const withLine = text.replace("= [\n", "= [\n  cosineBias,\n");
  expect(withLine).not.toBe(text);
  writeFileSync(table, `import { cosineBias } from "./cosineBias.ts";\n${withLine}`);
});

afterAll(() => rmSync(copy, { recursive: true, force: true }));

function node(...args: string[]) {
  return spawnSync(process.execPath, ["--import", "tsx", ...args], {
    cwd: copy,
    encoding: "utf8",
  });
}

/** Value of an expression in the copy, with imports by name and path. */
function evaluate(imports: string, expression: string): unknown {
  const { stdout, stderr } = node(
    "--input-type=module",
    "-e",
    `${imports}; console.log(JSON.stringify(${expression}))`,
  );
  expect(stderr).toBe("");
  return JSON.parse(stdout);
}

describe("a newly added encoding", () => {
  test.each(["src/core", "src/cli", "src/host", "webview", "test"])("satisfies the types of %s", (project) => {
    expect(() => execFileSync(bin("tsc"), ["-p", project], { cwd: copy, encoding: "utf8" })).not.toThrow();
  });

  test("is listed by the command line", () => {
    const { stdout } = node("src/cli/main.ts", "list", "--json");
    const list: readonly { readonly id: string }[] = JSON.parse(stdout);
    expect(list.map((entry) => entry.id)).toContain("cosine_bias");
  });

  test("is drawn by the command line, which refuses a bad parameter", () => {
    const range = ["--view", "bias", "--rows", "4:5", "--cols", "0:5"];
    const { stdout } = node("src/cli/main.ts", "matrix", "cosine_bias", ...range);
    expect(
      stdout
        .trim()
        .split(",")
        .map((value) => Math.round(Number(value))),
    ).toEqual([1, -0, -1, 0, 1]);
    const bad = node("src/cli/main.ts", "matrix", "cosine_bias", "--set", "period=0", ...range);
    expect(bad.status).toBe(2);
    expect(bad.stderr).toContain("period");
  });

  test("can be selected, drawn and restored in the panel", () => {
    const imports = [
      'import { derivePanelEncoding } from "./webview/state/panelEncoding.ts"',
      'import { initialPanelState, panelStateSchema } from "./src/core/protocol/state.ts"',
      'import { safeParse } from "valibot"',
      'const state = initialPanelState("cosine_bias")',
      "const derived = derivePanelEncoding(state, null)",
    ].join(";");
    const expression =
      "[safeParse(panelStateSchema, state).success, derived.problems.length, derived.resolved.attention.terms.length, derived.controls.map((control) => control.parameter.name)]";
    expect(evaluate(imports, expression)).toEqual([true, 0, 2, ["head_dim", "num_heads", "period"]]);
  });

  test("is compared with its golden data", () => {
    const vitest = ["run", "--project", "golden", "-t", "cosine_bias"];
    const { VITEST: _inTest, ...env } = process.env;
    const { status, stdout } = spawnSync(bin("vitest"), vitest, { cwd: copy, env, encoding: "utf8" });
    expect(stdout).toContain("18 values compared in 1 cases");
    expect(status).toBe(0);
  });

  test("is exported as code", () => {
    const imports = [
      'import { buildAttention } from "./src/core/encodings/buildAttention.ts"',
      'import { encodingById } from "./src/core/encodings/index.ts"',
      'import { requireParams } from "./src/core/encodings/support/schema.ts"',
      'import { exportPythonCode } from "./src/core/export/code/program.ts"',
      'import { onesContent } from "./src/core/terms/content.ts"',
      'const encoding = encodingById("cosine_bias")',
      "const params = requireParams(encoding, {})",
      "const scene = { queryLength: 4, keyLength: 4, shift: 0, head: 0, centre: 0, content: onesContent, inputs: {} }",
      "const attention = buildAttention(encoding, params, scene, {})",
      'const show = { of: "logits", hidden: [] }',
      'const shown = { rows: { from: 0, to: 4 }, columns: { from: 0, to: 2 }, content: "ones", show }',
      "const request = { encoding, params, scene, attention, ...shown }",
    ].join(";");
    const code = evaluate(imports, 'exportPythonCode(request, "numpy").code');
    expect(code).toMatch(/^"""Cosine bias — made up: scores[\s\S]*\nmatrix = scores\n$/);
  });

  test("is on the generated page of encodings", () => {
    const imports = 'import { GENERATED_PAGES } from "./scripts/lib/docs/pages.ts"';
    expect(evaluate(imports, 'GENERATED_PAGES["encodings.md"]().includes("## Cosine bias — made up")')).toBe(true);
  });
});
