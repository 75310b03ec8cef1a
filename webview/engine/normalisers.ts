import { mergeStatistics, type RowStatistics, statisticsOf } from "../../src/core/terms/engine.ts";
import { type KeyRange, visibleKeys } from "../../src/core/terms/region.ts";
import type { Attention, GatedTerm } from "../../src/core/terms/term.ts";
import { evaluate } from "./evaluate.ts";
import { RememberedRows } from "./factorRows.ts";
import { gatedRows, ungatedRows } from "./gated.ts";
import { type Axis, indexAt } from "./grid.ts";
import { isProfile, isUngated, planTerms, profileSum } from "./plan.ts";
import { ProfileStatistics } from "./profileStatistics.ts";

/**
 * ln Σ exp of each row's visible logits, over the whole row and in float64: exp(logit − normaliser) is the weight.
 * All three ways are generators that yield the fraction done, so that they can be shown, sliced and stopped.
 */
export interface Normalisers {
  /** [rows.count]; −Infinity for a row that sees nothing. */
  readonly values: Float64Array;
  /** A sample of the keys stood for all of them. */
  readonly estimated: boolean;
}

/** Keys with content up to which every one is evaluated. */
const EXACT_KEYS = 2 ** 20;
/** Beyond: keys around the rows that are still all evaluated, and the number taken of the others. */
const NEAR_KEYS = 2 ** 15;
const SAMPLE_KEYS = 2 ** 16;
/** Multiplications between two yields: about ten milliseconds. */
const STEP = 2 ** 23;

/** Multiplications, about: what decides where the work is done. */
export function streamCost(attention: Attention, rows: Axis): number {
  const { from, to } = spanOf(rangesOfRows(attention, rows).flat());
  if (attention.terms.every(isProfile)) return 64 * (rows.count + Math.max(0, to - from));
  return columnCost(attention, rows) * Math.max(0, to - from);
}

export function normaliserStream(attention: Attention, rows: Axis): Generator<number, Normalisers> {
  const gated = attention.terms.filter((term): term is GatedTerm => term.kind === "gated");
  if (gated.length > 0) return gatedStream(attention, gated, rows);
  return attention.terms.every(isProfile) ? profileStream(attention, rows) : contentStream(attention, rows);
}

function closed(statistics: RowStatistics, { extraLogit }: Attention): number {
  const { max, sum } = extraLogit === undefined ? statistics : mergeStatistics(statistics, { max: extraLogit, sum: 1 });
  return max + Math.log(sum);
}

function rangesOfRows(attention: Attention, rows: Axis): KeyRange[][] {
  return Array.from({ length: rows.count }, (_, k) => visibleKeys(attention, indexAt(rows, k)));
}

function spanOf(ranges: readonly KeyRange[]): KeyRange {
  return ranges.reduce((span, { from, to }) => ({ from: Math.min(span.from, from), to: Math.max(span.to, to) }), {
    from: Number.POSITIVE_INFINITY,
    to: Number.NEGATIVE_INFINITY,
  });
}

/** δ decreases as the key grows. */
function deltaRange(attention: Attention, i: number, { from, to }: KeyRange): KeyRange {
  const delta = i + attention.deltaOffset;
  return { from: delta - to + 1, to: delta - from + 1 };
}

function* profileStream(attention: Attention, rows: Axis): Generator<number, Normalisers> {
  const statistics = new ProfileStatistics(profileSum(attention.terms.filter(isProfile)));
  const ranges = rangesOfRows(attention, rows).map((keys, k) =>
    keys.map((range) => deltaRange(attention, indexAt(rows, k), range)),
  );
  const span = spanOf(ranges.flat());
  yield* statistics.prepare(span.from, span.to);
  const values = Float64Array.from(ranges, (deltas) => {
    const sum = deltas.reduce((all, { from, to }) => mergeStatistics(all, statistics.interval(from, to)), NOTHING);
    return closed(sum, attention);
  });
  return { values, estimated: false };
}

const NOTHING: RowStatistics = { max: Number.NEGATIVE_INFINITY, sum: 0 };

function* gatedStream(attention: Attention, gated: readonly GatedTerm[], rows: Axis): Generator<number, Normalisers> {
  const { keyLength } = attention;
  const logits = ungatedRows(attention, rows);
  const gates = gatedRows(attention, gated, rows);
  for (let n = 0; n < logits.length; n++) logits[n] = (logits[n] ?? 0) + (gates[n] ?? 0);
  const values = Float64Array.from({ length: rows.count }, (_, k) =>
    closed(statisticsOf(logits.subarray(k * keyLength, (k + 1) * keyLength)), attention),
  );
  return { values, estimated: false };
}

