import { spawnSync } from "node:child_process";
import { cp, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { atMost, type Case, median, plain } from "../../scripts/lib/bench/case.ts";
import { root } from "../../scripts/lib/root.ts";
import { GgufWriter } from "../unit/support/ggufWriter.ts";
import { ownProcess } from "./support/ownProcess.ts";

const COUNT = 1000;
/** Files of a workspace that the editor searches. */
const SCANNED = 400;
const RUNS = 5;

/** Copies of the sample workspace's configs, each in a folder of its own, like training checkpoints. */
async function createWorkspace(folder: string, count: number): Promise<void> {
  const workspace = path.join(root, "test/fixtures/workspace");
  const found = await readdir(workspace, { recursive: true });
  const configs = found.filter((name) => path.basename(name) === "config.json" && !name.startsWith("cut-off")).sort();
  for (let n = 0; n < count; n++) {
    const source = configs[n % configs.length] ?? "";
    await cp(path.join(workspace, source), path.join(folder, `checkpoint-${n}/config.json`));
  }
}

/** Weights whose header is mostly a vocabulary, which the search has to skip. */
function withTokenizer(): Uint8Array {
  const words = Array.from({ length: 150_000 }, (_, index) => `token ${index}`);
  const head = new GgufWriter().string("general.architecture", "llama").uint32("llama.context_length", 8192);
  return head.strings("tokenizer.ggml.tokens", words).bytes();
}

function secondsOf(folder: string): number {
  const began = performance.now();
  const { status, stderr } = spawnSync(process.execPath, [path.join(root, "dist/cli.js"), "check", folder]);
  if (status !== 0) throw new Error(`posenc check: ${status} ${stderr}`);
  return (performance.now() - began) / 1000;
}

/** The first search for models in a fresh extension host, and the longest time that it blocks other work. */
async function search(folder: string, scratch: string): Promise<readonly Case[]> {
  const once = await ownProcess("scanOnce", scratch);
  const runs: { longest: number; whole: number }[] = [];
  for (let run = 0; run < RUNS; run++) runs.push(JSON.parse(await once(folder)));
  const of = (name: "longest" | "whole") => median(runs.map((times) => times[name]));
  return [
    atMost(`longest wait while ${SCANNED} configs and a tokenizer are searched in the editor`, of("longest"), 50, "ms"),
    plain(`search of ${SCANNED} configs in the editor`, of("whole"), "ms"),
  ];
}

/** `posenc check` over a folder of configs, including its start, and the models view over another folder. */
export default async function configs(): Promise<readonly Case[]> {
  const scratch = await mkdtemp(path.join(tmpdir(), "posenc-bench-"));
  const [checked, searched] = [path.join(scratch, "checked"), path.join(scratch, "searched")];
  try {
    await createWorkspace(checked, COUNT);
    await createWorkspace(searched, SCANNED);
    await writeFile(path.join(searched, "llama.gguf"), withTokenizer());
    const seconds = Array.from({ length: RUNS }, () => secondsOf(checked));
    const check = atMost(`check of ${COUNT} configs on the command line`, median(seconds), 1, "s");
    return [check, ...(await search(searched, scratch))];
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}
