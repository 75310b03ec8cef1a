import { describe, expect, test } from "vitest";
import { alibi } from "../../../../src/core/encodings/alibi.ts";
import type { Encoding } from "../../../../src/core/encodings/encoding.ts";
import { encodingById } from "../../../../src/core/encodings/index.ts";
import { none } from "../../../../src/core/encodings/none.ts";
import { requireParams } from "../../../../src/core/encodings/support/schema.ts";
import { measureHalfDecay } from "../../../../src/core/measure/decay.ts";
import {
  countDistinctBfloat16,
  countFullyRotatingPairs,
  firstBfloat16Collision,
  wavelengths,
} from "../../../../src/core/measure/frequencies.ts";
import { formatCompact, measureEncoding } from "../../../../src/core/measure/measurements.ts";
import { measureShiftInvarianceError } from "../../../../src/core/measure/shiftInvariance.ts";

describe("bfloat16 positions", () => {
  test("257 is the first position that is its predecessor's twin", () => {
    expect(firstBfloat16Collision(4096)).toBe(257);
    expect(firstBfloat16Collision(257)).toBeUndefined();
  });

  test("769 different values among 4096 positions, 1409 among 131072", () => {
    expect(countDistinctBfloat16(4096)).toBe(769);
    expect(countDistinctBfloat16(131_072)).toBe(1409);
  });
});

describe("frequencies", () => {
  const frequencies = Array.from({ length: 64 }, (_, k) => 1e6 ** (-k / 64));

  test("the fastest pair turns once in 2π tokens, one that does not turn never", () => {
    expect(wavelengths([1, 0])).toEqual([2 * Math.PI, Number.POSITIVE_INFINITY]);
  });

  test("of Qwen2.5's 64 pairs, those with a wavelength within 32768 tokens have seen every angle", () => {
    // 2π·1e6^(k/64) ≤ 32768 ⇔ k ≤ 64·ln(32768/2π)/ln(1e6) = 39.6: 40 pairs, k = 0 … 39.
    expect(countFullyRotatingPairs(frequencies, 32_768)).toBe(40);
  });
});

describe("decay", () => {
  const rope = (theta: number) => {
    const found = encodingById("rope");
    if (found === undefined) throw new Error("RoPE is in the table");
    return measureHalfDecay(found, requireParams(found, { head_dim: 128, rope_theta: theta }))?.distance;
  };

  test("of ALiBi's first head: 8 of content, 1/2 a token, so half is gone at 8, in both of its forms", () => {
    // head_dim 64: q · k / √64 = 8; slope of head 0 of 8: 1/2.
    for (const variant of ["paper", "bloom"]) {
      expect(measureHalfDecay(alibi, requireParams(alibi, { variant }))?.distance).toBe(8);
    }
  });

  test("of RoPE: the mean of cos ω_k δ first falls to 1/2 there, later for a larger base", () => {
    const mean = (theta: number, delta: number) =>
      Array.from({ length: 64 }, (_, k) => Math.cos(delta * theta ** (-k / 64))).reduce((a, b) => a + b) / 64;
    for (const theta of [1e4, 1e6]) {
      let first = 1;
      while (mean(theta, first) > 0.5) first++;
      expect(rope(theta)).toBe(first);
    }
    expect(rope(1e6)).toBeGreaterThan(rope(1e4) ?? Number.POSITIVE_INFINITY);
  });

  test("is not said of absolute encodings, nor of trained weights that nobody gave", () => {
    for (const id of ["none", "sinusoidal", "t5_bias", "cope"]) {
      const encoding = encodingById(id);
      if (encoding === undefined) throw new Error(`${id} is in the table`);
      expect(measureHalfDecay(encoding, requireParams(encoding, {}))).toBeUndefined();
    }
  });
});

describe("shift invariance", () => {
  test("ALiBi and no encoding do not change when both positions move", () => {
    for (const encoding of [alibi, none]) {
      expect(measureShiftInvarianceError(encoding, requireParams(encoding, {}))).toBeLessThan(1e-12);
    }
  });

  test("the column form of ALiBi differs by a constant a row only, which softmax ignores", () => {
    expect(measureShiftInvarianceError(alibi, requireParams(alibi, { variant: "bloom" }))).toBeLessThan(1e-12);
  });

  test("a bias that multiplies absolute positions does change", () => {
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

describe("measurements", () => {
  test("numbers read as a person writes them", () => {
    expect([20_300_000, 45_100_000, 6.283, 257, 131_072, Number.POSITIVE_INFINITY].map(formatCompact)).toEqual([
      "20.3 M",
      "45.1 M",
      "6.28",
      "257",
      "131 k",
      "∞",
    ]);
  });

  test("an encoding without frequencies has none of their measurements", () => {
    expect(measureEncoding(alibi, requireParams(alibi, {})).map(({ id }) => id)).toEqual(["shift_invariance", "decay"]);
  });
});
