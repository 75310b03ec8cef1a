import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { checkParams, requireParams } from "../../../../src/core/encodings/support/schema.ts";
import { biasRow, swinBias } from "../../../../src/core/encodings/swinBias.ts";
import { swinv2Cpb } from "../../../../src/core/encodings/swinv2Cpb/swinv2Cpb.ts";
import { indexRange } from "../../../../src/core/terms/engine.ts";

describe("the Swin bias", () => {
  test("has one table row per offset, and an offset for every row", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 6 }), fc.integer({ min: 1, max: 6 }), fc.boolean(), (h, w, beit) => {
        const params = requireParams(swinBias, { window_size: [h, w], variant: beit ? "beit" : "swin" });
        const tokens = indexRange(0, h * w + Number(beit));
        const rows = new Set(tokens.flatMap((i) => tokens.map((j) => biasRow(params, i, j))));
        const count = (2 * h - 1) * (2 * w - 1) + (beit ? 3 : 0);
        expect([...rows].sort((a, b) => a - b)).toEqual(indexRange(0, count));
      }),
    );
  });

  test("accepts a window given as one number", () => {
    expect(requireParams(swinBias, { window_size: 5 }).window_size).toEqual([5, 5]);
    expect(requireParams(swinBias, { num_heads: [3, 6, 12, 24] }).num_heads).toBe(3);
    expect(checkParams(swinBias, { window_size: [5] }).problems[0]?.param).toBe("window_size");
    expect(checkParams(swinv2Cpb, { pretrained_window_size: [1, 1] }).problems[0]?.param).toBe(
      "pretrained_window_size",
    );
  });
});
