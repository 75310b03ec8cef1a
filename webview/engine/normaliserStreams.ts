import { logitStatistics, mergeStatistics, type RowStatistics } from "../../src/core/terms/engine.ts";
import { type KeyRange, visibleKeys } from "../../src/core/terms/region.ts";
import type { Attention, GatedTerm } from "../../src/core/terms/term.ts";
import { evaluatePlan } from "./evaluatePlan.ts";
import { CachedFactorRows } from "./factorRows.ts";
import { gatedRows, ungatedRows } from "./gated.ts";
import { hasProfile, isUngated, planTerms, profileSum } from "./plan.ts";
import { ProfileStatistics, SampledStatistics } from "./profileStatistics.ts";
import { type SampledAxis, sampleIndex } from "./sampledGrid.ts";

/**
 * Row normalisers: ln Σ exp of each row's visible logits, in float64, so that exp(logit − normaliser) is the weight.
 * All streams are generators that yield the fraction done, so that they can be sliced, shown and stopped.
 */
export interface NormaliserValues {
  /** [rows.count]; −Infinity for a row that sees nothing. */
  readonly values: Float64Array;
  /** Computed from a sample of the keys. */
  readonly estimated: boolean;
}

/** Which keys of a row are evaluated. */
interface Sampling {
  /** Up to this many keys, all are evaluated. */
  readonly exact: number;
  /** With more keys: all within this distance of the rows, and a sample of this size from the rest. */
  readonly near: number;
  readonly sample: number;
}

/** With content: as many keys as a user will wait for. */
const FULL_SAMPLING: Sampling = { exact: 2 ** 20, near: 2 ** 15, sample: 2 ** 16 };

/** Multiplications of an estimate: some tens of milliseconds. */
const ESTIMATE_COST = 2 ** 24;

/** Multiplications between two yields: about ten milliseconds. */
const YIELD_COST = 2 ** 23;

/** Approximate number of multiplications, to decide whether a worker pays off. */
export function streamCost(attention: Attention, rows: SampledAxis): number {
  const ranges = visibleRanges(attention, rows).flat();
  if (attention.terms.every(hasProfile)) {
    const { from, to } = coveringRange(ranges);
    return 64 * (rows.count + Math.max(0, to - from));
  }
  const cells = ranges.reduce((sum, { from, to }) => sum + Math.max(0, to - from), 0);
  return cells * cellCost(attention);
}

export function normaliserStream(attention: Attention, rows: SampledAxis): Generator<number, NormaliserValues> {
  const gated = attention.terms.filter((term): term is GatedTerm => term.kind === "gated");
  if (gated.length > 0) return gatedStream(attention, gated, rows);
  return attention.terms.every(hasProfile)
    ? profileStream(attention, rows)
    : contentStream(attention, rows, FULL_SAMPLING);
}

/** Whether an estimate should be shown before the exact normalisers. */
export function takesLong(attention: Attention, rows: SampledAxis): boolean {
  return attention.terms.every(isUngated) && streamCost(attention, rows) > 4 * ESTIMATE_COST;
}

/** Estimates the normalisers from few keys: the nearest ones and a sample of the rest. */
export function estimateStream(attention: Attention, rows: SampledAxis): Generator<number, NormaliserValues> {
  if (attention.terms.every(hasProfile)) return profileStream(attention, rows, ESTIMATE_SAMPLING);
  const keys = Math.max(16, Math.floor(ESTIMATE_COST / (rows.count * cellCost(attention))));
  return contentStream(attention, rows, { exact: keys, near: keys / 8, sample: keys / 2 });
}

function rowNormaliser(statistics: RowStatistics, { extraLogit }: Attention): number {
  const { max, sum } = extraLogit === undefined ? statistics : mergeStatistics(statistics, { max: extraLogit, sum: 1 });
  return max + Math.log(sum);
}

function visibleRanges(attention: Attention, rows: SampledAxis): KeyRange[][] {
  return Array.from({ length: rows.count }, (_, k) => visibleKeys(attention, sampleIndex(rows, k)));
}

