import { setTimeout as pause } from "node:timers/promises";
import { errors } from "playwright-core";
import { errorMessage } from "../../../../src/core/util/errors.ts";

/** Milliseconds within which a step succeeds or has failed: less than a test may take, so that the step is named. */
export const STEP_LIMIT = 30_000;
/** Milliseconds that one attempt waits for an element of the workbench, which is there already or comes at once. */
export const ATTEMPT_LIMIT = 5_000;
/** Milliseconds that one attempt waits for what the extension computes, loads or draws. */
export const EFFECT_LIMIT = 10_000;
const BETWEEN_ATTEMPTS = 50;

/** Why a step has to begin again; undefined once it is done. */
export type Outcome = string | undefined;

/**
 * Does a step of a journey, and begins it again while it gives a reason to or what it looks for is not there in time.
 * VS Code moves the focus and rebuilds its lists at moments of its own; a person would press the key or click the row
 * again. Anything else that goes wrong is an error at once.
 * @throws Error that names the step and its reasons, when the limit has passed
 */
export async function attempt(step: string, once: () => Promise<Outcome>): Promise<void> {
  const start = performance.now();
  const reasons = new Set<string>();
  do {
    const reason = await once().catch(reasonOf);
    if (reason === undefined) return;
    if (!reasons.has(reason)) console.log(`${step} begins again: ${reason}`);
    reasons.add(reason);
    await pause(BETWEEN_ATTEMPTS);
  } while (performance.now() - start < STEP_LIMIT);
  throw new Error(`${step} did not succeed within ${STEP_LIMIT / 1000} s:\n${[...reasons].join("\n")}`);
}

/** Why an element could not be used: it did not come, or went away. */
function reasonOf(failure: unknown): string {
  const message = errorMessage(failure);
  if (!(failure instanceof errors.TimeoutError || /not attached|was detached/.test(message))) throw failure;
  const lines = message.split("\n");
  // Below what happened, Playwright has the locator that it waited for.
  return [lines[0], lines.find((line) => line.includes("waiting for"))?.trim()].filter(Boolean).join(" ");
}
