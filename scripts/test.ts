import { runChecks, type Tally } from "./lib/runChecks.ts";
import { runSuite, SUITES } from "./lib/runSuite.ts";

interface Result extends Tally {
  readonly name: string;
  readonly seconds: number;
}

async function measured(name: string, run: () => Promise<Tally>): Promise<Result> {
  console.log(`\n── ${name} ${"─".repeat(Math.max(0, 70 - name.length))}`);
  const start = performance.now();
  const tally = await run().catch((failure: unknown): Tally => {
    console.error(failure);
    return { passed: 0, failed: 1 };
  });
  return { name, ...tally, seconds: (performance.now() - start) / 1000 };
}

/** What it loads may be what is broken, and must not take the last line with it. */
async function buildTally(): Promise<Tally> {
  const { buildAll } = await import("./lib/buildAll.ts");
  await buildAll({ minify: true });
  return { passed: 1, failed: 0 };
}

/** Continuous integration ends at a quarter of an hour: what hangs is failed before that, and the count still told. */
const DEADLINE = process.env["CI"] === undefined ? null : 13 * 60_000;

function timeLeft(): number | undefined {
  return DEADLINE === null ? undefined : Math.max(1, Math.round(DEADLINE - performance.now()));
}

/** Everything, one after the other: the browsers of two suites would only slow each other down. */
async function main(): Promise<void> {
  const results = [await measured("build", buildTally), await measured("check", runChecks)];
  for (const suite of SUITES) results.push(await measured(suite, () => runSuite(suite, { limit: timeLeft() })));
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