function coveringRange(ranges: readonly KeyRange[]): KeyRange {
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

/** An estimate by distance: all distances up to `near`, and `sample` of the others. */
const ESTIMATE_SAMPLING = { near: 2 ** 9, sample: 2 ** 11 };

/** @param sampling absent: every distance is evaluated */
function* profileStream(
  attention: Attention,
  rows: SampledAxis,
  sampling?: typeof ESTIMATE_SAMPLING,
): Generator<number, NormaliserValues> {
  const profile = profileSum(attention.terms.filter(hasProfile));
  const ranges = visibleRanges(attention, rows).map((keys, k) =>
    keys.map((range) => deltaRange(attention, sampleIndex(rows, k), range)),
  );
  const span = coveringRange(ranges.flat());
  const stride =
    sampling === undefined ? 1 : 2 ** Math.ceil(Math.log2(Math.max(1, (span.to - span.from) / sampling.sample)));
  const statistics =
    stride === 1 ? new ProfileStatistics(profile) : new SampledStatistics(profile, stride, sampling?.near ?? 0);
  yield* statistics.prepare(span.from, span.to);
  const values = Float64Array.from(ranges, (deltas) => {
    const sum = deltas.reduce(
      (all, { from, to }) => mergeStatistics(all, statistics.interval(from, to)),
      NO_STATISTICS,
    );
    return rowNormaliser(sum, attention);
  });
  return { values, estimated: stride > 1 };
}

const NO_STATISTICS: RowStatistics = { max: Number.NEGATIVE_INFINITY, sum: 0 };

/** A few rows per step, because a gated row needs all of its keys. */
function* gatedStream(
  attention: Attention,
  gated: readonly GatedTerm[],
  rows: SampledAxis,
): Generator<number, NormaliserValues> {
  const { keyLength } = attention;
  const values = new Float64Array(rows.count);
  const rowsPerStep = Math.max(1, Math.floor(YIELD_COST / (cellCost(attention) * keyLength)));
  for (let k = 0; k < rows.count; k += rowsPerStep) {
    const part = { ...rows, first: sampleIndex(rows, k), count: Math.min(rowsPerStep, rows.count - k) };
    const logits = ungatedRows(attention, part);
    const gates = gatedRows(attention, gated, part);
    for (let n = 0; n < logits.length; n++) logits[n] = (logits[n] ?? 0) + (gates[n] ?? 0);
    for (let n = 0; n < part.count; n++) {
      values[k + n] = rowNormaliser(logitStatistics(logits.subarray(n * keyLength, (n + 1) * keyLength)), attention);
    }
    yield (k + part.count) / rows.count;
  }
  return { values, estimated: false };
}

/** Keys to evaluate, `stride` apart; each represents that many. */
interface Segment extends KeyRange {
  readonly stride: number;
}

/** All keys, or those near the rows and a sample of the rest. */
export function keySegments(
  attention: Attention,
  rows: SampledAxis,
  span: KeyRange,
  { exact, near: reach, sample } = FULL_SAMPLING,
): Segment[] {
  if (span.to - span.from <= exact) return [{ ...span, stride: 1 }];
  const firstQuery = attention.keyLength - attention.queryLength;
  const near = {
    from: Math.max(span.from, rows.first + firstQuery - reach),
    to: Math.min(span.to, sampleIndex(rows, rows.count - 1) + firstQuery + reach),
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
    const part = logitStatistics(logits);
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

function columnAxis(first: number, count: number, stride: number): SampledAxis {
  return { first, stride, count, pixels: count, offset: 0, step: 1 };
}

/** Cost of one function call per cell, in multiplications. */
const CALL_COST = 64;

/** Approximate multiplications per cell. */
function cellCost({ terms }: Attention): number {
  return Math.max(
    1,
    terms.reduce((sum, term) => sum + (term.kind === "product" ? term.query.dim : CALL_COST), 0),
  );
}

function* contentStream(
  attention: Attention,
  rows: SampledAxis,
  sampling: Sampling,
): Generator<number, NormaliserValues> {
  const terms = attention.terms.filter(isUngated);
  const ranges = visibleRanges(attention, rows);
  const span = coveringRange(ranges.flat());
  const segments = keySegments(attention, rows, span, sampling);
  const remembered = new CachedFactorRows(rows);
  const sums = new RowSums(rows.count);
  const width = Math.min(4096, Math.max(16, Math.floor(YIELD_COST / (rows.count * cellCost(attention)))));
  for (const { from, to, stride } of segments) {
    for (let first = from; first < to; first += width * stride) {
      const columns = columnAxis(first, Math.ceil((Math.min(to, first + width * stride) - first) / stride), stride);
      addColumns(attention, terms, { remembered, ranges, sums }, columns);
      yield (sampleIndex(columns, columns.count) - span.from) / (span.to - span.from);
    }
  }
  const values = Float64Array.from({ length: rows.count }, (_, k) => rowNormaliser(sums.row(k), attention));
  return { values, estimated: segments.some(({ stride }) => stride > 1) };
}

interface StreamState {
  readonly remembered: CachedFactorRows;
  readonly ranges: readonly (readonly KeyRange[])[];
  readonly sums: RowSums;
}

/** Adds a stretch of keys to every row that sees any of them. */
function addColumns(
  attention: Attention,
  terms: Parameters<typeof planTerms>[1],
  state: StreamState,
  columns: SampledAxis,
): void {
  const { ranges, sums, remembered } = state;
  const end = sampleIndex(columns, columns.count);
  const sees = (keys: readonly KeyRange[]) => keys.some(({ from, to }) => from < end && to > columns.first);
  const firstRow = ranges.findIndex(sees);
  if (firstRow < 0) return;
  const lastRow = ranges.findLastIndex(sees);
  const { axis, rowsOf } = remembered.slice(firstRow, lastRow + 1);
  const logits = evaluatePlan(planTerms(attention, terms, { rows: axis, columns }, { factorRows: rowsOf }));
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
