import { bucketRule } from "../../../src/core/measure/buckets.ts";
import { type Pair, pairSet } from "../../../src/core/measure/pairs.ts";
import {
  distinctCosines,
  FORMATS,
  firstPositionCollision,
  firstRepeat,
  NUMBER_FORMATS,
  type NumberFormat,
  turnErrors,
} from "../../../src/core/measure/precision.ts";
import type { Drawable } from "../../state/resolvedEncoding.ts";
import { memo } from "../../state/store.ts";
import type { Point } from "../../ui/chart/chart.ts";

/** Columns of a line, and positions that are tried in each: the largest error is drawn. */
const COLUMNS = 140;
const TRIED = 8;
/** Positions whose cosines are counted. */
const COUNTED = 8192;
/** Distances among which a bias is looked for that repeats. */
const REPEATS = 16_384;

/** What positions turn into, and how far a format is off. */
export interface Quantity {
  readonly id: "position" | "phase" | "cosine" | "bias";
  error(format: NumberFormat, position: number): number;
}

export interface ErrorLine {
  readonly format: NumberFormat;
  /** Largest error among the positions tried in a column; without those that have none. */
  readonly points: readonly Point[];
}

/** How one number format fares; `cast`: angles in float32 and only the table in the format. */
export interface FormatRow {
  readonly format: NumberFormat;
  readonly cast: boolean;
  readonly collision: number | null;
  readonly distinct: number | null;
}

export interface PrecisionModel {
  readonly subject: "turns" | "bias";
  readonly quantities: readonly Quantity[];
  readonly lines: Readonly<Record<Quantity["id"], readonly ErrorLine[]>>;
  readonly from: number;
  readonly to: number;
  /** The pair's angle per position; of a bias its slope at the head. */
  readonly omega: number;
  readonly pairs: number;
  readonly counted: number;
  readonly rows: readonly FormatRow[];
}

function slopeOf({ encoding, params, scene }: Drawable): number | null {
  const slopes = encoding.derived?.(params)["alibi_slopes"];
  const slope: unknown = Array.isArray(slopes) ? slopes[scene.head] : undefined;
  return typeof slope === "number" && slope > 0 ? slope : null;
}

/** A bias as a number of each distance: ALiBi's slope times distance, or another closed form. */
export function biasOf(drawable: Drawable): ((distance: number) => number) | null {
  const slope = slopeOf(drawable);
  if (slope !== null) return (distance) => slope * distance;
  const { encoding, params, attention } = drawable;
  if (bucketRule(encoding, params) !== null) return null;
  const [only, ...others] = attention.terms.filter((term) => term.kind === "bias");
  if (only === undefined || others.length > 0 || encoding.grid?.(params) !== undefined) return null;
  if (only.profile !== undefined) return only.profile;
  // Where the query counts, too: the last one's row.
  const last = attention.queryLength - 1;
  return (distance) => only.value(last, last + attention.deltaOffset - distance);
}

/** The bias as a format holds it: each factor of ALiBi's product rounded, of the others distance and value. */
export function heldBias(drawable: Drawable, format: NumberFormat): (distance: number) => number {
  const { round } = FORMATS[format];
  const slope = slopeOf(drawable);
  if (slope !== null) return (distance) => round(round(slope) * round(distance));
  const bias = biasOf(drawable);
  return (distance) => round(bias?.(round(distance)) ?? 0);
}

/** Pairs that turn by the position of a token in a line. */
export function turningPairs({ encoding, params, scene }: Drawable): readonly Pair[] {
  if (encoding.grid?.(params) !== undefined) return [];
  return pairSet(encoding, params, scene.keyLength + scene.shift)?.pairs.filter(({ omega }) => omega > 0) ?? [];
}

const positions: Quantity = {
  id: "position",
  error: (format, position) => Math.abs(FORMATS[format].round(position) - position),
};

function turnQuantities(omega: number): readonly Quantity[] {
  return [
    positions,
    { id: "phase", error: (format, position) => turnErrors(format, omega, position).phase },
    { id: "cosine", error: (format, position) => turnErrors(format, omega, position).cosine },
  ];
}

