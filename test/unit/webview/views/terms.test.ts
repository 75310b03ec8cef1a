import { describe, expect, test } from "vitest";
import { outputMatrix } from "../../../../src/core/terms/engine.ts";
import { sumFactors } from "../../../../src/core/terms/linear.ts";
import { computeGateRow, computeOutputRow } from "../../../../webview/views/terms/rowSections.ts";
import { computeTermRaster } from "../../../../webview/views/terms/termRaster.ts";
import { resolvedEncoding, square } from "../../support/resolvedEncoding.ts";

const random = { content: { seed: 3 } } as const;

describe("a term's thumbnail", () => {
  test("has the row and column of the first token, however long the sequence is", () => {
    const { attention } = resolvedEncoding("tupe", { ...square(512), causal: false });
    for (const id of ["cls_row", "cls_column"]) {
      const term = attention.terms.find((candidate) => candidate.id === id);
      if (term?.kind !== "bias") throw new Error(`no ${id}`);
      const raster = computeTermRaster(attention, term, { row: 0, column: 0, rows: 512, columns: 512 });
      const value = term.value(0, 0) * term.scale;
      expect(Math.abs(value)).toBeGreaterThan(1);
      expect(raster.domain).toEqual([Math.min(0, value), Math.max(0, value)]);
      const first = id === "cls_row" ? raster.values[1] : raster.values[raster.columns];
      expect(first).toBe(value);
    }
  });
  test("begins at the first visible cell", () => {
    const { attention } = resolvedEncoding("tupe", square(512));
    const [, , row] = attention.terms;
    if (row === undefined) throw new Error("no [CLS] row");
    const raster = computeTermRaster(attention, row, { row: 200.5, column: 3, rows: 100, columns: 100 });
    expect(new Set(Array.from(raster.values).filter((value) => !Number.isNaN(value)))).toEqual(new Set([0]));
  });
});

describe("the row sections", () => {
  test("show CoPE's gates between 0 and 1, summed from the key to the query", () => {
    const row = computeGateRow(resolvedEncoding("cope", { ...square(40), ...random }), 30);
    if (row === null) throw new Error("no gates");
    expect(Math.max(...row.gates)).toBeLessThan(1);
    expect(row.gates[31]).toBe(0);
    expect((row.positions[10] ?? 0) - (row.positions[11] ?? 0)).toBeCloseTo(row.gates[10] ?? Number.NaN, 12);
    expect(computeGateRow(resolvedEncoding("rope"), 3)).toBeNull();
  });

  test("show what absolute encodings add to the output, whatever their table is", () => {
    for (const id of ["learned_absolute", "sinusoidal", "recursive", "sincos_2d"] as const) {
      const subject = resolvedEncoding(id, { ...square(24), ...random });
      const row = computeOutputRow(subject, 17);
      const parts = subject.encoding.valueParts?.(subject.params, subject.scene);
      if (row === null || parts === undefined) throw new Error(`${id} has no positions in its values`);
      const whole = outputMatrix(subject.attention, sumFactors(parts.content, parts.position), [17]);
      const apart = whole.map((value, c) => Math.abs(value - (row.content[c] ?? 0) - (row.position[c] ?? 0)));
      expect(Math.max(...apart), id).toBeLessThan(1e-9);
      expect(Math.max(...row.position.map(Math.abs)), id).toBeGreaterThan(0.01);
    }
  });

  test("show Shaw's output as the engine computes it", () => {
    const subject = resolvedEncoding("shaw", { ...square(24), ...random });
    const row = computeOutputRow(subject, 17);
    if (row === null) throw new Error("no value term");
    const { scene, attention } = subject;
    const whole = outputMatrix(attention, scene.content.rows("v", scene.head, row.content.length), [17]);
    const apart = whole.map((value, c) => Math.abs(value - (row.content[c] ?? 0) - (row.position[c] ?? 0)));
    expect(Math.max(...apart)).toBeLessThan(1e-12);
    expect(computeOutputRow(resolvedEncoding("rope"), 3)).toBeNull();
  });
});
