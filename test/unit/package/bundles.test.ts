import { readFileSync, statSync } from "node:fs";
import { isBuiltin } from "node:module";
import path from "node:path";
import type { Metafile } from "esbuild";
import { describe, expect, test } from "vitest";
import { type Bundle, bundles } from "../../../scripts/lib/bundles.ts";
import { root } from "../../../scripts/lib/root.ts";

function metafileOf(name: Bundle["name"]): Metafile {
  return JSON.parse(readFileSync(path.join(root, "dist/meta", `${name}.json`), "utf8"));
}

const inputsOf = (name: Bundle["name"]): string[] => Object.keys(metafileOf(name).inputs);

/** External modules of the bundle. */
function externalsOf(name: Bundle["name"]): string[] {
  const outputs = Object.values(metafileOf(name).outputs);
  return [
    ...new Set(outputs.flatMap(({ imports }) => imports.filter((found) => found.external).map((found) => found.path))),
  ];
}

describe("the bundle", () => {
  test.each(["webview", "side"] as const)(
    "of the %s page uses neither Node nor VS Code, and contains no host code",
    (name) => {
      expect(externalsOf(name)).toEqual([]);
      expect(inputsOf(name).filter((input) => /^src\/(host|cli)\//.test(input))).toEqual([]);
    },
  );

  test("of the web host requires only VS Code", () => {
    expect(externalsOf("web")).toEqual(["vscode"]);
  });

  test("of the desktop host requires only VS Code and Node", () => {
    expect(externalsOf("extension").filter((name) => name !== "vscode" && !isBuiltin(name))).toEqual([]);
  });

  test("of the command line requires only Node", () => {
    expect(externalsOf("cli").filter((name) => !isBuiltin(name))).toEqual([]);
    // Local files are read by one module for Node, which package.json chooses as #openRange.
    const foreign = inputsOf("cli").filter((input) => /^(src\/host|webview)\//.test(input));
    expect(foreign).toEqual(["src/host/platform/openRange.node.ts"]);
  });

  test.each(["extension", "web", "side"] as const)("of %s contains neither tfjs nor the toolkit", (name) => {
    expect(
      inputsOf(name).filter((input) => /node_modules\/(@tensorflow|@vscode\/webview-ui-toolkit)\//.test(input)),
    ).toEqual([]);
  });

  test("of the command line loads tfjs and tokenizers on demand only", () => {
    const { outputs } = metafileOf("cli");
    const parts = Object.entries(outputs).flatMap(([file, { inputs }]) =>
      Object.entries(inputs).some(
        ([input, { bytesInOutput }]) => bytesInOutput > 0 && /node_modules\/(@tensorflow|@huggingface)\//.test(input),
      )
        ? [file]
        : [],
    );
    expect(parts.length).toBeGreaterThan(0);
    const started = new Set<string>();
    const start = (file: string): void => {
      if (started.has(file)) return;
      started.add(file);
      for (const part of outputs[file]?.imports ?? [])
        if (!part.external && part.kind === "import-statement") start(part.path);
    };
    start("dist/cli.js");
    expect(parts.filter((file) => started.has(file))).toEqual([]);
  });

  test("of the page contains tfjs, which shows that the check above can detect it", () => {
    expect(inputsOf("webview").some((input) => input.includes("node_modules/@tensorflow/"))).toBe(true);
  });

  test.each(bundles.map(({ name, output, budget }) => [output, budget, name] as const))(
    "in %s with its chunks stays within %d kB",
    (output, budget, name) => {
      const { outputs } = metafileOf(name);
      const scripts = Object.keys(outputs).filter((file) => file.endsWith(".js"));
      expect(scripts).toContain(output);
      const bytes = scripts.reduce((sum, file) => sum + statSync(path.join(root, file)).size, 0);
      expect(bytes).toBeGreaterThan(0);
      expect(bytes).toBeLessThanOrEqual(budget * 1000);
    },
  );

  test("that VS Code loads at startup is small, with readers, parsers and encodings in separate chunks", () => {
    const { outputs } = metafileOf("extension");
    const started = new Set<string>();
    const start = (file: string): void => {
      if (started.has(file)) return;
      started.add(file);
      const imports = outputs[file]?.imports ?? [];
      for (const part of imports) if (!part.external && part.kind === "import-statement") start(part.path);
    };
    start("dist/extension.js");
    const bytes = [...started].reduce((sum, file) => sum + statSync(path.join(root, file)).size, 0);
    expect(bytes).toBeLessThan(100_000);
  });

  test("of the command line starts as a program", () => {
    expect(readFileSync(path.join(root, "dist/cli.js"), "utf8").startsWith("#!/usr/bin/env node\n")).toBe(true);
  });
});