/** Keys to evaluate: `stride` apart, each standing for that many. */
interface Segment extends KeyRange {
  readonly stride: number;
}

/** Everything, or what is near the rows and a sample of the rest. */
export function segmentsOf(attention: Attention, rows: Axis, span: KeyRange): Segment[] {
  if (span.to - span.from <= EXACT_KEYS) return [{ ...span, stride: 1 }];
  const own = attention.keyLength - attention.queryLength;
  const near = {
    from: Math.max(span.from, rows.first + own - NEAR_KEYS),
    to: Math.min(span.to, indexAt(rows, rows.count - 1) + own + NEAR_KEYS),
  };
  const stride = 2 ** Math.ceil(Math.log2((span.to - span.from) / SAMPLE_KEYS));
  const dense = near.to - near.from <= EXACT_KEYS ? near : { from: span.from, to: span.from };
  return [
    { from: span.from, to: dense.from, stride },
    { ...dense, stride: 1 },
    { from: dense.to, to: span.to, stride },
  ].filter(({ from, to }) => to > from);
}

/** Running maximum and sum of each row. */
class RowSums {
  readonly #max: Float64Array;
  readonly #sum: Float64Array;

  constructor(rows: number) {
    this.#max = new Float64Array(rows).fill(Number.NEGATIVE_INFINITY);
    this.#sum = new Float64Array(rows);
  }

  add(k: number, logits: Float64Array, weight: number): void {
    const part = statisticsOf(logits);
    const merged = mergeStatistics(
      { max: this.#max[k] ?? 0, sum: this.#sum[k] ?? 0 },
      { ...part, sum: part.sum * weight },
    );
    this.#max[k] = merged.max;
    this.#sum[k] = merged.sum;
  }

  row(k: number): RowStatistics {
    return { max: this.#max[k] ?? 0, sum: this.#sum[k] ?? 0 };
  }
}

function columnAxis(first: number, count: number, stride: number): Axis {
  return { first, stride, count, pixels: count, offset: 0, step: 1 };
}

/** Multiplications of one column, about. */
function columnCost(attention: Attention, rows: Axis): number {
  const dims = attention.terms.reduce((sum, term) => sum + (term.kind === "product" ? term.query.dim : 8), 0);
  return Math.max(1, rows.count * dims);
}

function* contentStream(attention: Attention, rows: Axis): Generator<number, Normalisers> {
  const terms = attention.terms.filter(isUngated);
  const ranges = rangesOfRows(attention, rows);
  const span = spanOf(ranges.flat());
  const segments = segmentsOf(attention, rows, span);
  const remembered = new RememberedRows(rows);
  const sums = new RowSums(rows.count);
  const width = Math.min(4096, Math.max(16, Math.floor(STEP / columnCost(attention, rows))));
  for (const { from, to, stride } of segments) {
    for (let first = from; first < to; first += width * stride) {
      const columns = columnAxis(first, Math.ceil((Math.min(to, first + width * stride) - first) / stride), stride);
      addColumns(attention, terms, { remembered, ranges, sums }, columns);
      yield (indexAt(columns, columns.count) - span.from) / (span.to - span.from);
    }
  }
  const values = Float64Array.from({ length: rows.count }, (_, k) => closed(sums.row(k), attention));
  return { values, estimated: segments.some(({ stride }) => stride > 1) };
}

interface Running {
  readonly remembered: RememberedRows;
  readonly ranges: readonly (readonly KeyRange[])[];
  readonly sums: RowSums;
}

/** Adds a stretch of keys to every row that sees some of it. */
function addColumns(
  attention: Attention,
  terms: Parameters<typeof planTerms>[1],
  running: Running,
  columns: Axis,
): void {
  const { ranges, sums, remembered } = running;
  const end = indexAt(columns, columns.count);
  const sees = (keys: readonly KeyRange[]) => keys.some(({ from, to }) => from < end && to > columns.first);
  const firstRow = ranges.findIndex(sees);
  if (firstRow < 0) return;
  const { axis, rowsOf } = remembered.tail(ranges.length - firstRow);
  const logits = evaluate(planTerms(attention, terms, { rows: axis, columns }, { factorRows: rowsOf }));
  const sample = (key: number) =>
    Math.min(columns.count, Math.max(0, Math.ceil((key - columns.first) / columns.stride)));
  for (let k = firstRow; k < ranges.length; k++) {
    const start = (k - firstRow) * columns.count;
    for (const { from, to } of ranges[k] ?? []) {
      const part = logits.subarray(start + sample(from), start + Math.max(sample(from), sample(to)));
      if (part.length > 0) sums.add(k, part, columns.stride);
    }
  }
}
