import { vi } from "vitest";

// By default a state may take a second to come, which on a busy machine it does.
const { waitFor } = vi;
vi.waitFor = (check, options) =>
  waitFor(check, typeof options === "number" ? options : { timeout: 60_000, ...options });
