import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { exampleAbsolute, exampleArithmetic, exampleRope, exampleVectors } from "../../../../src/core/terms/example.ts";

describe("the worked example", () => {
  test("gives −sin θ for q₁ · k₂ of RoPE, whatever the shift", () => {
    fc.assert(
      fc.property(fc.double({ min: 0.01, max: 3, noNaN: true }), fc.integer({ min: 0, max: 100 }), (theta, shift) => {
        const example = exampleRope(exampleVectors(3), theta, [1 + shift, 2 + shift, 3 + shift]);
        expect(example.scores[0]?.[1]).toBeCloseTo(-Math.sin(theta), 10);
      }),
    );
  });

  test("has an arithmetic for each cell that ends in its score", () => {
    const example = exampleAbsolute(exampleVectors(3), [
      [0.1, 0.2],
      [0.2, 0.3],
      [0.3, 0.4],
    ]);
    expect(exampleArithmetic(example, 0, 1)).toBe("1.1·0.2 + 0.2·1.3 = 0.48");
  });
});
