import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import path from "node:path";
import { root } from "./root.ts";

export interface ToolResult {
  readonly status: number;
  /** Output, if captured. */
  readonly output: string;
}

/** The script behind a tool in node_modules/.bin, so that it runs with the current Node on every system. */
function findBin(packageName: string, bin: string): string {
  const folder = path.join(root, "node_modules", packageName);
  const described: unknown = JSON.parse(readFileSync(path.join(folder, "package.json"), "utf8"));
  const bins = described !== null && typeof described === "object" && "bin" in described ? described.bin : undefined;
  if (typeof bins === "string") return path.join(folder, bins);
  const entry = bins !== null && typeof bins === "object" ? Reflect.get(bins, bin) : undefined;
  if (typeof entry !== "string") throw new Error(`${packageName} has no command ${bin}`);
  return path.join(folder, entry);
}

export interface Tool {
  readonly package: string;
  readonly bin?: string;
  readonly args: readonly string[];
  readonly capture?: boolean;
  /** Killed after this time, which counts as a failure. */
  readonly limitMs?: number | undefined;
}

/** Runs a tool from node_modules in the repository root. */
export function runTool({ package: name, bin = name, args, capture = false, limitMs }: Tool): Promise<ToolResult> {
  const child = spawn(process.execPath, [findBin(name, bin), ...args], {
    cwd: root,
    stdio: capture ? ["ignore", "pipe", "pipe"] : "inherit",
    timeout: limitMs,
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
