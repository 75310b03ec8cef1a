import { describe, expect, test } from "vitest";
import { alibi } from "../../src/core/encodings/alibi.ts";
import type { Encoding } from "../../src/core/encodings/encoding.ts";
import { none } from "../../src/core/encodings/none.ts";
import { requireParams } from "../../src/core/encodings/schema.ts";
import {
  distinctBfloat16,
  firstBfloat16Collision,
  pairsPastOneTurn,
  wavelengths,
} from "../../src/core/measure/frequencies.ts";
import { compactNumber, measurements } from "../../src/core/measure/measurements.ts";
import { shiftInvarianceError } from "../../src/core/measure/shiftInvariance.ts";

describe("bfloat16 positions", () => {
  test("257 is the first position that is its predecessor's twin", () => {
    expect(firstBfloat16Collision(4096)).toBe(257);
    expect(firstBfloat16Collision(257)).toBeUndefined();
  });

  test("769 different values among 4096 positions, 1409 among 131072", () => {
    expect(distinctBfloat16(4096)).toBe(769);
    expect(distinctBfloat16(131_072)).toBe(1409);
  });
});

describe("frequencies", () => {
  const frequencies = Array.from({ length: 64 }, (_, k) => 1e6 ** (-k / 64));

  test("the fastest pair turns once in 2π tokens, one that does not turn never", () => {
    expect(wavelengths([1, 0])).toEqual([2 * Math.PI, Number.POSITIVE_INFINITY]);
  });

  test("of Qwen2.5's 64 pairs, those with a wavelength within 32768 tokens have seen every angle", () => {
    // 2π·1e6^(k/64) ≤ 32768 ⇔ k ≤ 64·ln(32768/2π)/ln(1e6) = 39.6: 40 pairs, k = 0 … 39.
    expect(pairsPastOneTurn(frequencies, 32_768)).toBe(40);
  });
});

describe("shift invariance", () => {
  test("ALiBi and no encoding do not change when both positions move", () => {
    for (const encoding of [alibi, none]) {
      expect(shiftInvarianceError(encoding, requireParams(encoding, {}))).toBeLessThan(1e-12);
    }
  });

  test("the column form of ALiBi differs by a constant a row only, which softmax ignores", () => {
    expect(shiftInvarianceError(alibi, requireParams(alibi, { variant: "bloom" }))).toBeLessThan(1e-12);
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
    expect(shiftInvarianceError(absolute, requireParams(none, {}))).toBeGreaterThan(1);
  });
});

describe("measurements", () => {
  test("numbers read as a person writes them", () => {
    expect([20_300_000, 45_100_000, 6.283, 257, 131_072, Number.POSITIVE_INFINITY].map(compactNumber)).toEqual([
      "20.3 M",
      "45.1 M",
      "6.28",
      "257",
      "131 k",
      "∞",
    ]);
  });

  test("an encoding without frequencies has none of their measurements", () => {
    expect(measurements(alibi, requireParams(alibi, {})).map(({ id }) => id)).toEqual(["shift_invariance"]);
  });
});
