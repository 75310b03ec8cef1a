import { describe, expect, test } from "vitest";
import { alibi } from "../../../../src/core/encodings/alibi.ts";
import type { Encoding } from "../../../../src/core/encodings/encoding.ts";
import { none } from "../../../../src/core/encodings/none.ts";
import { wavelengths } from "../../../../src/core/encodings/rope/frequencies.ts";
import { requireParams } from "../../../../src/core/encodings/support/schema.ts";
import { measureHalfDecay } from "../../../../src/core/measure/decay.ts";
import {
  countDistinctBfloat16,
  countFullyRotatingPairs,
  firstBfloat16Collision,
} from "../../../../src/core/measure/frequencies.ts";
import { formatCompact, measureEncoding } from "../../../../src/core/measure/measurements.ts";
import { measureShiftInvarianceError } from "../../../../src/core/measure/shiftInvariance.ts";
import { knownEncoding } from "../../support/knownEncoding.ts";

describe("bfloat16 positions", () => {
  test("repeat first at 257", () => {
    expect(firstBfloat16Collision(4096)).toBe(257);
    expect(firstBfloat16Collision(257)).toBeUndefined();
  });

  test("have 769 distinct values among 4096, and 1409 among 131072", () => {
    expect(countDistinctBfloat16(4096)).toBe(769);
    expect(countDistinctBfloat16(131_072)).toBe(1409);
  });
});

describe("frequency measurements", () => {
  const frequencies = Array.from({ length: 64 }, (_, k) => 1e6 ** (-k / 64));

  test("count one full rotation in 2π tokens for the fastest pair, and none for an unrotated one", () => {
    expect(wavelengths([1, 0])).toEqual([2 * Math.PI, Number.POSITIVE_INFINITY]);
  });

  test("count the pairs of Qwen2.5 with a wavelength within 32768 tokens as having seen every angle", () => {
    // 2π·1e6^(k/64) ≤ 32768 ⇔ k ≤ 64·ln(32768/2π)/ln(1e6) = 39.6: 40 pairs, k = 0 … 39.
    expect(countFullyRotatingPairs(frequencies, 32_768)).toBe(40);
  });
});

describe("the half-decay distance", () => {
  const rope = (theta: number) => {
    const found = knownEncoding("rope");
    return measureHalfDecay(found, requireParams(found, { head_dim: 128, rope_theta: theta }))?.distance;
  };

  test("is 8 for ALiBi's first head in both forms", () => {
    // head_dim 64: q · k / √64 = 8; slope of head 0 of 8: 1/2.
    for (const variant of ["paper", "bloom"]) {
      expect(measureHalfDecay(alibi, requireParams(alibi, { variant }))?.distance).toBe(8);
    }
  });

  test("is where the mean of cos ω_k δ falls to 1/2 for RoPE, later for a larger base", () => {
    const mean = (theta: number, delta: number) =>
      Array.from({ length: 64 }, (_, k) => Math.cos(delta * theta ** (-k / 64))).reduce((a, b) => a + b) / 64;
    for (const theta of [1e4, 1e6]) {
      let first = 1;
      while (mean(theta, first) > 0.5) first++;
      expect(rope(theta)).toBe(first);
    }
    expect(rope(1e6)).toBeGreaterThan(rope(1e4) ?? Number.POSITIVE_INFINITY);
  });

  test("is absent for absolute encodings and for missing trained weights", () => {
    for (const id of ["none", "sinusoidal", "t5_bias", "cope"]) {
      const encoding = knownEncoding(id);
      expect(measureHalfDecay(encoding, requireParams(encoding, {}))).toBeUndefined();
    }
  });
});

describe("shift invariance", () => {
  test("holds for ALiBi and for no encoding when both positions move", () => {
    for (const encoding of [alibi, none]) {
      expect(measureShiftInvarianceError(encoding, requireParams(encoding, {}))).toBeLessThan(1e-12);
    }
  });

  test("holds for the column form of ALiBi up to a constant per row, which softmax ignores", () => {
    expect(measureShiftInvarianceError(alibi, requireParams(alibi, { variant: "bloom" }))).toBeLessThan(1e-12);
  });

  test("fails for a bias that multiplies absolute positions", () => {
    const absolute: Encoding = {
      ...none,
      terms: (_params, scene) => [
        {
          kind: "bias",
          id: "bias",
          role: "position_position",
          name: { en: "made up", zh: "虚构" },
          scale: 1,
          value: (i, j) => (i + scene.shift) * (j + scene.shift),
        },
      ],
    };
    expect(measureShiftInvarianceError(absolute, requireParams(none, {}))).toBeGreaterThan(1);
  });
});

describe("a measurement", () => {
  test("has a number in readable form", () => {
    expect([20_300_000, 45_100_000, 6.283, 257, 131_072, Number.POSITIVE_INFINITY].map(formatCompact)).toEqual([
      "20.3 M",
      "45.1 M",
      "6.28",
      "257",
      "131 k",
      "∞",
    ]);
  });

  test("of frequencies is absent for an encoding without any", () => {
    expect(measureEncoding(alibi, requireParams(alibi, {})).map(({ id }) => id)).toEqual(["shift_invariance", "decay"]);
  });
});
