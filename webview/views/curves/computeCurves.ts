import { buildAttention } from "../../../src/core/encodings/buildAttention.ts";
import type { Scene } from "../../../src/core/terms/scene.ts";
import type { Attention } from "../../../src/core/terms/term.ts";
import type { ResolvedEncoding } from "../../state/resolvedEncoding.ts";
import { dependsOnlyOnDistance, distanceLogit, rowLogits } from "../distanceLogit.ts";

/** Columns of a long curve; each covers several distances. */
const MAX_COLUMNS = 480;
/** Distances evaluated per column, for a closed form and for a measured row. */
const CLOSED_FORM_SAMPLES = 16;
const MEASURED_SAMPLES = 2;
/** More curves would hide each other. */
const MAX_CLOSED_FORM_HEADS = 64;
/** Heads whose rows are measured cell by cell, which takes longer. */
const MAX_MEASURED_HEADS = 8;

export interface HeadCurve {
  /** Heads that share this curve. */
  readonly heads: readonly number[];
  readonly low: Float64Array;
  readonly high: Float64Array;
  /** The logit at one distance. */
  readonly at: (delta: number) => number;
}

export interface CurveSet {
  /** Middle of each column as a distance. */
  readonly deltas: Float64Array;
  readonly from: number;
  readonly to: number;
  readonly curves: readonly HeadCurve[];
  /** Columns cover several distances; `low` and `high` are the bounds of the evaluated ones. */
  readonly condensed: boolean;
  /** Not every distance of a column was evaluated. */
  readonly sampled: boolean;
  /** The query whose row was measured; null if logits depend only on δ. */
  readonly row: number | null;
  readonly shownHeads: number;
}

/** Distances to evaluate in each column: all, or a few, spread so that no period of the curve aligns with them. */
function sampleDistances(from: number, to: number, maxSamples: number): { columns: number[][]; sampled: boolean } {
  const span = to - from + 1;
  if (span <= 2 * MAX_COLUMNS) {
    return { columns: Array.from({ length: span }, (_, n) => [from + n]), sampled: false };
  }
  const width = span / MAX_COLUMNS;
  const columns = Array.from({ length: MAX_COLUMNS }, (_, c) => {
    const first = from + Math.floor(c * width);
    const end = from + Math.floor((c + 1) * width);
    const count = Math.min(maxSamples, end - first);
    return Array.from({ length: count }, (_, s) => {
      const jitter = count === end - first ? 0 : spreadFraction(c * maxSamples + s);
      return Math.min(end - 1, first + Math.floor(((s + jitter) * (end - first)) / count));
    });
  });
  return { columns, sampled: width > maxSamples };
}

/** A number in [0, 1) without a period: the fractional part of n times the golden ratio. */
function spreadFraction(n: number): number {
  return (n * 0.618_033_988_749_895) % 1;
}

function buildHeadAttentions(
  { encoding, params, scene, attention }: ResolvedEncoding,
  heads: readonly number[],
): Attention[] {
  return heads.map((head) =>
    head === scene.head ? attention : buildAttention(encoding, params, { ...scene, head }, attention.mask),
  );
}

function countHeads({ params }: ResolvedEncoding): number {
  const heads = params["num_heads"];
  return typeof heads === "number" && heads >= 1 ? Math.floor(heads) : 1;
}

function condense(
  columns: readonly (readonly number[])[],
  value: (delta: number) => number,
): Pick<HeadCurve, "low" | "high"> {
  const low = new Float64Array(columns.length);
  const high = new Float64Array(columns.length);
  columns.forEach((deltas, c) => {
    const values = deltas.map(value);
    low[c] = Math.min(...values);
    high[c] = Math.max(...values);
  });
  return { low, high };
}

/** The logit along one row, by distance. */
function measureRow(attention: Attention, row: number, deltas: readonly number[]): (delta: number) => number {
  const values = rowLogits(attention, row, deltas);
  const byDistance = new Map(deltas.map((delta, n) => [delta, values[n] ?? Number.NaN]));
  return (delta) => byDistance.get(delta) ?? Number.NaN;
}

function sameValues(a: readonly number[], b: readonly number[]): boolean {
  return a.every((value, n) => Object.is(value, b[n]));
}

interface HeadReader {
  readonly heads: readonly number[];
  readonly at: (delta: number) => number;
}

/**
 * Merges heads with equal curves. Equal means equal at the first distance of every column; in short curves that is
 * every distance. So a curve that all heads share is evaluated in full only once.
 */
function mergeEqualHeads(readers: readonly HeadReader[], columns: readonly (readonly number[])[]): HeadReader[] {
  const groups: { heads: readonly number[]; at: HeadReader["at"]; sketch: number[] }[] = [];
  for (const { heads, at } of readers) {
    const sketch = columns.map(([first]) => at(first ?? 0));
    const equal = groups.find((group) => sameValues(group.sketch, sketch));
    if (equal === undefined) groups.push({ heads, at, sketch });
    else equal.heads = [...equal.heads, ...heads];
  }
  return groups;
}

/** Creates a function of the logit by distance; the distances to draw are measured at once. */
function createReader(attention: Attention, row: number | null, drawn: readonly number[]): (delta: number) => number {
  if (row === null) return (delta) => distanceLogit(attention, delta);
  const measured = measureRow(attention, row, drawn);
  return (delta) => {
    const value = measured(delta);
    return Number.isNaN(value) ? measureRow(attention, row, [delta])(delta) : value;
  };
}

/**
 * Computes the logit against distance for each head: from the terms' closed form if logits depend only on δ, else
 * measured along the row of one query.
 * @param row query whose row is measured
 */
export function computeCurves(resolved: ResolvedEncoding, row: number): CurveSet {
  const { attention, scene } = resolved;
  const closed = dependsOnlyOnDistance(attention);
  const allHeads = Array.from({ length: countHeads(resolved) }, (_, head) => head);
  const heads = closed ? allHeads.slice(0, MAX_CLOSED_FORM_HEADS) : headsToMeasure(allHeads, scene);
  const queryPosition = row + attention.deltaOffset;
  const causal = attention.mask.causal === true;
  const from = causal ? 0 : closed ? 1 - scene.keyLength : queryPosition - scene.keyLength + 1;
  const to = closed ? scene.keyLength - 1 : queryPosition;
  const { columns, sampled } = sampleDistances(Math.min(from, to), to, closed ? CLOSED_FORM_SAMPLES : MEASURED_SAMPLES);
  const distances = columns.flat();
  const readers = buildHeadAttentions(resolved, heads).map((each, n) => ({
    heads: [heads[n] ?? 0],
    at: createReader(each, closed ? null : row, distances),
  }));
  const curves = mergeEqualHeads(readers, columns).map(
    ({ heads, at }): HeadCurve => ({ heads, at, ...condense(columns, at) }),
  );
  return {
    deltas: Float64Array.from(columns, (deltas) => ((deltas[0] ?? 0) + (deltas.at(-1) ?? 0)) / 2),
    from: Math.min(from, to),
    to,
    curves,
    condensed: columns.some(({ length }) => length > 1),
    sampled,
    row: closed ? null : row,
    shownHeads: heads.length,
  };
}

/** The chosen head with its neighbours; alone if content is random, because noisy curves would hide each other. */
function headsToMeasure(all: readonly number[], { head, content }: Scene): readonly number[] {
  if (!content.constant) return [head];
  const first = Math.max(0, Math.min(head - Math.floor(MAX_MEASURED_HEADS / 2), all.length - MAX_MEASURED_HEADS));
  return all.slice(first, first + MAX_MEASURED_HEADS);
}
