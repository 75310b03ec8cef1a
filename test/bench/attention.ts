import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { build } from "esbuild";
import { atMost, type Case, median } from "../../scripts/lib/bench/case.ts";
import { root } from "../../scripts/lib/root.ts";

interface Times {
  readonly first: number;
  readonly whole: number;
}

/** The model's own attention: GPT-2 small's shape, 128 tokens, all layers, weights in memory, WASM on one thread. */
export default async function attention(): Promise<readonly Case[]> {
  const scratch = await mkdtemp(path.join(tmpdir(), "posenc-bench-"));
  try {
    const outfile = path.join(scratch, "attentionOnce.cjs");
    await build({
      entryPoints: [path.join(root, "test/bench/support/attentionOnce.ts")],
      bundle: true,
      platform: "node",
      // The WASM backend loads Node's modules by `require`.
      format: "cjs",
      mainFields: ["module", "main"],
      external: ["node-fetch"],
      outfile,
      logLevel: "warning",
    });
    const wasm = `${path.join(root, "dist/wasm")}/`;
    const { stdout } = await promisify(execFile)(process.execPath, [outfile, "", wasm]);
    const times: readonly Times[] = JSON.parse(stdout);
    return [
      atMost(
        "attention of the first layer, GPT-2 small, 128 tokens",
        median(times.map(({ first }) => first)),
        300,
        "ms",
      ),
      atMost("attention of all 12 layers", median(times.map(({ whole }) => whole)), 1500, "ms"),
    ];
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}
