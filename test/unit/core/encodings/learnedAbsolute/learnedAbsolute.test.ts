import { describe, expect, test } from "vitest";
import { learnedAbsolute } from "../../../../../src/core/encodings/learnedAbsolute/learnedAbsolute.ts";
import { requireParams } from "../../../../../src/core/encodings/support/schema.ts";
import { onesContent } from "../../../../../src/core/terms/content.ts";
import { indexRange } from "../../../../../src/core/terms/engine.ts";
import type { Scene } from "../../../../../src/core/terms/scene.ts";
import { computeLogits, expectClose, randomScene } from "../../../support/scenes.ts";

const scene = (change: Partial<Scene> = {}) => randomScene(6, 7, change);

describe("the learned table", () => {
  test("reports a position beyond its last row as an error", () => {
    const params = { hidden_size: 4, max_position_embeddings: 6 };
    expect(computeLogits(learnedAbsolute, params, scene())).toHaveLength(36);
    expect(() => computeLogits(learnedAbsolute, params, scene({ shift: 1 }))).toThrow(/position 6 does not exist/);
  });

  test("has 512 positions in RoBERTa's 514 rows, and 514 rows for OPT's 512 positions", () => {
    const size = (given: Record<string, number>) => {
      const domain = learnedAbsolute.domain(requireParams(learnedAbsolute, given));
      return domain.kind === "table" ? domain.size : undefined;
    };
    expect(size({ max_position_embeddings: 514, padding_idx: 1 })).toBe(512);
    expect(size({ max_position_embeddings: 512, offset: 2 })).toBe(512);
    expect(size({ max_position_embeddings: 514, usable_positions: 512 })).toBe(512);
  });

  test("uses a table that the inputs contain and refuses one of another width", () => {
    const table = Array.from({ length: 6 }, (_, p) => [p, 0]);
    const params = { hidden_size: 2, max_position_embeddings: 6 };
    const given = scene({ content: onesContent, inputs: { position_embeddings: table } });
    const expected = indexRange(0, 36).map((n) => ((1 + Math.floor(n / 6)) * (1 + (n % 6)) + 1) / Math.SQRT2);
    expectClose(computeLogits(learnedAbsolute, params, given), expected);
    expect(() => computeLogits(learnedAbsolute, { ...params, hidden_size: 3 }, given)).toThrow(/position_embeddings/);
  });

  test("refuses inputs without the table instead of using example values", () => {
    expect(() => computeLogits(learnedAbsolute, {}, scene({ inputs: { w_q: [[1]] } }))).toThrow(/position_embeddings/);
  });
});
