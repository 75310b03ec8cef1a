import { spawnSync } from "node:child_process";
import path from "node:path";
import { root } from "../../scripts/lib/root.ts";

export interface Ended {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** The shipped program. */
export const program = path.join(root, "dist/cli.js");

/** Runs the shipped program as a process in a folder. */
export function posencIn(folder: string, ...args: readonly string[]): Ended {
  return spawnSync(process.execPath, [program, ...args], {
    cwd: folder,
    encoding: "utf8",
    maxBuffer: 64 * 1024 * 1024,
  });
}
