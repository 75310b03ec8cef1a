import { readFileSync } from "node:fs";
import path from "node:path";
import { globSync } from "tinyglobby";
import { describe, expect, test } from "vitest";
import { root } from "../../../scripts/lib/root.ts";

/** Every module that a source imports or exports from, including types. */
function importsOf(source: string): string[] {
  const statements = source.matchAll(/^\s*(?:import|export)\b(?:[^;"]*?\bfrom\s*)?\s*"([^"]+)"/gm);
  const calls = source.matchAll(/\bimport\(\s*"([^"]+)"/g);
  return [...statements, ...calls].map(([, specifier]) => specifier ?? "");
}

interface Zone {
  readonly folder: string;
  /** Folders of the repository that it may reach. */
  readonly folders: readonly string[];
  readonly packages: (name: string) => boolean;
}

const isTfjs = (name: string): boolean => name.startsWith("@tensorflow/");
const isToolkit = (name: string): boolean => name.startsWith("@vscode/webview-ui-toolkit");
const isNode = (name: string): boolean => name.startsWith("node:");
const isPure = (name: string): boolean => ![isTfjs, isToolkit, isNode].some((is) => is(name)) && name !== "vscode";

/** What every part of core may import. */
const CORE_GROUND = ["src/core/spec.ts", "src/core/util", "src/core/l10n"];

/** A layer of the page, and those it may import. */
const LAYERS_OF_THE_PAGE: readonly (readonly [string, readonly string[]])[] = [
  ["ui", []],
  ["matrix", []],
  ["engine", ["matrix"]],
  ["state", ["ui", "matrix", "engine"]],
  ["figure", ["ui", "matrix", "engine", "state"]],
  ["views", ["ui", "matrix", "engine", "state", "figure"]],
  ["panel", ["ui", "matrix", "engine", "state", "figure", "views"]],
  ["side", ["ui", "state"]],
];

/** The most specific folder comes first. */
const ZONES: readonly Zone[] = [
  { folder: "src/core/terms", folders: ["src/core/terms", ...CORE_GROUND], packages: isPure },
  { folder: "src/core/encodings", folders: ["src/core/encodings", "src/core/terms", ...CORE_GROUND], packages: isPure },
  { folder: "src/core", folders: ["src/core"], packages: isPure },
  {
    folder: "src/model",
    folders: ["src/core", "src/model"],
    packages: (name) => isPure(name) || (isTfjs(name) && name !== "@tensorflow/tfjs"),
  },
  {
    folder: "src/host/platform/openRange.node.ts",
    folders: ["src/core"],
    packages: (name) => isNode(name) || isPure(name),
  },
  { folder: "src/host", folders: ["src/core", "src/host"], packages: (name) => name === "vscode" || isPure(name) },
  {
    folder: "src/cli",
    folders: ["src/core", "src/model", "src/cli"],
    packages: (name) => isNode(name) || isPure(name),
  },
  ...LAYERS_OF_THE_PAGE.map(([layer, below]) => ({
    folder: `webview/${layer}`,
    folders: ["src/core", "webview/generated", ...[layer, ...below].map((folder) => `webview/${folder}`)],
    packages: (name: string) =>
      isPure(name) || (layer === "engine" && isTfjs(name)) || (layer === "ui" && isToolkit(name)),
  })),
  { folder: "webview", folders: [], packages: () => false },
];

const within = (file: string, folder: string): boolean => file === folder || file.startsWith(`${folder}/`);

const featureOf = (file: string): string | undefined => file.match(/^src\/host\/features\/([^/]+)/)?.[1];

/** Why an import is forbidden, or undefined. Paths are relative to the repository, with slashes. */
function complaint(file: string, specifier: string): string | undefined {
  const zone = ZONES.find(({ folder }) => within(file, folder));
  if (zone === undefined) return `${file} is in no zone`;
  if (!specifier.startsWith(".")) {
    return zone.packages(specifier) ? undefined : `${file} may not import ${specifier}`;
  }
  const target = path.posix.join(path.posix.dirname(file), specifier.replace(/\?.*$/, ""));
  if (!zone.folders.some((folder) => within(target, folder))) return `${file} may not import ${target}`;
  const [mine, theirs] = [featureOf(file), featureOf(target)];
  if (mine !== undefined && theirs !== undefined && mine !== theirs)
    return `${file} imports another feature, ${target}`;
  return undefined;
}

const sources = globSync(["src/**/*.ts", "webview/**/*.ts"], { cwd: root }).map((file) => file.replaceAll("\\", "/"));

describe("the import zones", () => {
  test("are respected by every source file", () => {
    const complaints = sources.flatMap((file) => {
      const specifiers = importsOf(readFileSync(path.join(root, file), "utf8"));
      return specifiers.flatMap((specifier) => complaint(file, specifier) ?? []);
    });
    expect(complaints).toEqual([]);
  });

  test("cover all places of execution", () => {
    const seen = new Set(sources.map((file) => ZONES.find(({ folder }) => within(file, folder))?.folder));
    expect([...seen].sort()).toEqual(ZONES.map(({ folder }) => folder).sort());
  });

  test.each([
    ["src/core/spec.ts", "vscode"],
    ["src/core/spec.ts", "node:fs"],
    ["src/core/spec.ts", "@tensorflow/tfjs-core"],
    ["src/core/spec.ts", "../host/services.ts"],
    ["src/core/encodings/rope/rope.ts", "../../../webview/state/store.ts"],
    ["src/core/encodings/rope/rope.ts", "../../measure/pairs.ts"],
    ["src/core/terms/content.ts", "../encodings/encoding.ts"],
    ["src/core/terms/numbering.ts", "../protocol/state.ts"],
    ["src/cli/main.ts", "../host/services.ts"],
    ["src/cli/main.ts", "vscode"],
    ["src/cli/main.ts", "@tensorflow/tfjs-core"],
    ["src/core/spec.ts", "../model/modelSpec.ts"],
    ["src/model/loadedModel.ts", "node:fs"],
    ["src/model/loadedModel.ts", "@tensorflow/tfjs"],
    ["src/model/loadedModel.ts", "../cli/main.ts"],
    ["src/host/extension.ts", "node:fs"],
    ["src/host/extension.ts", "../../webview/panel/main.ts"],
    ["src/host/platform/openFile.ts", "node:fs/promises"],
    ["src/host/platform/openRange.node.ts", "../services.ts"],
    ["src/host/features/hover/hover.ts", "../panel/panel.ts"],
    ["webview/panel/main.ts", "vscode"],
    ["webview/panel/main.ts", "@vscode/webview-ui-toolkit"],
    ["webview/views/table/table.ts", "@tensorflow/tfjs-core"],
    ["webview/ui/button.ts", "@tensorflow/tfjs-core"],
    ["webview/engine/renderer.ts", "../../src/host/services.ts"],
    ["webview/engine/renderer.ts", "../state/page.ts"],
    ["webview/ui/palette.ts", "../state/page.ts"],
    ["webview/matrix/viewport.ts", "../engine/renderer.ts"],
    ["webview/state/page.ts", "../views/view.ts"],
    ["webview/figure/overlay.ts", "../views/view.ts"],
    ["webview/views/bias.ts", "../panel/panelPage.ts"],
    ["webview/side/main.ts", "../panel/panelPage.ts"],
    ["webview/panel/main.ts", "../side/main.ts"],
  ])("forbid %s to import %s", (file, specifier) => {
    expect(complaint(file, specifier)).toBeDefined();
  });

  test("detect every form of an import", () => {
    const source = `import a from "a";\nimport type { b } from "b";\nimport "c";\nexport * from "d";
export { e } from "e";\nimport {\n  f,\n} from "f";\nconst g = await import("g");\nimport data from "h" with { type: "json" };`;
    expect(importsOf(source).sort()).toEqual(["a", "b", "c", "d", "e", "f", "g", "h"]);
  });
});
