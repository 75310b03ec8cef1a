import { t } from "@vscode/l10n";
import { indexRange, type RowStatistics } from "../../../src/core/terms/engine.ts";
import type { Viewport } from "../../engine/renderer.ts";
import { inSlices, type Slices } from "../../engine/timeSlicing.ts";
import { grouped } from "../../state/format.ts";
import { rowsStatistics } from "../../state/normaliser.ts";
import { visibleRange } from "../../state/viewport.ts";
import { type Subject, subjectValues } from "../../views/subject.ts";

/** More than this is a file that nobody opens; the message says how to get a part. */
export const MOST_CELLS = 4_000_000;

interface HalfOpen {
  readonly from: number;
  readonly to: number;
}

/** Indices of the cells that can be seen. */
export interface VisibleRange {
  readonly rows: HalfOpen;
  readonly columns: HalfOpen;
}

export function visibleCellRange({ extent }: Subject, viewport: Viewport): VisibleRange {
  return {
    rows: visibleRange(viewport.row, viewport.rows, extent.rows),
    columns: visibleRange(viewport.column, viewport.columns, extent.columns),
  };
}

/** The same as positions, which a shift or a cache moves away from the indices. */
export function positionsOfRange({ rows, columns }: VisibleRange, { rowAxis, columnAxis }: Subject): VisibleRange {
  const moved = ({ from, to }: HalfOpen, first: number) => ({ from: from + first, to: to + first });
  return { rows: moved(rows, rowAxis.first), columns: moved(columns, columnAxis.first) };
}

/** "rope_scores_0-512_0-512": positions of rows and columns, half-open. */
export function fileStem(encoding: string, view: string, subject: Subject, viewport: Viewport): string {
  const { rows, columns } = positionsOfRange(visibleCellRange(subject, viewport), subject);
  return `${encoding}_${view}_${rows.from}-${rows.to}_${columns.from}-${columns.to}`;
}

/** Cells in float64, row-major. */
export interface CellValues {
  readonly values: Float64Array;
  readonly range: VisibleRange;
  readonly columns: number;
}

/** What stands where the mask hides a key: as the command line has it; a difference of two such is no number. */
function maskedValue({ minus, normalised }: Subject): number {
  if (minus !== undefined) return Number.NaN;
  return normalised ? 0 : Number.NEGATIVE_INFINITY;
}

/** Rows at once: as many as a slice of time takes. */
const BLOCK_CELLS = 2048;

function* blocks(
  subject: Subject,
  { rows, columns }: VisibleRange,
  statistics: readonly RowStatistics[],
): Generator<number, Float64Array> {
  const wanted = indexRange(columns.from, columns.to);
  const values = new Float64Array((rows.to - rows.from) * wanted.length);
  const masked = maskedValue(subject);
  const isTable = subject.source.kind === "table";
  const step = Math.max(1, Math.floor(BLOCK_CELLS / wanted.length));
  for (let row = rows.from; row < rows.to; row += step) {
    const some = indexRange(row, Math.min(row + step, rows.to));
    const at = row - rows.from;
    const block = subjectValues(subject, some, wanted, statistics.slice(at, at + some.length));
    values.set(isTable ? block : block.map((value) => (Number.isNaN(value) ? masked : value)), at * wanted.length);
    yield (at + some.length) / (rows.to - rows.from);
  }
  return values;
}

/**
 * The visible cells; masked ones are as the command line writes them, −inf for scores and 0 for weights.
 * @returns null when it was stopped
 * @throws Error when there are too many cells
 */
export async function visibleCells(subject: Subject, viewport: Viewport, slices: Slices): Promise<CellValues | null> {
  const range = visibleCellRange(subject, viewport);
  const { rows, columns } = range;
  const width = columns.to - columns.from;
  const cells = (rows.to - rows.from) * width;
  if (cells > MOST_CELLS) {
    throw new Error(t("Too many cells for a file ({0}): zoom in to at most {1}.", grouped(cells), grouped(MOST_CELLS)));
  }
  const { source } = subject;
  const normalised = subject.normalised && source.kind === "attention";
  const statistics = normalised ? await rowsStatistics(source, rows.from, rows.to - rows.from, slices) : [];
  if (slices.stopped()) return null;
  const values = await inSlices(blocks(subject, range, statistics), slices);
  return values === null ? null : { values, range, columns: width };
}
