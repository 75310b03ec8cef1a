import * as l10n from "@vscode/l10n";
import { indexRange, type RowStatistics } from "../../../src/core/terms/engine.ts";
import { computeRowStatistics } from "../../engine/rowNormaliser.ts";
import { runInSlices, type SliceCallbacks } from "../../engine/timeSlicing.ts";
import { computeMatrixValues, type MatrixSource } from "../../figure/matrixSource.ts";
import type { Viewport } from "../../matrix/viewport.ts";
import { visibleRange } from "../../matrix/viewport.ts";
import { groupDigits } from "../../ui/format.ts";

/** Larger files are of no use; the message suggests to zoom in. */
export const MAX_FILE_CELLS = 4_000_000;

interface HalfOpenRange {
  readonly from: number;
  readonly to: number;
}

/** Indices of the visible cells. */
export interface VisibleRange {
  readonly rows: HalfOpenRange;
  readonly columns: HalfOpenRange;
}

export function visibleCellRange({ extent }: MatrixSource, viewport: Viewport): VisibleRange {
  return {
    rows: visibleRange(viewport.row, viewport.rows, extent.rows),
    columns: visibleRange(viewport.column, viewport.columns, extent.columns),
  };
}

/** Converts indices to positions, which differ by the shift and the cached keys. */
export function toPositions({ rows, columns }: VisibleRange, { rowAxis, columnAxis }: MatrixSource): VisibleRange {
  const moved = ({ from, to }: HalfOpenRange, first: number) => ({ from: from + first, to: to + first });
  return { rows: moved(rows, rowAxis.first), columns: moved(columns, columnAxis.first) };
}

/** "rope_scores_0-512_0-512": positions of rows and columns, half-open. */
export function matrixFileStem(encoding: string, view: string, matrix: MatrixSource, viewport: Viewport): string {
  const { rows, columns } = toPositions(visibleCellRange(matrix, viewport), matrix);
  return `${encoding}_${view}_${rows.from}-${rows.to}_${columns.from}-${columns.to}`;
}

/** Cells in float64, row-major. */
export interface CellValues {
  readonly values: Float64Array;
  readonly range: VisibleRange;
  readonly columns: number;
}

/** The value of masked cells, the same as in the command line; NaN in a difference. */
function maskedValue({ minus, normalised }: MatrixSource): number {
  if (minus !== undefined) return Number.NaN;
  return normalised ? 0 : Number.NEGATIVE_INFINITY;
}

/** Cells evaluated between two yields. */
const CELLS_PER_BLOCK = 2048;

function* evaluateBlocks(
  matrix: MatrixSource,
  { rows, columns }: VisibleRange,
  statistics: readonly RowStatistics[],
): Generator<number, Float64Array> {
  const columnIndices = indexRange(columns.from, columns.to);
  const values = new Float64Array((rows.to - rows.from) * columnIndices.length);
  const masked = maskedValue(matrix);
  const isTable = matrix.source.kind === "table";
  const step = Math.max(1, Math.floor(CELLS_PER_BLOCK / columnIndices.length));
  for (let row = rows.from; row < rows.to; row += step) {
    const rowIndices = indexRange(row, Math.min(row + step, rows.to));
    const at = row - rows.from;
    const block = computeMatrixValues(matrix, rowIndices, columnIndices, statistics.slice(at, at + rowIndices.length));
    values.set(
      isTable ? block : block.map((value) => (Number.isNaN(value) ? masked : value)),
      at * columnIndices.length,
    );
    yield (at + rowIndices.length) / (rows.to - rows.from);
  }
  return values;
}

/**
 * Evaluates the visible cells. Masked cells are −∞ in scores and 0 in weights, as in the command line.
 * @returns null if it was cancelled
 * @throws Error if there are too many cells
 */
export async function visibleCells(
  matrix: MatrixSource,
  viewport: Viewport,
  slices: SliceCallbacks,
): Promise<CellValues | null> {
  const range = visibleCellRange(matrix, viewport);
  const { rows, columns } = range;
  const width = columns.to - columns.from;
  const cells = (rows.to - rows.from) * width;
  if (cells > MAX_FILE_CELLS) {
    throw new Error(
      l10n.t(
        "Too many cells for a file ({0}): zoom in to at most {1}.",
        groupDigits(cells),
        groupDigits(MAX_FILE_CELLS),
      ),
    );
  }
  const { source } = matrix;
  const normalised = matrix.normalised && source.kind === "attention";
  const statistics = normalised ? await computeRowStatistics(source, rows.from, rows.to - rows.from, slices) : [];
  if (slices.stopped()) return null;
  const values = await runInSlices(evaluateBlocks(matrix, range, statistics), slices);
  return values === null ? null : { values, range, columns: width };
}
