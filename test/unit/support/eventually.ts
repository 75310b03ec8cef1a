import { vi } from "vitest";

/** Milliseconds to wait for a state, enough for a busy machine. */
const LIMIT = 30_000;

/**
 * Waits until a check passes, and returns its result. For asynchronous states: events, timers, modules that
 * load. `interval` is in milliseconds.
 */
export function eventually<T>(check: () => T | Promise<T>, interval = 50): Promise<T> {
  return vi.waitFor(check, { timeout: LIMIT, interval });
}
