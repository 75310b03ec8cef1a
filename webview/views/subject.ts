import {
  factorRows,
  type Indices,
  logitMatrix,
  maskMatrix,
  type RowStatistics,
  rowStatistics,
  weightOf,
} from "../../src/core/terms/engine.ts";
import type { Attention, Factor } from "../../src/core/terms/term.ts";
import type { Source } from "../engine/renderer.ts";
import type { Extent } from "../state/viewport.ts";

/** One direction of a drawing. */
export interface Axis {
  readonly label: string;
  /** What index 0 is called: positions are shifted, dimensions are not. */
  readonly first: number;
  /** The name of an index where it is more than its number ("sin ω₃"). */
  readonly name?: (index: number) => string;
}

/** What a matrix view shows: cells for the renderer, and the same in float64 for everything that is read. */
export interface Subject {
  readonly source: Source;
  readonly extent: Extent;
  readonly rowAxis: Axis;
  readonly columnAxis: Axis;
  /** What a cell's number is: "logit". */
  readonly quantity: string;
  /** Values depend on all of their row: `values` needs its statistics. */
  readonly normalised: boolean;
  /** What is taken off each value: the other side of a comparison. */
  readonly minus?: Subject;
}

/**
 * Values of the given cells in float64, [rows.length][columns.length]; NaN where the mask hides them.
 * @param statistics of each row, for subjects that are normalised
 */
export function subjectValues(
  subject: Subject,
  rows: Indices,
  columns: Indices,
  statistics: readonly RowStatistics[] = [],
): Float64Array {
  const values = ownValues(subject, rows, columns, statistics);
  if (subject.minus === undefined) return values;
  const other = ownValues(subject.minus, rows, columns, statisticsOf(subject.minus, rows));
  return values.map((value, n) => (value === other[n] ? 0 : value - (other[n] ?? Number.NaN)));
}

function statisticsOf({ normalised, source }: Subject, rows: Indices): readonly RowStatistics[] {
  if (!normalised || source.kind !== "attention") return [];
  return rows.map((row) => rowStatistics(source.attention, row));
}

function ownValues(
  subject: Subject,
  rows: Indices,
  columns: Indices,
  statistics: readonly RowStatistics[],
): Float64Array {
  const { source } = subject;
  if (source.kind === "table") return tableValues(source.rows, rows, columns);
  const values = shownLogits(source.attention, source.show, rows, columns);
  const visible = maskMatrix(source.attention, rows, columns);
  const width = columns.length;
  return values.map((value, n) => {
    if (visible[n] === 0) return Number.NaN;
    const row = statistics[Math.floor(n / width)];
    return subject.normalised && row !== undefined ? weightOf(value, row) : value;
  });
}

type Show = Extract<Source, { kind: "attention" }>["show"];

function shownLogits(attention: Attention, show: Show, rows: Indices, columns: Indices): Float64Array {
  if (show.of === "weights") return logitMatrix(attention, rows, columns);
  if (show.of === "logits") return logitMatrix(attention, rows, columns, show.hidden);
  const others = attention.terms.filter((term) => term.id !== show.id).map((term) => term.id);
  return logitMatrix(attention, rows, columns, others);
}

function tableValues(factor: Factor, rows: Indices, columns: Indices): Float64Array {
  const all = factorRows(factor, rows);
  const values = new Float64Array(rows.length * columns.length);
  rows.forEach((_, r) => {
    columns.forEach((c, n) => {
      values[r * columns.length + n] = all[r * factor.dim + c] ?? Number.NaN;
    });
  });
  return values;
}
