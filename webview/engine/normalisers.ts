import { mergeStatistics, type RowStatistics, statisticsOf } from "../../src/core/terms/engine.ts";
import { type KeyRange, visibleKeys } from "../../src/core/terms/region.ts";
import type { Attention, GatedTerm } from "../../src/core/terms/term.ts";
import { evaluate } from "./evaluate.ts";
import { RememberedRows } from "./factorRows.ts";
import { gatedRows, ungatedRows } from "./gated.ts";
import { type Axis, indexAt } from "./grid.ts";
import { isProfile, isUngated, planTerms, profileSum } from "./plan.ts";
import { ProfileStatistics, SampledStatistics } from "./profileStatistics.ts";

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

/** Which keys of a row are evaluated. */
interface Sampling {
  /** Keys up to which every one is. */
  readonly exact: number;
  /** Beyond: keys around the rows that still are, and the number taken of the others. */
  readonly near: number;
  readonly sample: number;
}

/** With content: as many as somebody may wait for. */
const PATIENT: Sampling = { exact: 2 ** 20, near: 2 ** 15, sample: 2 ** 16 };

/** Multiplications of an estimate for a first picture: some tens of milliseconds. */
const GLANCE = 2 ** 24;

/** Multiplications between two yields: about ten milliseconds. */
const STEP = 2 ** 23;

/** Multiplications, about: what decides where the work is done. */
export function streamCost(attention: Attention, rows: Axis): number {
  const ranges = rangesOfRows(attention, rows).flat();
  if (attention.terms.every(isProfile)) {
    const { from, to } = spanOf(ranges);
    return 64 * (rows.count + Math.max(0, to - from));
  }
  const cells = ranges.reduce((sum, { from, to }) => sum + Math.max(0, to - from), 0);
  return cells * cellCost(attention);
}

export function normaliserStream(attention: Attention, rows: Axis): Generator<number, Normalisers> {
  const gated = attention.terms.filter((term): term is GatedTerm => term.kind === "gated");
  if (gated.length > 0) return gatedStream(attention, gated, rows);
  return attention.terms.every(isProfile) ? profileStream(attention, rows) : contentStream(attention, rows, PATIENT);
}

/** Whether the normalisers of these rows are worth a glance before they are there. */
export function takesLong(attention: Attention, rows: Axis): boolean {
  return attention.terms.every(isUngated) && streamCost(attention, rows) > 4 * GLANCE;
}

