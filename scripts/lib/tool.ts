import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import path from "node:path";
import { root } from "./bundles.ts";

export interface Outcome {
  readonly status: number;
  /** What it wrote, when captured. */
  readonly output: string;
}

/** The file behind a tool of node_modules/.bin, to be run with this very Node on every system. */
function entryOf(packageName: string, bin: string): string {
  const folder = path.join(root, "node_modules", packageName);
  const described: unknown = JSON.parse(readFileSync(path.join(folder, "package.json"), "utf8"));
  const bins = described !== null && typeof described === "object" && "bin" in described ? described.bin : undefined;
  if (typeof bins === "string") return path.join(folder, bins);
  const found = bins !== null && typeof bins === "object" ? Reflect.get(bins, bin) : undefined;
  if (typeof found !== "string") throw new Error(`${packageName} has no command ${bin}`);
  return path.join(folder, found);
}

export interface Tool {
  readonly package: string;
  readonly bin?: string;
  readonly args: readonly string[];
  readonly capture?: boolean;
  /** Milliseconds after which it is killed, and has failed. */
  readonly limit?: number | undefined;
}

/** Runs a tool from node_modules in the repository's folder. */
export function runTool({ package: name, bin = name, args, capture = false, limit }: Tool): Promise<Outcome> {
  const child = spawn(process.execPath, [entryOf(name, bin), ...args], {
    cwd: root,
    stdio: capture ? ["ignore", "pipe", "pipe"] : "inherit",
    timeout: limit,
    killSignal: "SIGKILL",
  });
  let output = "";
  child.stdout?.on("data", (chunk) => {
    output += chunk;
  });
  child.stderr?.on("data", (chunk) => {
    output += chunk;
  });
  return new Promise((settle, fail) => {
    child.on("error", fail);
    child.on("close", (status) => settle({ status: status ?? 1, output }));
  });
}
