import { describe, expect, test } from "vitest";
import { axisFraction, axisValue, nearestWhole, roomyBounds } from "../../../../webview/ui/chart/chart.ts";

describe("the scale of a chart", () => {
  const log = { label: "", scale: "log", from: 1, to: 10_000 } as const;

  test("inverts a fraction of an axis to its value", () => {
    for (const axis of [log, { ...log, scale: "linear" as const }]) {
      expect(axisFraction(axis, axisValue(axis, 0.3))).toBeCloseTo(0.3, 12);
    }
    expect(axisFraction(log, 100)).toBeCloseTo(0.5, 12);
    expect(nearestWhole(log, 2)).toBe(10_000);
  });

  test("has an axis for equal values, no values and infinities", () => {
    const [low, high] = roomyBounds([5, 5, Number.POSITIVE_INFINITY]);
    expect(low < 5 && high > 5).toBe(true);
    expect(roomyBounds([])).toEqual([0, 1]);
  });
});
