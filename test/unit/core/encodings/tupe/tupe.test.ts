import { describe, expect, test } from "vitest";
import { tupe } from "../../../../../src/core/encodings/tupe/tupe.ts";
import { onesContent, randomContent } from "../../../../../src/core/terms/content.ts";
import { indexRange, logitMatrix } from "../../../../../src/core/terms/engine.ts";
import type { Scene } from "../../../../../src/core/terms/scene.ts";
import { computeAttention, computeLogits, expectClose, randomScene } from "../../../support/scenes.ts";

const TOKENS = 9;

const scene = (change: Partial<Scene> = {}) => randomScene(TOKENS, 3, change);

describe("TUPE", () => {
  test("gives [CLS] the same score with every position, in both directions", () => {
    const own = computeAttention(tupe, { num_heads: 1 }, scene({ content: onesContent }));
    const values = logitMatrix(own, indexRange(0, TOKENS), indexRange(0, TOKENS));
    expect(new Set(values.slice(0, TOKENS)).size).toBe(1);
    expect(new Set(indexRange(1, TOKENS).map((i) => values[i * TOKENS])).size).toBe(1);
    expect(new Set(values.slice(TOKENS + 1, 2 * TOKENS)).size).toBeGreaterThan(1);
  });

  test("is absolute: a shift changes its scores, also with the bucket bias", () => {
    expect(tupe.classification.kind).toBe("absolute");
    for (const rel_pos of [false, true]) {
      const params = { num_heads: 1, rel_pos };
      const own = computeLogits(tupe, params, scene({ content: onesContent }));
      const shifted = computeLogits(tupe, params, scene({ content: onesContent, shift: 3 }));
      const changes = own.map((value, n) => Math.abs(value - (shifted[n] ?? Number.NaN)));
      expect(Math.max(...changes)).toBeGreaterThan(0.1);
    }
  });

  test("shows the bucket bias in its formula only if it has one", () => {
    const shows = (rel_pos: boolean) => tupe.formula({ rel_pos }).tex.includes("b_{h");
    expect([shows(false), shows(true)]).toEqual([false, true]);
  });

  test("does not treat the first query after a cache as [CLS]", () => {
    const whole = computeLogits(tupe, { num_heads: 1, rel_pos: true }, scene());
    const own = scene({ queryLength: 2 });
    const content = randomContent(3);
    const later = {
      ...content,
      rows: (which: "q" | "k" | "v" | "x", head: number, dim: number) => {
        const rows = content.rows(which, head, dim);
        return which === "q"
          ? { dim, write: (n: number, out: Float64Array, at: number) => rows.write(n + 7, out, at) }
          : rows;
      },
    };
    expectClose(
      computeLogits(tupe, { num_heads: 1, rel_pos: true }, { ...own, content: later }),
      whole.slice(7 * TOKENS),
    );
  });
});
