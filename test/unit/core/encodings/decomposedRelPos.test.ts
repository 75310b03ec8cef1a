import { describe, expect, test } from "vitest";
import { buildAttention } from "../../../../src/core/encodings/buildAttention.ts";
import { decomposedRelPos, resizeRows } from "../../../../src/core/encodings/decomposedRelPos.ts";
import { requireParams } from "../../../../src/core/encodings/support/schema.ts";
import { onesContent } from "../../../../src/core/terms/content.ts";
import { logitMatrix } from "../../../../src/core/terms/engine.ts";
import type { Scene } from "../../../../src/core/terms/scene.ts";
import { randomScene } from "../../support/scenes.ts";

const scene = (tokens: number, change: Partial<Scene> = {}) => randomScene(tokens, 5, change);

describe("decomposed relative positions", () => {
  test("stretch tables of another image size between row centres", () => {
    expect(resizeRows([[0], [1], [2]], 3)).toEqual([[0], [1], [2]]);
    expect(resizeRows([[0], [4]], 4)).toEqual([[0], [1], [3], [4]]);
    expect(resizeRows([[0], [1], [2], [3]], 2)).toEqual([[0.5], [2.5]]);
  });

  test("add row and column vectors, so a step down and right is the sum of both", () => {
    const own = scene(9, { content: onesContent });
    const params = requireParams(decomposedRelPos, { num_heads: 1, grid: [3, 3] });
    const attention = buildAttention(decomposedRelPos, params, own, {});
    const cell = (i: number, j: number) => logitMatrix(attention, [i], [j])[0] ?? Number.NaN;
    expect(cell(4, 0) - cell(4, 1)).toBeCloseTo(cell(4, 3) - cell(4, 4), 9);
  });
});
