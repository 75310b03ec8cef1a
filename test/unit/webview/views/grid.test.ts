import { describe, expect, test } from "vitest";
import { buildAttention } from "../../../../src/core/encodings/buildAttention.ts";
import { requireParams } from "../../../../src/core/encodings/support/schema.ts";
import {
  buildImageAttention,
  computePatchValues,
  patchAt,
  patchToken,
} from "../../../../webview/views/grid/imageAttention.ts";
import { knownEncoding } from "../../support/knownEncoding.ts";
import { resolvedEncoding } from "../../support/resolvedEncoding.ts";

describe("the grid data", () => {
  test("has the bias of a patch's offset to every other patch, as in the flat matrix", () => {
    const image = buildImageAttention(resolvedEncoding("swin_bias"));
    if (image === null) throw new Error("no grid");
    const bias = image.attention.terms.filter(({ kind }) => kind === "bias");
    const query = { row: 2, column: 5 };
    const values = computePatchValues(image, query, bias);
    const term = bias[0];
    if (term?.kind !== "bias") throw new Error("no bias");
    expect(values[3 * 7 + 1]).toBe(term.value(2 * 7 + 5, 3 * 7 + 1));
    expect(values).toHaveLength(49);
  });

  test("places class tokens first, and numbers patches by columns for some encodings", () => {
    const grid = { height: 3, width: 4, classTokens: 1 };
    expect(patchToken(grid, { row: 1, column: 2 })).toBe(7);
    expect(patchToken({ ...grid, columnMajor: true }, { row: 1, column: 2 })).toBe(8);
    expect(patchAt(grid, 99)).toEqual({ row: 2, column: 3 });
  });

  test("is absent for text", () => {
    expect(buildImageAttention(resolvedEncoding("rope"))).toBeNull();
  });
});

describe("a shift on a grid", () => {
  test("moves by whole rows of patches and keeps the offsets", () => {
    const swin = knownEncoding("swin_bias");
    const scene = { ...resolvedEncoding("swin_bias").scene, queryLength: 12, keyLength: 12 };
    const bias = (shift: number) =>
      buildAttention(swin, requireParams(swin, {}), { ...scene, shift }, {}).terms.find(({ kind }) => kind === "bias");
    const [here, there] = [bias(0), bias(14)];
    if (here?.kind !== "bias" || there?.kind !== "bias") throw new Error("no bias");
    expect(there.value(10, 3)).toBe(here.value(10, 3));
  });
});

describe("the grid of axial RoPE", () => {
  test("exists for rope_type axial as for the other axial encodings, and not for types of text", () => {
    const params = { rope_type: "axial", head_dim: 32, grid_height: 3, grid_width: 5 };
    const image = buildImageAttention(resolvedEncoding("rope", { changes: params }));
    expect(image?.grid).toMatchObject({ height: 3, width: 5, classTokens: 0 });
    if (image === null) throw new Error("no image");
    const values = computePatchValues(image, { row: 1, column: 2 }, image.attention.terms);
    expect(values).toHaveLength(15);
    expect(Math.max(...values)).toBe(values[1 * 5 + 2]);
    expect(buildImageAttention(resolvedEncoding("rope"))).toBeNull();
  });
});
