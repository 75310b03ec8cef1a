import { describe, expect, it } from "vitest";
import { initialPanelState } from "../../src/core/protocol/state.ts";
import { derivePanelEncoding } from "../../webview/state/panelEncoding.ts";
import { computeTermRaster } from "../../webview/views/terms/termRaster.ts";
import { cpuTime } from "../unit/support/cpuTime.ts";

describe("thumbnails of the terms", () => {
  it.each(["sinusoidal", "learned_absolute"] as const)("of %s with the most dimensions take seconds", (id) => {
    const panel = { ...initialPanelState(id), changes: { hidden_size: 65_536, num_heads: 16 } };
    const resolved = derivePanelEncoding(panel, null)?.resolved;
    if (resolved === undefined || resolved === null) throw new Error("cannot be drawn");
    const viewport = { row: 0, column: 0, rows: 512, columns: 512 };
    for (const term of resolved.attention.terms) {
      const start = cpuTime();
      const { values } = computeTermRaster(resolved.attention, term, viewport);
      expect(values.length).toBeGreaterThan(400);
      expect(cpuTime() - start, term.id).toBeLessThan(2000);
    }
  });
});
