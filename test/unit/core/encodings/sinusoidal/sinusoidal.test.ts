import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { buildAttention } from "../../../../../src/core/encodings/buildAttention.ts";
import { sinusoidal } from "../../../../../src/core/encodings/sinusoidal/sinusoidal.ts";
import { shiftMatrix, sinusoidFactor, sinusoidProfile } from "../../../../../src/core/encodings/sinusoidal/table.ts";
import { checkParams, requireParams } from "../../../../../src/core/encodings/support/schema.ts";
import { onesContent } from "../../../../../src/core/terms/content.ts";
import { deltaAt, indexRange, termMatrix } from "../../../../../src/core/terms/engine.ts";
import { dotProduct, evaluateRow } from "../../../../../src/core/terms/linear.ts";
import type { Scene } from "../../../../../src/core/terms/scene.ts";
import { computeLogits, expectClose, randomScene } from "../../../support/scenes.ts";

const scene = (change: Partial<Scene> = {}) => randomScene(6, 7, change);

const spec = fc.record({
  dim: fc.integer({ min: 2, max: 12 }).map((half) => 2 * half),
  base: fc.double({ min: 2, max: 1e6, noNaN: true }),
  layout: fc.constantFrom("interleaved" as const, "concat" as const),
  frequency: fc.constantFrom("paper" as const, "tensor2tensor" as const),
});

describe("the sinusoidal encoding", () => {
  test("shifts a position's vector by a linear map", () => {
    fc.assert(
      fc.property(spec, fc.integer({ min: 0, max: 1000 }), fc.integer({ min: 0, max: 1000 }), (own, p, k) => {
        const factor = sinusoidFactor(own);
        const moved = shiftMatrix(own, k).map((row) => dotProduct(row, evaluateRow(factor, p)));
        expectClose(moved, Array.from(evaluateRow(factor, p + k)));
      }),
    );
  });

  test("has inner products of positions that depend on their distance alone", () => {
    fc.assert(
      fc.property(spec, fc.integer({ min: 0, max: 5000 }), fc.integer({ min: 0, max: 5000 }), (own, p, q) => {
        const factor = sinusoidFactor(own);
        const profile = sinusoidProfile(own, 0, own.dim);
        expect(profile).toBeDefined();
        expect(profile?.(p - q)).toBeCloseTo(dotProduct(evaluateRow(factor, p), evaluateRow(factor, q)), 8);
      }),
    );
  });

  test("has no profile for a head with sines but without their cosines", () => {
    expect(sinusoidProfile({ dim: 8, base: 10_000, layout: "concat", frequency: "paper" }, 0, 4)).toBeUndefined();
  });

  test.each(["interleaved", "concat"])("has profiles equal to the products at position 10,000,000 (%s)", (layout) => {
    const own = scene({ shift: 10_000_000, content: onesContent });
    const params = requireParams(sinusoidal, { hidden_size: 8, layout });
    const attention = buildAttention(sinusoidal, params, own, {});
    const profiled = attention.terms.filter((term) => term.profile !== undefined);
    expect(profiled.map((term) => term.id)).toEqual(["content_content", "position_position"]);
    for (const term of profiled) {
      const values = termMatrix(attention, term, indexRange(0, 6), indexRange(0, 6));
      values.forEach((value, n) => {
        expect(term.profile?.(deltaAt(attention, Math.floor(n / 6), n % 6))).toBeCloseTo(value, 8);
      });
    }
  });

  test("is absolute: a shift of both positions changes the scores", () => {
    const here = computeLogits(sinusoidal, { hidden_size: 8 }, scene());
    const there = computeLogits(sinusoidal, { hidden_size: 8 }, scene({ shift: 5 }));
    expect(Math.max(...here.map((value, n) => Math.abs(value - (there[n] ?? 0))))).toBeGreaterThan(0.1);
  });

  test("has the same scores within one head for either order of the columns", () => {
    const interleaved = computeLogits(sinusoidal, { hidden_size: 8 }, scene({ content: onesContent }));
    expectClose(
      computeLogits(sinusoidal, { hidden_size: 8, layout: "concat" }, scene({ content: onesContent })),
      interleaved,
    );
  });

  test("places the queries after a cache at the end of the keys", () => {
    const whole = computeLogits(sinusoidal, { hidden_size: 8 }, scene());
    expectClose(computeLogits(sinusoidal, { hidden_size: 8 }, scene({ queryLength: 2 })), whole.slice(4 * 6));
  });

  test("names the parameter that breaks a rule", () => {
    expect(checkParams(sinusoidal, { hidden_size: 10, num_heads: 4 }).problems[0]?.param).toBe("num_heads");
    expect(checkParams(sinusoidal, { hidden_size: 3, frequency: "tensor2tensor" }).problems[0]?.param).toBe(
      "hidden_size",
    );
    expect(checkParams(sinusoidal, { base: -1 }).problems[0]?.param).toBe("base");
  });
});
