import { describe, expect, test } from "vitest";
import { requireParams } from "../../../../src/core/encodings/support/schema.ts";
import { computePairSet, countPairsWithUnseenAngles, rotationsWithin } from "../../../../src/core/measure/pairs.ts";
import type { Params } from "../../../../src/core/spec.ts";
import { scalingRuns, wavelengthBounds } from "../../../../webview/views/frequencies/scalingRuns.ts";
import { knownEncoding } from "../../support/knownEncoding.ts";

const QWEN: Params = {
  rope_type: "yarn",
  rope_theta: 1_000_000,
  factor: 4,
  original_max_position_embeddings: 32_768,
  max_position_embeddings: 131_072,
};

function pairs(params: Params, length = 0) {
  const rope = knownEncoding("rope");
  const set = computePairSet(rope, requireParams(rope, params), length);
  if (set === null) throw new Error("no pairs");
  return set;
}

describe("the pair data", () => {
  test("of YaRN keeps fast pairs, divides slow ones by the factor, and blends those between", () => {
    const set = pairs(QWEN);
    expect(scalingRuns(set).map(({ scaling }) => scaling)).toEqual(["kept", "blended", "divided"]);
    for (const pair of set.pairs) {
      expect(pair.divisor).toBeGreaterThanOrEqual(1 - 1e-12);
      expect(pair.divisor).toBeLessThanOrEqual(4 + 1e-12);
    }
    expect([set.trainingContext, set.extendedContext]).toEqual([32_768, 131_072]);
  });

  test("divides every pair for linear scaling, and none without scaling", () => {
    const linear = pairs({ rope_type: "linear", factor: 8 });
    expect(scalingRuns(linear)).toEqual([{ scaling: "divided", from: 0, to: 63 }]);
    expect(scalingRuns(pairs({}))).toEqual([{ scaling: "kept", from: 0, to: 63 }]);
  });

  test("has unseen angles for slow pairs at four times the length without scaling, and none with linear scaling or YaRN", () => {
    const plain = pairs({ rope_theta: 1_000_000, max_position_embeddings: 32_768 });
    const slow = plain.pairs.filter(({ unscaledOmega: omega }) => rotationsWithin(omega, 32_768) < 1).length;
    expect(slow).toBe(24);
    expect(countPairsWithUnseenAngles(plain, 131_072)).toBe(slow);
    expect(countPairsWithUnseenAngles(plain, 32_768)).toBe(0);
    expect(countPairsWithUnseenAngles(pairs(QWEN), 131_072)).toBe(0);
    expect(
      countPairsWithUnseenAngles(pairs({ rope_type: "linear", factor: 4, max_position_embeddings: 4096 }), 16_384),
    ).toBe(0);
  });

  test("of dynamic NTK has larger divisors for longer calls", () => {
    const params = { rope_type: "dynamic", factor: 2, max_position_embeddings: 4096 };
    const last = (length: number) => pairs(params, length).pairs.at(-1)?.divisor ?? 0;
    expect(last(4096)).toBeCloseTo(1, 12);
    expect(last(16_384)).toBeGreaterThan(last(8192));
  });

  test("is absent for ALiBi", () => {
    const alibi = knownEncoding("alibi");
    expect(computePairSet(alibi, requireParams(alibi, {}), 0)).toBeNull();
  });

  test("has a wavelength axis that includes every pair and both contexts", () => {
    const set = pairs(QWEN);
    const [low, high] = wavelengthBounds(set);
    expect(low).toBeLessThanOrEqual(2 * Math.PI);
    expect(high).toBeGreaterThanOrEqual(131_072);
    expect([Math.log10(low) % 1, Math.log10(high) % 1]).toEqual([0, 0]);
  });
});
