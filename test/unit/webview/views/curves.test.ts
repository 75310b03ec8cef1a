import { describe, expect, test } from "vitest";
import { logitMatrix } from "../../../../src/core/terms/engine.ts";
import { computeCurves } from "../../../../webview/views/curves/computeCurves.ts";
import { resolvedEncoding, square } from "../../support/resolvedEncoding.ts";

const random = { content: { seed: 3 } } as const;

describe("the curve data", () => {
  test("from a closed form equals the row of the matrix", () => {
    const subject = resolvedEncoding("t5_bias", square(64));
    const set = computeCurves(subject, 63);
    expect(set.row).toBeNull();
    const last = logitMatrix(
      subject.attention,
      [63],
      Array.from({ length: 64 }, (_, delta) => 63 - delta),
    );
    const curve = set.curves.find(({ heads }) => heads.includes(0));
    expect(Array.from(set.deltas)).toEqual(Array.from({ length: 64 }, (_, delta) => delta));
    last.forEach((value, delta) => {
      expect(curve?.high[delta]).toBeCloseTo(value, 12);
    });
  });

  test("is one curve for equal heads, and separate ones for ALiBi's", () => {
    expect(computeCurves(resolvedEncoding("rope", square(64)), 0).curves.map(({ heads }) => heads.length)).toEqual([8]);
    expect(computeCurves(resolvedEncoding("alibi", square(64)), 0).curves).toHaveLength(8);
  });

  test("of random content is measured along the row, with each distance at its place", () => {
    const subject = resolvedEncoding("alibi", { ...square(48), ...random });
    const set = computeCurves(subject, 40);
    expect(set.row).toBe(40);
    expect([set.from, set.to]).toEqual([0, 40]);
    const expected = logitMatrix(subject.attention, [40], [33])[0] ?? Number.NaN;
    expect(set.curves.find(({ heads }) => heads.includes(0))?.at(7)).toBe(expected);
  });

  test("of a long curve has bands around the exact sampled values, and is marked as sampled", () => {
    const set = computeCurves(resolvedEncoding("rope", { ...square(200_000), changes: { rope_theta: 500_000 } }), 0);
    expect([set.condensed, set.sampled]).toEqual([true, true]);
    const [curve] = set.curves;
    expect(curve?.low.every((low, n) => low <= (curve.high[n] ?? Number.NEGATIVE_INFINITY))).toBe(true);
    expect(set.deltas).toHaveLength(480);
  });
});
