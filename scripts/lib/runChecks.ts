import { runTool, type ToolResult } from "./tool.ts";

export interface Tally {
  readonly passed: number;
  readonly failed: number;
}

interface Check {
  readonly name: string;
  run(): Promise<ToolResult>;
}

/** One TypeScript project per place of execution, so that each sees only the APIs it may use. */
const TYPESCRIPT_PROJECTS = ["src/core", "src/model", "src/host", "src/cli", "webview", "test", "scripts"];

/** Imported lazily, because it loads all of core: if that is broken, only this check fails. */
async function compileFormulas(): Promise<ToolResult> {
  try {
    const { writeFormulas } = await import("./formulas.ts");
    await writeFormulas();
    return { status: 0, output: "" };
  } catch (failure) {
    return { status: 1, output: failure instanceof Error ? (failure.stack ?? failure.message) : String(failure) };
  }
}

const checks: readonly Check[] = [
  { name: "formulas", run: compileFormulas },
  {
    name: "format and lint (with the import zones)",
    run: () =>
      runTool({ package: "@biomejs/biome", bin: "biome", args: ["check", "--error-on-warnings"], capture: true }),
  },
  ...TYPESCRIPT_PROJECTS.map((project) => ({
    name: `types of ${project}`,
    run: () => runTool({ package: "typescript", bin: "tsc", args: ["-p", project], capture: true }),
  })),
  { name: "no dead code", run: () => runTool({ package: "knip", args: ["--no-progress"], capture: true }) },
];

/** Checks format, lint, types and dead code; prints what fails. */
export async function runChecks(): Promise<Tally> {
  let failed = 0;
  for (const check of checks) {
    const { status, output } = await check.run();
    console.log(`${status === 0 ? "ok    " : "FAILED"}  ${check.name}`);
    if (status === 0) continue;
    failed++;
    console.log(output);
  }
  return { passed: checks.length - failed, failed };
}