/** Positions of a column: all of them, or some of which none is in step with a power of two. */
function tries(from: number, to: number, format: NumberFormat): number[] {
  const span = to - from;
  if (span < TRIED) return Array.from({ length: span + 1 }, (_, n) => from + n);
  const spread = Array.from(
    { length: TRIED },
    (_, n) => from + Math.floor((span * (n + ((n * 0.618) % 1))) / (TRIED + 1)),
  );
  // The worst position lies in the middle between two that the format holds.
  const step = 2 ** (Math.floor(Math.log2(from)) - FORMATS[format].bits + 1);
  const worst = step > 1 ? Math.ceil(from / step) * step + step / 2 : from;
  return worst <= to ? [...spread, worst] : spread;
}

function lineOf(quantity: Quantity, format: NumberFormat, from: number, to: number): ErrorLine {
  const points: Point[] = [];
  const ratio = to / from;
  for (let c = 0; c < COLUMNS; c++) {
    const first = Math.round(from * ratio ** (c / COLUMNS));
    const last = Math.max(first, Math.round(from * ratio ** ((c + 1) / COLUMNS)) - 1);
    if (first > to) break;
    const error = Math.max(...tries(first, last, format).map((position) => quantity.error(format, position)));
    if (points.at(-1)?.[0] === first) continue;
    points.push([first, error > 0 && Number.isFinite(error) ? error : Number.NaN]);
  }
  return { format, points };
}

function linesOf(quantities: readonly Quantity[], from: number, to: number): PrecisionModel["lines"] {
  const lines: Record<Quantity["id"], readonly ErrorLine[]> = { position: [], phase: [], cosine: [], bias: [] };
  for (const quantity of quantities) {
    lines[quantity.id] = NUMBER_FORMATS.map((format) => lineOf(quantity, format, from, to));
  }
  return lines;
}

function turnRows(omega: number, counted: number): readonly FormatRow[] {
  const row = (format: NumberFormat, cast: boolean): FormatRow => ({
    format,
    cast,
    collision: cast ? firstPositionCollision("float32") : firstPositionCollision(format),
    distinct: distinctCosines(format, omega, counted, cast),
  });
  return [...NUMBER_FORMATS.map((format) => row(format, false)), row("float16", true), row("bfloat16", true)];
}

function biasRows(drawable: Drawable, to: number): readonly FormatRow[] {
  return NUMBER_FORMATS.map((format) => ({
    format,
    cast: false,
    // float64 tells apart what the formula tells apart.
    collision:
      format === "float64" ? null : (firstRepeat(heldBias(drawable, format), Math.min(to + 1, REPEATS)) ?? null),
    distinct: null,
  }));
}

/** Errors of every format by position, for a pair that turns or for the head's bias; null where neither is there. */
export const precisionModel = memo((drawable: Drawable, wanted: number): PrecisionModel | null => {
  const { scene } = drawable;
  const from = Math.max(1, scene.shift);
  const to = Math.max(from + 2, scene.shift + scene.keyLength - 1);
  const pairs = turningPairs(drawable);
  const pair = pairs[Math.min(wanted, pairs.length - 1)];
  const counted = Math.min(COUNTED, scene.keyLength + scene.shift);
  if (pair !== undefined) {
    const quantities = turnQuantities(pair.omega);
    const lines = linesOf(quantities, from, to);
    const rows = turnRows(pair.omega, counted);
    return { subject: "turns", quantities, lines, from, to, omega: pair.omega, pairs: pairs.length, counted, rows };
  }
  const bias = biasOf(drawable);
  if (bias === null) return null;
  const held = Object.fromEntries(NUMBER_FORMATS.map((format) => [format, heldBias(drawable, format)]));
  const error: Quantity["error"] = (format, distance) =>
    Math.abs((held[format]?.(distance) ?? Number.NaN) - bias(distance));
  const quantities: readonly Quantity[] = [positions, { id: "bias", error }];
  const lines = linesOf(quantities, from, to);
  return { subject: "bias", quantities, lines, from, to, omega: 0, pairs: 0, counted, rows: biasRows(drawable, to) };
});

/** The position at which a pair's angle is first off by this much, among those tried; null: nowhere. */
export function firstBeyond(lines: readonly ErrorLine[], format: NumberFormat, limit: number): number | null {
  const line = lines.find((each) => each.format === format);
  return line?.points.find(([, error]) => error > limit)?.[0] ?? null;
}
