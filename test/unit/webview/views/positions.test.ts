import { describe, expect, test } from "vitest";
import type { PanelState } from "../../../../src/core/protocol/state.ts";
import { buildIdRows, idRuns, parseLengths, queryKeyIndex } from "../../../../webview/views/positions/idRows.ts";
import { resolvedEncoding, square } from "../../support/resolvedEncoding.ts";

describe("the position id data", () => {
  const packed: PanelState["positions"] = { kind: "packed", padding: 0, fromMask: true, documents: [4, 2] };

  test("ends a run of ids where a document ends", () => {
    const rows = buildIdRows(resolvedEncoding("rope", square(16)), packed);
    const [row] = rows.rows;
    if (row === undefined) throw new Error("no row");
    expect(
      idRuns(rows, row, 0, 8).map(({ from, to, first, last, document }) => [from, to, first, last, document]),
    ).toEqual([
      [0, 3, 0, 3, 0],
      [4, 5, 0, 1, 1],
      [6, 7, 0, 1, 2],
    ]);
  });

  test("has three ids for each token of a picture", () => {
    const mrope = resolvedEncoding("mrope", {
      ...square(300),
      changes: { image_start: 4, image_height: 2, image_width: 3 },
    });
    const { rows, kind } = buildIdRows(mrope, packed);
    const at = (index: number) => rows.map(({ id }) => id(index));
    expect([3, 4, 6, 8, 9, 10].map(at)).toEqual([
      [3, 3, 3],
      [4, 4, 4],
      [4, 4, 6],
      [4, 5, 5],
      [4, 5, 6],
      [7, 7, 7],
    ]);
    expect([3, 4, 9, 10].map(kind)).toEqual(["text", "picture", "picture", "text"]);
  });

  test("places queries at the end of the keys", () => {
    expect(queryKeyIndex(resolvedEncoding("rope", { queryLength: 1, keyLength: 300 }), 0)).toBe(299);
  });

  test("accepts whole positive lengths only", () => {
    expect(parseLengths("128, 64 7")).toEqual([128, 64, 7]);
    for (const text of ["", "0", "1.5", "-3", "a", new Array(65).fill("1").join(",")])
      expect(parseLengths(text), text).toBeUndefined();
  });
});
