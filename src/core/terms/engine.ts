/**
 * The plain float64 engine: reference for the GPU, and used by thumbnails, readouts, the command line and drawing
 * without WebGL. Matrices are row-major Float64Array [rows.length][columns.length].
 */

import { inRegion, isVisible, visibleKeys } from "./region.ts";
import type { Attention, Factor, GatedTerm, Term } from "./term.ts";

/** Query or key indices, in any order. */
export type Indices = readonly number[];

/** from, from + step, … below `to`. */
export function indexRange(from: number, to: number, step = 1): number[] {
  const count = Math.max(0, Math.ceil((to - from) / step));
  return Array.from({ length: count }, (_, n) => from + n * step);
}

/** Rows of a factor, [indices.length][dim]. */
export function factorRows(factor: Factor, indices: Indices): Float64Array {
  const out = new Float64Array(indices.length * factor.dim);
  for (let n = 0; n < indices.length; n++) factor.write(indices[n] ?? 0, out, n * factor.dim);
  return out;
}

function dotAt(a: Float64Array, aOffset: number, b: Float64Array, bOffset: number, dim: number): number {
  let sum = 0;
  for (let c = 0; c < dim; c++) sum += (a[aOffset + c] ?? 0) * (b[bOffset + c] ?? 0);
  return sum;
}

/** δ = position of the query − position of the key. */
export function deltaAt(attention: Attention, i: number, j: number): number {
  return i - j + attention.deltaOffset;
}

type UngatedTerm = Exclude<Term, GatedTerm>;

/** Unscaled values of one term; 0 outside its region. */
function ungatedMatrix(attention: Attention, term: UngatedTerm, rows: Indices, columns: Indices): Float64Array {
  const value = createCellFunction(attention, term, rows, columns);
  const out = new Float64Array(rows.length * columns.length);
  for (let r = 0; r < rows.length; r++) {
    const i = rows[r] ?? 0;
    for (let c = 0; c < columns.length; c++) {
      const j = columns[c] ?? 0;
      if (inRegion(term.region, i, j, deltaAt(attention, i, j))) out[r * columns.length + c] = value(r, c, i, j);
    }
  }
  return out;
}

type CellFunction = (r: number, c: number, i: number, j: number) => number;

function createCellFunction(attention: Attention, term: UngatedTerm, rows: Indices, columns: Indices): CellFunction {
  switch (term.kind) {
    case "bias":
      return (_r, _c, i, j) => term.value(i, j);
    case "product": {
      const { dim } = term.query;
      const queries = factorRows(term.query, rows);
      const keys = factorRows(term.key, columns);
      return (r, c) => dotAt(queries, r * dim, keys, c * dim, dim);
    }
    case "relative_query": {
      const { dim } = term.query;
      const queries = factorRows(term.query, rows);
      const tableRow = rowCache(term.table);
      return (r, _c, i, j) => dotAt(queries, r * dim, tableRow(relativeIndex(attention, term, i, j)), 0, dim);
    }
    case "relative_key": {
      const { dim } = term.key;
      const keys = factorRows(term.key, columns);
      const tableRow = rowCache(term.table);
      return (_r, c, i, j) => dotAt(keys, c * dim, tableRow(relativeIndex(attention, term, i, j)), 0, dim);
    }
  }
}

/** Row of the relative table that a term uses in a cell. */
export function relativeIndex(
  attention: Attention,
  term: Pick<Extract<Term, { kind: "relative_query" }>, "index">,
  i: number,
  j: number,
): number {
  return term.index.of === "delta" ? term.index.at(deltaAt(attention, i, j)) : term.index.at(i, j);
}

function rowCache(table: Factor): (index: number) => Float64Array {
  const rows = new Map<number, Float64Array>();
  return (index) => {
    let row = rows.get(index);
    if (row === undefined) {
      row = new Float64Array(table.dim);
      table.write(index, row, 0);
      rows.set(index, row);
    }
    return row;
  };
}

function accumulateScaled(sum: Float64Array, values: Float64Array, scale: number): void {
  for (let n = 0; n < sum.length; n++) sum[n] = (sum[n] ?? 0) + scale * (values[n] ?? 0);
}

/** Unscaled values of one term in the given cells. Gated terms evaluate whole rows. */
export function termMatrix(attention: Attention, term: Term, rows: Indices, columns: Indices): Float64Array {
  if (term.kind !== "gated") return ungatedMatrix(attention, term, rows, columns);
  const out = new Float64Array(rows.length * columns.length);
  rows.forEach((i, r) => {
    const values = computeGatedRow(attention, term, i);
    columns.forEach((j, c) => {
      out[r * columns.length + c] = inRegion(term.region, i, j, deltaAt(attention, i, j)) ? (values[j] ?? 0) : 0;
    });
  });
  return out;
}

function computeGatedRow(attention: Attention, term: GatedTerm, i: number): Float64Array {
  const keys = indexRange(0, attention.keyLength);
  const logits = new Float64Array(keys.length);
  for (const ungated of attention.terms) {
    if (ungated.kind !== "gated") accumulateScaled(logits, ungatedMatrix(attention, ungated, [i], keys), ungated.scale);
  }
  const visible = maskMatrix(attention, [i], keys);
  for (const j of keys) if (visible[j] === 0) logits[j] = Number.NEGATIVE_INFINITY;
  return term.row(i, logits);
}

/** Σ scale · term over all terms but the hidden ones, before masking. */
export function logitMatrix(
  attention: Attention,
  rows: Indices,
  columns: Indices,
  hidden: readonly string[] = [],
): Float64Array {
  const sum = new Float64Array(rows.length * columns.length);
  for (const term of attention.terms) {
    if (!hidden.includes(term.id)) accumulateScaled(sum, termMatrix(attention, term, rows, columns), term.scale);
  }
  return sum;
}