/** An estimate from few keys, for a first picture: the nearest ones and a sample of the rest. */
export function glanceStream(attention: Attention, rows: Axis): Generator<number, Normalisers> {
  if (attention.terms.every(isProfile)) return profileStream(attention, rows, GLANCED);
  const keys = Math.max(16, Math.floor(GLANCE / (rows.count * cellCost(attention))));
  return contentStream(attention, rows, { exact: keys, near: keys / 8, sample: keys / 2 });
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

/** Distances of a glance: those this near are all taken, and this many of the others. */
const GLANCED = { near: 2 ** 9, sample: 2 ** 11 };

/** @param glance absent: every distance is taken */
function* profileStream(attention: Attention, rows: Axis, glance?: typeof GLANCED): Generator<number, Normalisers> {
  const profile = profileSum(attention.terms.filter(isProfile));
  const ranges = rangesOfRows(attention, rows).map((keys, k) =>
    keys.map((range) => deltaRange(attention, indexAt(rows, k), range)),
  );
  const span = spanOf(ranges.flat());
  const stride =
    glance === undefined ? 1 : 2 ** Math.ceil(Math.log2(Math.max(1, (span.to - span.from) / glance.sample)));
  const statistics =
    stride === 1 ? new ProfileStatistics(profile) : new SampledStatistics(profile, stride, glance?.near ?? 0);
  yield* statistics.prepare(span.from, span.to);
  const values = Float64Array.from(ranges, (deltas) => {
    const sum = deltas.reduce((all, { from, to }) => mergeStatistics(all, statistics.interval(from, to)), NOTHING);
    return closed(sum, attention);
  });
  return { values, estimated: stride > 1 };
}

const NOTHING: RowStatistics = { max: Number.NEGATIVE_INFINITY, sum: 0 };

/** A few rows at a time: each needs all of its keys, and nobody waits longer for them than for a stretch of keys. */
function* gatedStream(attention: Attention, gated: readonly GatedTerm[], rows: Axis): Generator<number, Normalisers> {
  const { keyLength } = attention;
  const values = new Float64Array(rows.count);
  const some = Math.max(1, Math.floor(STEP / (cellCost(attention) * keyLength)));
  for (let k = 0; k < rows.count; k += some) {
    const part = { ...rows, first: indexAt(rows, k), count: Math.min(some, rows.count - k) };
    const logits = ungatedRows(attention, part);
    const gates = gatedRows(attention, gated, part);
    for (let n = 0; n < logits.length; n++) logits[n] = (logits[n] ?? 0) + (gates[n] ?? 0);
    for (let n = 0; n < part.count; n++) {
      values[k + n] = closed(statisticsOf(logits.subarray(n * keyLength, (n + 1) * keyLength)), attention);
    }
    yield (k + part.count) / rows.count;
  }
  return { values, estimated: false };
}

/** Keys to evaluate: `stride` apart, each standing for that many. */
interface Segment extends KeyRange {
  readonly stride: number;
}

/** Everything, or what is near the rows and a sample of the rest. */
export function segmentsOf(
  attention: Attention,
  rows: Axis,
  span: KeyRange,
  { exact, near: reach, sample } = PATIENT,
): Segment[] {
  if (span.to - span.from <= exact) return [{ ...span, stride: 1 }];
  const own = attention.keyLength - attention.queryLength;
  const near = {
    from: Math.max(span.from, rows.first + own - reach),
    to: Math.min(span.to, indexAt(rows, rows.count - 1) + own + reach),
  };
  const stride = 2 ** Math.ceil(Math.log2((span.to - span.from) / sample));
  const dense = near.to - near.from <= exact ? near : { from: span.from, to: span.from };
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

/** What a function of a cell, called for each of them, takes as much time as, in multiplications. */
const CALL = 64;

/** Multiplications of one cell, about. */
function cellCost({ terms }: Attention): number {
  return Math.max(
    1,
    terms.reduce((sum, term) => sum + (term.kind === "product" ? term.query.dim : CALL), 0),
  );
}

function* contentStream(attention: Attention, rows: Axis, sampling: Sampling): Generator<number, Normalisers> {
  const terms = attention.terms.filter(isUngated);
  const ranges = rangesOfRows(attention, rows);
  const span = spanOf(ranges.flat());
  const segments = segmentsOf(attention, rows, span, sampling);
  const remembered = new RememberedRows(rows);
  const sums = new RowSums(rows.count);
  const width = Math.min(4096, Math.max(16, Math.floor(STEP / (rows.count * cellCost(attention)))));
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
  const lastRow = ranges.findLastIndex(sees);
  const { axis, rowsOf } = remembered.part(firstRow, lastRow + 1);
  const logits = evaluate(planTerms(attention, terms, { rows: axis, columns }, { factorRows: rowsOf }));
  const sample = (key: number) =>
    Math.min(columns.count, Math.max(0, Math.ceil((key - columns.first) / columns.stride)));
  for (let k = firstRow; k <= lastRow; k++) {
    const start = (k - firstRow) * columns.count;
    for (const { from, to } of ranges[k] ?? []) {
      const part = logits.subarray(start + sample(from), start + Math.max(sample(from), sample(to)));
      const keys = Math.min(to, end) - Math.max(from, columns.first);
      if (part.length > 0) sums.add(k, part, keys / part.length);
    }
  }
}
