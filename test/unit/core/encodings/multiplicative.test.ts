import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { complexWordVectors, multiplicative } from "../../../../src/core/encodings/multiplicative.ts";
import { requireParams } from "../../../../src/core/encodings/support/schema.ts";
import { initialPanelState } from "../../../../src/core/protocol/state.ts";
import { onesContent } from "../../../../src/core/terms/content.ts";
import { indexRange, logitMatrix } from "../../../../src/core/terms/engine.ts";
import { dotProduct, evaluateRow } from "../../../../src/core/terms/linear.ts";
import type { Scene } from "../../../../src/core/terms/scene.ts";
import { resolvedEncoding, square } from "../../support/resolvedEncoding.ts";
import { computeLogits, randomScene } from "../../support/scenes.ts";

const scene = (tokens: number, change: Partial<Scene> = {}) => randomScene(tokens, 5, change);

describe("multiplicative positions", () => {
  test("start with words, whose scores differ from those of a learned table", () => {
    const draw = (id: "multiplicative" | "learned_absolute", change = {}) => {
      const { attention } = resolvedEncoding(id, { ...square(12), ...change });
      return logitMatrix(attention, indexRange(0, 12), indexRange(0, 12));
    };
    expect(initialPanelState("multiplicative").content).toBe("tokens");
    expect(initialPanelState("learned_absolute").content).toBe("ones");
    const largest = (a: Float64Array, b: Float64Array) =>
      Math.max(...a.map((value, n) => Math.abs(value - (b[n] ?? Number.NaN))));
    const words = { content: "tokens" } as const;
    expect(largest(draw("multiplicative"), draw("learned_absolute", words))).toBeGreaterThan(0.5);
    // What ones would have shown.
    expect(largest(draw("multiplicative", { content: "ones" }), draw("learned_absolute"))).toBeLessThan(1e-9);
  });

  test("change nothing with a table of ones", () => {
    const ones = Array.from({ length: 4 }, () => [1, 1, 1]);
    const own = scene(4, { inputs: { position_embeddings: ones } });
    const params = { hidden_size: 3, max_position_embeddings: 4 };
    const x = own.content.rows("x", 0, 3);
    const expected = indexRange(0, 16).map(
      (n) => dotProduct(evaluateRow(x, Math.floor(n / 4)), evaluateRow(x, n % 4)) / Math.sqrt(3),
    );
    computeLogits(multiplicative, params, own).forEach((value, n) => {
      expect(value).toBeCloseTo(expected[n] ?? Number.NaN, 12);
    });
    expect(() => computeLogits(multiplicative, params, { ...own, shift: 1 })).toThrow(/position 4 does not exist/);
  });

  test("keep the amplitude of complex words at any position", () => {
    const params = requireParams(multiplicative, { hidden_size: 4, variant: "complex_order" });
    const own = scene(3, { content: onesContent });
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 1e6 }), (shift) => {
        const row = evaluateRow(complexWordVectors(params, { ...own, shift }), 1);
        for (const c of indexRange(0, 4)) expect(Math.hypot(row[c] ?? 0, row[c + 4] ?? 0)).toBeCloseTo(1, 12);
      }),
    );
  });
});