/** 1 where the query may see the key. */
export function maskMatrix(attention: Attention, rows: Indices, columns: Indices): Uint8Array {
  const out = new Uint8Array(rows.length * columns.length);
  rows.forEach((i, r) => {
    const ranges = visibleKeys(attention, i);
    columns.forEach((j, c) => {
      if (ranges.some((range) => j >= range.from && j < range.to)) out[r * columns.length + c] = 1;
    });
  });
  return out;
}

/**
 * Maximum and exponential sum of a row's logits: weight = exp(logit − max) / sum. `max` is −Infinity for a row without
 * visible keys.
 */
export interface RowStatistics {
  readonly max: number;
  readonly sum: number;
}

export const EMPTY_STATISTICS: RowStatistics = {
  max: Number.NEGATIVE_INFINITY,
  sum: 0,
};

export function mergeStatistics(a: RowStatistics, b: RowStatistics): RowStatistics {
  const max = Math.max(a.max, b.max);
  if (max === Number.NEGATIVE_INFINITY) return EMPTY_STATISTICS;
  return {
    max,
    sum: a.sum * Math.exp(a.max - max) + b.sum * Math.exp(b.max - max),
  };
}

export function logitStatistics(logits: Iterable<number>): RowStatistics {
  let max = Number.NEGATIVE_INFINITY;
  let sum = 0;
  for (const logit of logits) {
    if (logit > max) {
      sum = sum * Math.exp(max - logit) + 1;
      max = logit;
    } else if (logit > Number.NEGATIVE_INFINITY) {
      sum += Math.exp(logit - max);
    }
  }
  return { max, sum };
}

const KEYS_PER_CHUNK = 4096;

/**
 * Row statistics of query i over all visible keys, in chunks, so that callers can show progress and cancel. Yields the
 * fraction done.
 */
export function* streamRowStatistics(attention: Attention, i: number): Generator<number, RowStatistics> {
  const ranges = visibleKeys(attention, i);
  const total = ranges.reduce((count, range) => count + range.to - range.from, 0);
  let statistics = attention.extraLogit === undefined ? EMPTY_STATISTICS : { max: attention.extraLogit, sum: 1 };
  let done = 0;
  for (const range of ranges) {
    for (let from = range.from; from < range.to; from += KEYS_PER_CHUNK) {
      const keys = indexRange(from, Math.min(from + KEYS_PER_CHUNK, range.to));
      statistics = mergeStatistics(statistics, logitStatistics(logitMatrix(attention, [i], keys)));
      done += keys.length;
      if (done < total) yield done / total;
    }
  }
  return statistics;
}

export function collectRowStatistics(attention: Attention, i: number): RowStatistics {
  const stream = streamRowStatistics(attention, i);
  for (;;) {
    const step = stream.next();
    if (step.done === true) return step.value;
  }
}

/** exp(logit − max) / sum; 0 for masked cells and for rows without visible keys. */
export function attentionWeight(logit: number, statistics: RowStatistics): number {
  return statistics.sum > 0 ? Math.exp(logit - statistics.max) / statistics.sum : 0;
}

/** softmax(logit + mask, extra logit?) of the given cells, normalised over the whole row. */
export function weightMatrix(attention: Attention, rows: Indices, columns: Indices): Float64Array {
  const out = logitMatrix(attention, rows, columns);
  const visible = maskMatrix(attention, rows, columns);
  rows.forEach((i, r) => {
    const statistics = collectRowStatistics(attention, i);
    for (let n = r * columns.length; n < (r + 1) * columns.length; n++) {
      out[n] = visible[n] === 1 ? attentionWeight(out[n] ?? 0, statistics) : 0;
    }
  });
  return out;
}

/** weights · v plus the value term, [rows.length][values.dim]. */
export function outputMatrix(attention: Attention, values: Factor, rows: Indices): Float64Array {
  const keys = indexRange(0, attention.keyLength);
  const weights = weightMatrix(attention, rows, keys);
  const value = rowCache(values);
  const relative = attention.valueTerm === undefined ? undefined : rowCache(attention.valueTerm.table);
  const out = new Float64Array(rows.length * values.dim);
  const addRow = (r: number, weight: number, row: Float64Array) => {
    for (let c = 0; c < values.dim; c++)
      out[r * values.dim + c] = (out[r * values.dim + c] ?? 0) + weight * (row[c] ?? 0);
  };
  rows.forEach((i, r) => {
    for (const j of keys) {
      const weight = weights[r * keys.length + j] ?? 0;
      if (weight === 0) continue;
      addRow(r, weight, value(j));
      if (attention.valueTerm !== undefined && relative !== undefined) {
        addRow(r, weight, relative(relativeIndex(attention, attention.valueTerm, i, j)));
      }
    }
  });
  return out;
}

/** Values of one cell for a readout. The attention weight is computed separately, because it needs the whole row. */
export interface CellReading {
  readonly i: number;
  readonly j: number;
  readonly delta: number;
  readonly visible: boolean;
  /** `value` before the scale; null outside the term's region. */
  readonly terms: readonly {
    readonly term: Term;
    readonly value: number | null;
    readonly scaled: number;
  }[];
  readonly logit: number;
}

export function readCell(attention: Attention, i: number, j: number): CellReading {
  const delta = deltaAt(attention, i, j);
  const terms = attention.terms.map((term) => {
    if (!inRegion(term.region, i, j, delta)) return { term, value: null, scaled: 0 };
    const value = termMatrix(attention, term, [i], [j])[0] ?? 0;
    return { term, value, scaled: value * term.scale };
  });
  const logit = terms.reduce((sum, term) => sum + term.scaled, 0);
  return { i, j, delta, visible: isVisible(attention, i, j), terms, logit };
}
