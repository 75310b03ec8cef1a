import { spawn } from "node:child_process";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { root } from "../../unit/support/files.ts";

/** A process that takes longer hangs. */
const KILL_AFTER_MS = 20_000;

export interface Run {
  readonly exitCode: number | null;
  readonly stdout: string;
  readonly stderr: string;
  /** Of the process's own work and of the clock, the smaller one: other work of the machine does not count. */
  readonly seconds: number;
  /** Peak of the resident set. */
  readonly megabytes: number;
}

const measure = pathToFileURL(path.join(import.meta.dirname, "measure.mjs")).href;

/** Runs a program in a Node process of its own, so that a hang or a crash fails one test. */
export function runNode(script: string, args: readonly string[], cwd = root, killAfter = KILL_AFTER_MS): Promise<Run> {
  const start = performance.now();
  const flags = ["--import", measure, "--max-old-space-size=2000"];
  const child = spawn(process.execPath, [...flags, script, ...args], {
    cwd,
    stdio: ["ignore", "pipe", "pipe", "pipe"],
    timeout: killAfter,
    killSignal: "SIGKILL",
  });
  const [out, err, usage] = [child.stdout, child.stderr, child.stdio[3]].map((stream) => {
    const chunks: Buffer[] = [];
    stream?.on("data", (chunk: Buffer) => void chunks.push(chunk));
    return () => Buffer.concat(chunks).toString("utf8");
  });
  return new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (exitCode) => {
      const wall = (performance.now() - start) / 1000;
      const used = JSON.parse(usage?.() || '{"kilobytes":null,"microseconds":null}');
      const seconds = used.microseconds === null ? wall : Math.min(wall, used.microseconds / 1e6);
      const megabytes = used.kilobytes === null ? Number.POSITIVE_INFINITY : used.kilobytes / 1024;
      resolve({ exitCode, stdout: out?.() ?? "", stderr: err?.() ?? "", seconds, megabytes });
    });
  });
}

/** The built command line. */
export function runCli(args: readonly string[], cwd?: string, killAfter?: number): Promise<Run> {
  return runNode(path.join(root, "dist/cli.js"), args, cwd, killAfter);
}
