import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { atMost, type Case, median } from "../../scripts/lib/bench/case.ts";
import { ownProcess } from "./support/ownProcess.ts";

const RUNS = 21;

/** Loading the Node bundle and activating it, each time in a fresh process with a stub for VS Code. */
export default async function activation(): Promise<readonly Case[]> {
  const folder = await mkdtemp(path.join(tmpdir(), "posenc-bench-"));
  try {
    const once = await ownProcess("activateOnce", folder);
    const times: number[] = [];
    for (let run = 0; run < RUNS; run++) times.push(Number(await once()));
    return [atMost("activation of the extension, cold", median(times), 30, "ms")];
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
