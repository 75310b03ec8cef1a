import { describe, expect, test } from "vitest";
import { sincos2d, sincos2dFactor } from "../../../../src/core/encodings/sincos2d.ts";
import { requireParams } from "../../../../src/core/encodings/support/schema.ts";
import { indexRange } from "../../../../src/core/terms/engine.ts";
import { dotProduct, evaluateRow } from "../../../../src/core/terms/linear.ts";

describe("2-D sinusoids", () => {
  test("have products that depend on the offset of two patches alone", () => {
    const factor = sincos2dFactor(requireParams(sincos2d, { hidden_size: 16, height: 5, width: 7 }));
    const at = (row: number, column: number) => evaluateRow(factor, row * 7 + column);
    expect(dotProduct(at(0, 1), at(2, 4))).toBeCloseTo(dotProduct(at(2, 3), at(4, 6)), 12);
  });

  test("have variants that order the same numbers differently", () => {
    const sorted = (variant: string) => {
      const factor = sincos2dFactor(requireParams(sincos2d, { hidden_size: 8, height: 2, width: 3, variant }));
      return indexRange(0, 6)
        .flatMap((token) => Array.from(evaluateRow(factor, token)))
        .sort((a, b) => a - b);
    };
    expect(sorted("h_first")).toEqual(sorted("mae"));
    expect(sorted("omdet_w_major")).toEqual(sorted("mae"));
  });
});
