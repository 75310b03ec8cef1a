import { describe, expect, test } from "vitest";
import {
  countDistinctCosines,
  FORMAT_PRECISION,
  findFirstRepeat,
  formatPositionCollision,
  NUMBER_FORMATS,
  productRoundingError,
  rotationErrors,
  roundCosineOnly,
  roundRotation,
} from "../../../../src/core/measure/precision.ts";
import { toBfloat16, toFloat16 } from "../../../../src/core/terms/precision.ts";

describe("float16 rounding", () => {
  // Bit patterns of IEEE 754-2019, table 3.5: sign, five bits of exponent, ten of fraction.
  test.each([
    [1, 1],
    [1 + 2 ** -11, 1],
    [1 + 3 * 2 ** -11, 1 + 2 ** -9],
    [2049, 2048],
    [2051, 2052],
    [65_504, 65_504],
    [65_519, 65_504],
    [65_520, Number.POSITIVE_INFINITY],
    [-70_000, Number.NEGATIVE_INFINITY],
    [2 ** -24, 2 ** -24],
    [2 ** -25, 0],
    [3 * 2 ** -25, 2 ** -23],
    [2 ** -14 - 2 ** -25, 2 ** -14],
    [0.1, 0.099_975_585_937_5],
    [0, 0],
  ])("of %d is %d", (value, held) => {
    expect(toFloat16(value)).toBe(held);
  });

  test("keeps representable numbers and NaN", () => {
    for (let n = -3000; n < 3000; n++) expect(toFloat16(toFloat16(n / 7))).toBe(toFloat16(n / 7));
    expect(toFloat16(Number.NaN)).toBeNaN();
  });
});

describe("positions of low precision", () => {
  test("collide first one past 2^bits: 257, 2049, 16777217", () => {
    expect(NUMBER_FORMATS.map(formatPositionCollision)).toEqual([2 ** 53 + 1, 16_777_217, 2049, 257]);
    for (const format of ["float16", "bfloat16"] as const) {
      expect(findFirstRepeat(FORMAT_PRECISION[format].round, 5000)).toBe(formatPositionCollision(format));
    }
    expect(Math.fround(16_777_217)).toBe(Math.fround(16_777_216));
  });
});

describe("rotation angles of low precision", () => {
  test("have errors up to 0.06 rad in float32 at position 1,000,000", () => {
    const errors = Array.from(
      { length: 64 },
      (_, k) => rotationErrors("float32", 10_000 ** (-k / 64), 1_000_003).phase,
    );
    expect(Math.max(...errors)).toBeGreaterThan(0.01);
    expect(Math.max(...errors)).toBeLessThan(0.07);
  });

  test("contain the exact rounding error of a product", () => {
    // 0.1 · 3 as whole numbers: the float64 0.1 is 3602879701896397 / 2^55.
    const exact = 3n * 3_602_879_701_896_397n;
    const product = 0.1 * 3;
    const held = BigInt(product * 2 ** 54) * 2n;
    expect(productRoundingError(0.1, 3)).toBe(Number(exact - held) / 2 ** 55);
  });

  test("have larger errors in pure bfloat16 than in a bfloat16 table of float32 angles", () => {
    const omega = 0.1;
    expect(Math.abs(roundCosineOnly("bfloat16", omega, 1001) - Math.cos(100.1))).toBeLessThan(2 ** -8);
    expect(rotationErrors("bfloat16", omega, 1001).cosine).toBeGreaterThan(2 ** -8);
    expect(roundRotation("bfloat16", omega, 1001).position).toBe(1000);
  });

  test("have few distinct cosines in bfloat16", () => {
    const all = countDistinctCosines("float64", 1, 4096);
    expect(all).toBe(4096);
    const bf16 = countDistinctCosines("bfloat16", 1, 4096);
    const own = new Set<number>();
    for (let p = 0; p < 4096; p++) own.add(toBfloat16(Math.cos(toBfloat16(toBfloat16(p)))));
    expect(bf16).toBe(own.size);
    expect(countDistinctCosines("bfloat16", 1, 4096, true)).toBeGreaterThan(bf16);
  });
});
