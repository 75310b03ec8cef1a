import { writeFormulas } from "./formulas.ts";
import { type Outcome, runTool } from "./tool.ts";

export interface Tally {
  readonly passed: number;
  readonly failed: number;
}

interface Check {
  readonly name: string;
  run(): Promise<Outcome>;
}

/** One TypeScript project a place: what a place may not know, its project does not have. */
const PROJECTS = ["src/core", "src/host", "src/cli", "webview", "test", "scripts"];

const checks: readonly Check[] = [
  {
    name: "format and lint (with the import zones)",
    run: () =>
      runTool({ package: "@biomejs/biome", bin: "biome", args: ["check", "--error-on-warnings"], capture: true }),
  },
  ...PROJECTS.map((project) => ({
    name: `types of ${project}`,
    run: () => runTool({ package: "typescript", bin: "tsc", args: ["-p", project], capture: true }),
  })),
  { name: "no dead code", run: () => runTool({ package: "knip", args: ["--no-progress"], capture: true }) },
];

/** Format, lint, types and dead code; prints what fails. */
export async function runChecks(): Promise<Tally> {
  await writeFormulas();
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

if (import.meta.main) {
  const { failed } = await runChecks();
  process.exit(failed === 0 ? 0 : 1);
}
