import * as l10n from "@vscode/l10n";
import type { RowStatistics } from "../../src/core/terms/engine.ts";
import type { RowNormaliser } from "../engine/rowNormaliser.ts";
import { computeMatrixValues, type MatrixSource } from "../figure/matrixSource.ts";
import type { RowProfile } from "../figure/overlay.ts";
import { effectiveCrosshair, effectiveViewport, sampleIndices } from "../matrix/viewport.ts";
import { memoizeLast } from "../state/memoize.ts";
import type { Page } from "../state/page.ts";
import { groupDigits } from "../ui/format.ts";

/** Points of the line: about one per pixel. */
const MAX_POINTS = 600;

function sampleRow(matrix: MatrixSource, row: number, first: number, span: number, statistics: RowStatistics | null) {
  const columns = sampleIndices(first, span, Math.min(MAX_POINTS, Math.ceil(span)), matrix.extent.columns);
  return { columns, values: computeMatrixValues(matrix, [row], columns, statistics === null ? [] : [statistics]) };
}

export type RowProfiler = (page: Page, matrix: MatrixSource, normaliser: RowNormaliser) => RowProfile | null;

/** Creates a profiler of one figure. The figure calls it in each frame; values are computed when something changed. */
export function createRowProfiler(): RowProfiler {
  const valuesOf = memoizeLast(sampleRow);
  return (page, matrix, normaliser) => computeRowProfile(page, matrix, normaliser, valuesOf);
}

/** Values of the crosshair's row over the visible columns; null until its normaliser is known. */
function computeRowProfile(
  page: Page,
  matrix: MatrixSource,
  normaliser: RowNormaliser,
  valuesOf: typeof sampleRow,
): RowProfile | null {
  const viewport = effectiveViewport(page.panel.viewport, matrix.extent);
  const crosshair = effectiveCrosshair(page.panel.crosshair, viewport, matrix.extent);
  const { source } = matrix;
  let statistics: RowStatistics | null = null;
  if (matrix.normalised && source.kind === "attention") {
    const row = normaliser.progressOf(source, crosshair.row);
    if (!row.done) return null;
    statistics = row.statistics;
  }
  const { columns, values } = valuesOf(matrix, crosshair.row, viewport.column, viewport.columns, statistics);
  const label = l10n.t(
    "row {0} = {1}",
    source.kind === "table" ? "p" : "i",
    groupDigits(crosshair.row + matrix.rowAxis.first),
  );
  const at = (n: number) => ((columns[n] ?? 0) + 0.5 - viewport.column) / viewport.columns;
  return { label, values, at };
}
