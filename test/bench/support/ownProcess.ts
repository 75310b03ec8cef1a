import { execFile } from "node:child_process";
import path from "node:path";
import { promisify } from "node:util";
import { build } from "esbuild";
import { root } from "../../../scripts/lib/root.ts";

/** Bundles a script of this folder; each call runs it in a fresh process and returns its output. */
export async function ownProcess(name: string, folder: string): Promise<(...given: string[]) => Promise<string>> {
  const outfile = path.join(folder, `${name}.mjs`);
  const entryPoints = [path.join(root, `test/bench/support/${name}.ts`)];
  await build({ entryPoints, bundle: true, platform: "node", format: "esm", outfile, logLevel: "warning" });
  const extension = path.join(root, "dist/extension.js");
  return async (...given) => (await promisify(execFile)(process.execPath, [outfile, extension, ...given])).stdout;
}
