import { describe, expect, test } from "vitest";
import { nearestWhole, roomyBounds } from "../../../../webview/ui/chart/chart.ts";
import { mapScale, scaleValue } from "../../../../webview/ui/scale.ts";

describe("the scale of a chart", () => {
  const log = { label: "", scale: "log", from: 1, to: 10_000 } as const;

  test("inverts a fraction of an axis to its value", () => {
    for (const axis of [log, { ...log, scale: "linear" as const }]) {
      expect(mapScale(axis, [0, 1])(scaleValue(axis, 0.3))).toBeCloseTo(0.3, 12);
    }
    expect(mapScale(log, [20, 10])(100)).toBeCloseTo(15, 12);
    expect(mapScale({ ...log, to: 1 }, [0, 1])(1)).toBe(0.5);
    expect(nearestWhole(log, 0.5)).toBe(100);
    expect(nearestWhole(log, 2)).toBe(10_000);
  });

  test("has an axis for equal values, no values and infinities", () => {
    const [low, high] = roomyBounds([5, 5, Number.POSITIVE_INFINITY]);
    expect(low < 5 && high > 5).toBe(true);
    expect(roomyBounds([])).toEqual([0, 1]);
  });
});
