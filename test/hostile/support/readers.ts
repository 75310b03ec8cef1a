import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { build } from "esbuild";
import { root } from "../../unit/support/files.ts";
import { type Run, runNode } from "./run.ts";

const script = path.join(root, "out/hostile/readOnce.cjs");

/** Bundles `readOnce.ts`, which runs one reader of the extension on one file. Once a test file, in `beforeAll`. */
export async function buildReaders(): Promise<void> {
  await build({
    absWorkingDir: root,
    entryPoints: ["test/hostile/support/readOnce.ts"],
    outfile: script,
    bundle: true,
    platform: "node",
    format: "cjs",
    target: "node20",
    mainFields: ["module", "main"],
    logLevel: "warning",
    alias: {
      "@vscode/l10n": "@vscode/l10n/dist/browser.js",
      vscode: path.join(root, "test/unit/stub/vscode.ts"),
    },
  });
}

/** A new folder for hostile files. */
export const scratchFolder = (): string => mkdtempSync(path.join(os.tmpdir(), "posenc-hostile-"));

/** Writes a file with its folders, and gives its path. */
export function put(folder: string, name: string, content: string | Uint8Array): string {
  const file = path.join(folder, name);
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, content);
  return file;
}

/** Runs one reader on a file, in a process of its own. */
export const runReader = (reader: string, file: string, ...rest: readonly string[]): Promise<Run> =>
  runNode(script, [reader, file, ...rest]);
