import { expect } from "vitest";
import type { Run } from "./run.ts";

/** What SECURITY.md promises for one hostile input. */
const MAX_SECONDS = 2;
const MAX_MEGABYTES = 500;

/** @param run must have ended by itself, in bounded time and memory, and without a stack trace */
export function expectBounded(run: Run): void {
  expect(run.exitCode, run.stderr.slice(0, 2000)).not.toBeNull();
  expect(run.stderr + run.stdout.slice(0, 10_000)).not.toMatch(/^\s+at .*\(?(?:file:|node:|\/).*:\d+:\d+\)?$/m);
  expect(run.seconds).toBeLessThan(MAX_SECONDS);
  expect(run.megabytes).toBeLessThan(MAX_MEGABYTES);
}
