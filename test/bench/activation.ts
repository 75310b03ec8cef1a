import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { build } from "esbuild";
import { root } from "../../scripts/bundles.ts";
import { atMost, type Case, median } from "./support/case.ts";

const RUNS = 21;

/** Loading the Node bundle and activating it, each time in a fresh process with a stub for VS Code. */
export default async function activation(): Promise<readonly Case[]> {
  const folder = await mkdtemp(path.join(tmpdir(), "posenc-bench-"));
  const once = path.join(folder, "activateOnce.mjs");
  try {
    await build({
      entryPoints: [path.join(root, "test/bench/support/activateOnce.ts")],
      bundle: true,
      platform: "node",
      format: "esm",
      outfile: once,
      logLevel: "warning",
    });
    const times: number[] = [];
    for (let run = 0; run < RUNS; run++) {
      const { stdout } = await promisify(execFile)(process.execPath, [once, path.join(root, "dist/extension.js")]);
      times.push(Number(stdout));
    }
    return [atMost("activation of the extension, cold", median(times), 30, "ms")];
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
