import { runChecks, type Tally } from "./lib/runChecks.ts";
import { runSuite, SUITES } from "./lib/runSuite.ts";

interface StepResult extends Tally {
  readonly name: string;
  readonly seconds: number;
}

async function measure(name: string, run: () => Promise<Tally>): Promise<StepResult> {
  console.log(`\n── ${name} ${"─".repeat(Math.max(0, 70 - name.length))}`);
  const start = performance.now();
  const tally = await run().catch((failure: unknown): Tally => {
    console.error(failure);
    return { passed: 0, failed: 1 };
  });
  return { name, ...tally, seconds: (performance.now() - start) / 1000 };
}

/** Imported lazily: if it fails to load, the summary is still printed. */
async function tallyBuild(): Promise<Tally> {
  const { buildAll } = await import("./lib/buildAll.ts");
  await buildAll({ minify: true });
  return { passed: 1, failed: 0 };
}

/** CI stops after 15 minutes; a hanging suite must fail earlier so that the summary is printed. */
const CI_DEADLINE_MS = process.env["CI"] === undefined ? null : 13 * 60_000;

function remainingMs(): number | undefined {
  return CI_DEADLINE_MS === null ? undefined : Math.max(1, Math.round(CI_DEADLINE_MS - performance.now()));
}

/** Runs everything in sequence, because the browsers of two suites would slow each other down. */
async function main(): Promise<void> {
  const results = [await measure("build", tallyBuild), await measure("check", runChecks)];
  for (const suite of SUITES) results.push(await measure(suite, () => runSuite(suite, { limitMs: remainingMs() })));
  console.log("");
  for (const { name, passed, failed, seconds } of results) {
    console.log(`${name.padEnd(10)} ${passed} passed, ${failed} failed (${seconds.toFixed(1)} s)`);
  }
  const sum = (of: "passed" | "failed") => results.reduce((total, result) => total + result[of], 0);
  console.log(`\n${sum("passed")} passed, ${sum("failed")} failed`);
  process.exitCode = sum("failed") === 0 ? 0 : 1;
}

main().catch((failure: unknown) => {
  console.error(failure);
  process.exit(1);
});
