import { describe, expect, test } from "vitest";
import { decomposedRelPos } from "../../../../../src/core/encodings/decomposedRelPos.ts";
import { sincos2d } from "../../../../../src/core/encodings/sincos2d.ts";
import { requireParams } from "../../../../../src/core/encodings/support/schema.ts";
import { swinBias } from "../../../../../src/core/encodings/swinBias.ts";
import { swinv2Cpb } from "../../../../../src/core/encodings/swinv2Cpb/swinv2Cpb.ts";

describe("the patch grid", () => {
  test.each([swinBias, swinv2Cpb, decomposedRelPos, sincos2d])("has a patch for every position of $id", (encoding) => {
    const params = requireParams(encoding, {});
    const grid = encoding.patchGrid?.(params);
    if (grid === undefined) throw new Error("no grid");
    const domain = encoding.domain(params);
    expect(domain.kind === "table" && domain.size).toBe(grid.height * grid.width + grid.classTokens);
  });
});
