import { mkdir, readFile, rm } from "node:fs/promises";
import path from "node:path";
import { root } from "./root.ts";
import type { Tally } from "./runChecks.ts";
import { runTool } from "./tool.ts";

export const SUITES = ["unit", "golden", "cli", "hostile", "webview", "workbench"] as const;
export type Suite = (typeof SUITES)[number];

export const isSuite = (name: string): name is Suite => SUITES.some((suite) => suite === name);

/** The part of vitest's JSON report that is read. */
interface VitestReport {
  readonly numPassedTests: number;
  readonly numFailedTests: number;
  readonly numPendingTests: number;
  readonly testResults: readonly { readonly status: string; readonly assertionResults: readonly unknown[] }[];
}

const reportFile = (suite: Suite): string => path.join(root, "out/results", `${suite}.json`);

async function readReport(suite: Suite): Promise<VitestReport | null> {
  try {
    return JSON.parse(await readFile(reportFile(suite), "utf8"));
  } catch {
    return null;
  }
}

function countResults(report: VitestReport | null, status: number): Tally {
  if (report === null) return { passed: 0, failed: 1 };
  // A file that failed to load has no tests to count, and a skipped test proves nothing.
  const notLoaded = report.testResults.filter((file) => file.status === "failed" && file.assertionResults.length === 0);
  const failed = report.numFailedTests + report.numPendingTests + notLoaded.length;
  return { passed: report.numPassedTests, failed: status !== 0 && failed === 0 ? 1 : failed };
}

export interface SuiteRun {
  /** Additional arguments for vitest. */
  readonly extra?: readonly string[];
  readonly limitMs?: number | undefined;
}

/** Runs one suite with vitest. A crash and a timeout count as failures. */
export async function runSuite(suite: Suite, { extra = [], limitMs }: SuiteRun = {}): Promise<Tally> {
  await mkdir(path.dirname(reportFile(suite)), { recursive: true });
  await rm(reportFile(suite), { force: true });
  const reporters = ["--reporter=default", "--reporter=json", `--outputFile.json=${reportFile(suite)}`];
  const args = ["run", "--project", suite, ...reporters, ...extra];
  const { status } = await runTool({ package: "vitest", args, limitMs });
  return countResults(await readReport(suite), status);
}
