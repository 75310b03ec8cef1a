import { vi } from "vitest";

/** Milliseconds within which a state comes, on a busy machine too, or never does. */
const LIMIT = 30_000;

/**
 * Waits until a check passes, and gives its result. For states that come by themselves: events, timers, modules that
 * load. `interval` is in milliseconds.
 */
export function eventually<T>(check: () => T | Promise<T>, interval = 50): Promise<T> {
  return vi.waitFor(check, { timeout: LIMIT, interval });
}
