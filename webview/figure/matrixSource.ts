import {
  attentionWeight,
  collectRowStatistics,
  factorRows,
  type Indices,
  logitMatrix,
  maskMatrix,
  type RowStatistics,
} from "../../src/core/terms/engine.ts";
import type { Attention, Factor } from "../../src/core/terms/term.ts";
import type { FigureSource } from "../engine/renderer.ts";
import type { Extent } from "../matrix/viewport.ts";

/** An axis of a matrix. */
export interface MatrixAxis {
  readonly label: string;
  /** The number of index 0: positions are shifted, dimensions are not. */
  readonly first: number;
  /** Name of an index that is more than a number ("sin ω₃"). */
  readonly name?: (index: number) => string;
}

/**
 * The matrix of a view: the source of its cells, for the renderer and for the float64 values of readout and exports.
 */
export interface MatrixSource {
  readonly source: FigureSource;
  readonly extent: Extent;
  readonly rowAxis: MatrixAxis;
  readonly columnAxis: MatrixAxis;
  /** Name of the values: "logit". */
  readonly quantity: string;
  /** Values depend on their whole row: `computeMatrixValues` needs its statistics. */
  readonly normalised: boolean;
  /** Subtracted from each value: side B of a comparison. */
  readonly minus?: MatrixSource;
}

/**
 * Computes cells in float64, [rows.length][columns.length]; NaN for masked cells.
 * @param statistics of each row, for normalised matrices
 */
export function computeMatrixValues(
  matrix: MatrixSource,
  rows: Indices,
  columns: Indices,
  statistics: readonly RowStatistics[] = [],
): Float64Array {
  const values = computeSideValues(matrix, rows, columns, statistics);
  if (matrix.minus === undefined) return values;
  const other = computeSideValues(matrix.minus, rows, columns, computeStatistics(matrix.minus, rows));
  return values.map((value, n) => (value === other[n] ? 0 : value - (other[n] ?? Number.NaN)));
}

function computeStatistics({ normalised, source }: MatrixSource, rows: Indices): readonly RowStatistics[] {
  if (!normalised || source.kind !== "attention") return [];
  return rows.map((row) => collectRowStatistics(source.attention, row));
}

function computeSideValues(
  matrix: MatrixSource,
  rows: Indices,
  columns: Indices,
  statistics: readonly RowStatistics[],
): Float64Array {
  const { source } = matrix;
  if (source.kind === "table") return tableValues(source.rows, rows, columns);
  const values = computeShownLogits(source.attention, source.show, rows, columns);
  const visible = maskMatrix(source.attention, rows, columns);
  const width = columns.length;
  return values.map((value, n) => {
    if (visible[n] === 0) return Number.NaN;
    const row = statistics[Math.floor(n / width)];
    return matrix.normalised && row !== undefined ? attentionWeight(value, row) : value;
  });
}

type AttentionShow = Extract<FigureSource, { kind: "attention" }>["show"];

function computeShownLogits(attention: Attention, show: AttentionShow, rows: Indices, columns: Indices): Float64Array {
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
