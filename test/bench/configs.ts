import { spawnSync } from "node:child_process";
import { cp, mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { root } from "../../scripts/bundles.ts";
import { atMost, type Case, median } from "./support/case.ts";

const COUNT = 1000;
const RUNS = 5;

/** The sample workspace's configs again and again, each in a folder of its own, as checkpoints of trainings are. */
async function fill(folder: string): Promise<void> {
  const workspace = path.join(root, "test/fixtures/workspace");
  const found = await readdir(workspace, { recursive: true });
  const configs = found.filter((name) => path.basename(name) === "config.json" && !name.startsWith("cut-off")).sort();
  for (let n = 0; n < COUNT; n++) {
    const source = configs[n % configs.length] ?? "";
    await cp(path.join(workspace, source), path.join(folder, `checkpoint-${n}/config.json`));
  }
}

function secondsOf(folder: string): number {
  const began = performance.now();
  const { status, stderr } = spawnSync(process.execPath, [path.join(root, "dist/cli.js"), "check", folder]);
  if (status !== 0) throw new Error(`posenc check: ${status} ${stderr}`);
  return (performance.now() - began) / 1000;
}

/** `posenc check` over a folder of configs, its own start included. */
export default async function configs(): Promise<readonly Case[]> {
  const folder = await mkdtemp(path.join(tmpdir(), "posenc-bench-"));
  try {
    await fill(folder);
    const seconds = Array.from({ length: RUNS }, () => secondsOf(folder));
    return [atMost(`check of ${COUNT} configs on the command line`, median(seconds), 1, "s")];
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
