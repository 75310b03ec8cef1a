import { attentionOf, type Scene } from "../../../src/core/encodings/encoding.ts";
import type { Attention } from "../../../src/core/terms/term.ts";
import type { Drawable } from "../../state/resolvedEncoding.ts";
import { closedLogit, isClosed, rowLogits } from "../distanceLogit.ts";

/** Columns of a long curve; each stands for several distances. */
const COLUMNS = 480;
/** Distances that are evaluated in a column of a closed form, and of a measured row. */
const DENSE = 16;
const SPARSE = 2;
/** More heads than this would hide each other. */
const MOST_HEADS = 64;
/** Heads whose rows are measured cell by cell. */
const MEASURED_HEADS = 8;

export interface Curve {
  /** Heads that have this very curve. */
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
  readonly curves: readonly Curve[];
  /** Columns stand for several distances: `low` and `high` are bounds of the evaluated ones. */
  readonly condensed: boolean;
  /** Not every distance of a column was evaluated. */
  readonly sampled: boolean;
  /** The query whose row was measured; null where δ alone decides. */
  readonly row: number | null;
  readonly shownHeads: number;
}

/** Distances to evaluate in each column: all, or some at places that no period of the curve can meet again and again. */
function samplesOf(from: number, to: number, most: number): { columns: number[][]; sampled: boolean } {
  const span = to - from + 1;
  if (span <= 2 * COLUMNS) {
    return { columns: Array.from({ length: span }, (_, n) => [from + n]), sampled: false };
  }
  const width = span / COLUMNS;
  const columns = Array.from({ length: COLUMNS }, (_, c) => {
    const first = from + Math.floor(c * width);
    const end = from + Math.floor((c + 1) * width);
    const count = Math.min(most, end - first);
    return Array.from({ length: count }, (_, s) => {
      const jitter = count === end - first ? 0 : scatter(c * most + s);
      return Math.min(end - 1, first + Math.floor(((s + jitter) * (end - first)) / count));
    });
  });
  return { columns, sampled: width > most };
}

/** A number in [0, 1) that follows no rhythm: the fractional part of n times the golden ratio. */
function scatter(n: number): number {
  return (n * 0.618_033_988_749_895) % 1;
}

function attentionsOf({ encoding, params, scene, attention }: Drawable, heads: readonly number[]): Attention[] {
  return heads.map((head) =>
    head === scene.head ? attention : attentionOf(encoding, params, { ...scene, head }, attention.mask),
  );
}

function headCount({ params }: Drawable): number {
  const heads = params["num_heads"];
  return typeof heads === "number" && heads >= 1 ? Math.floor(heads) : 1;
}

function condense(
  columns: readonly (readonly number[])[],
  value: (delta: number) => number,
): Pick<Curve, "low" | "high"> {
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
function measuredRow(attention: Attention, row: number, deltas: readonly number[]): (delta: number) => number {
  const values = rowLogits(attention, row, deltas);
  const byDistance = new Map(deltas.map((delta, n) => [delta, values[n] ?? Number.NaN]));
  return (delta) => byDistance.get(delta) ?? Number.NaN;
}

function sameValues(a: readonly number[], b: readonly number[]): boolean {
  return a.every((value, n) => Object.is(value, b[n]));
}

interface Twins {
  readonly heads: readonly number[];
  readonly at: (delta: number) => number;
}

/**
 * Heads with the same curve are one: equal at the first distance of every column, which of short curves is all there
 * is. So what all heads share is evaluated in full only once.
 */
function twins(readers: readonly Twins[], columns: readonly (readonly number[])[]): Twins[] {
  const groups: { heads: readonly number[]; at: Twins["at"]; sketch: number[] }[] = [];
  for (const { heads, at } of readers) {
    const sketch = columns.map(([first]) => at(first ?? 0));
    const known = groups.find((group) => sameValues(group.sketch, sketch));
    if (known === undefined) groups.push({ heads, at, sketch });
    else known.heads = [...known.heads, ...heads];
  }
  return groups;
}

/** Reads the logit at any distance; the distances that will be drawn are measured at once. */
function readerOf(attention: Attention, row: number | null, drawn: readonly number[]): (delta: number) => number {
  if (row === null) return (delta) => closedLogit(attention, delta);
  const known = measuredRow(attention, row, drawn);
  return (delta) => {
    const value = known(delta);
    return Number.isNaN(value) ? measuredRow(attention, row, [delta])(delta) : value;
  };
}

/**
 * The logit against distance for each head: the terms' closed form where δ alone decides, else measured along the
 * row of one query.
 * @param row query whose row is measured
 */
export function curveSet(drawable: Drawable, row: number): CurveSet {
  const { attention, scene } = drawable;
  const closed = isClosed(attention);
  const all = Array.from({ length: headCount(drawable) }, (_, head) => head);
  const heads = closed ? all.slice(0, MOST_HEADS) : measuredHeads(all, scene);
  const own = row + attention.deltaOffset;
  const causal = attention.mask.causal === true;
  const from = causal ? 0 : closed ? 1 - scene.keyLength : own - scene.keyLength + 1;
  const to = closed ? scene.keyLength - 1 : own;
  const { columns, sampled } = samplesOf(Math.min(from, to), to, closed ? DENSE : SPARSE);
  const drawn = columns.flat();
  const readers = attentionsOf(drawable, heads).map((each, n) => ({
    heads: [heads[n] ?? 0],
    at: readerOf(each, closed ? null : row, drawn),
  }));
  const curves = twins(readers, columns).map(({ heads, at }): Curve => ({ heads, at, ...condense(columns, at) }));
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

/** The chosen head among its neighbours; alone where the content is noise, which would hide one behind the other. */
function measuredHeads(all: readonly number[], { head, content }: Scene): readonly number[] {
  if (!content.constant) return [head];
  const first = Math.max(0, Math.min(head - Math.floor(MEASURED_HEADS / 2), all.length - MEASURED_HEADS));
  return all.slice(first, first + MEASURED_HEADS);
}
