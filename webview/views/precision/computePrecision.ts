import { computePairSet, type FrequencyPair } from "../../../src/core/measure/pairs.ts";
import {
  countDistinctCosines,
  FORMAT_PRECISION,
  findFirstRepeat,
  formatPositionCollision,
  NUMBER_FORMATS,
  type NumberFormat,
  rotationErrors,
} from "../../../src/core/measure/precision.ts";
import { memoizeLast } from "../../state/memoize.ts";
import type { ResolvedEncoding } from "../../state/resolvedEncoding.ts";
import type { ChartPoint } from "../../ui/chart/chart.ts";

/** Columns of a line, and positions evaluated in each; the largest error is drawn. */
const LINE_COLUMNS = 140;
const POSITIONS_PER_COLUMN = 8;
/** Limit of the positions whose distinct cosines are counted. */
const MAX_COUNTED_POSITIONS = 8192;
/** Limit of the distances searched for a repeated bias. */
const MAX_REPEAT_DISTANCE = 16_384;

/** A quantity computed from a position, with its error in a number format. */
export interface RoundedQuantity {
  readonly id: "position" | "phase" | "cosine" | "bias";
  error(format: NumberFormat, position: number): number;
}

export interface ErrorLine {
  readonly format: NumberFormat;
  /** Largest error in each column; NaN where there is none. */
  readonly points: readonly ChartPoint[];
}

/** Errors of one number format; `cast`: angles in float32, and only the table in the format. */
export interface FormatRow {
  readonly format: NumberFormat;
  readonly cast: boolean;
  readonly collision: number | null;
  readonly distinct: number | null;
}

export interface PrecisionData {
  readonly kind: "turns" | "bias";
  readonly quantities: readonly RoundedQuantity[];
  readonly lines: Readonly<Record<RoundedQuantity["id"], readonly ErrorLine[]>>;
  readonly from: number;
  readonly to: number;
  /** The pair's angle per position. */
  readonly omega: number;
  readonly pairs: number;
  readonly counted: number;
  readonly rows: readonly FormatRow[];
}

function headSlope({ encoding, params, scene }: ResolvedEncoding): number | null {
  const slope = encoding.slopes?.(params)[scene.head];
  return slope !== undefined && slope > 0 ? slope : null;
}

/** The bias as a function of distance: ALiBi's slope times distance, or another closed form. */
export function biasByDistance(resolved: ResolvedEncoding): ((distance: number) => number) | null {
  const slope = headSlope(resolved);
  if (slope !== null) return (distance) => slope * distance;
  const { encoding, params, attention } = resolved;
  if (encoding.buckets?.(params) !== undefined) return null;
  const [only, ...others] = attention.terms.filter((term) => term.kind === "bias");
  if (only === undefined || others.length > 0 || encoding.patchGrid?.(params) !== undefined) return null;
  if (only.profile !== undefined) return only.profile;
  // If the bias depends on the query as well, takes the last row.
  const last = attention.queryLength - 1;
  return (distance) => only.value(last, last + attention.deltaOffset - distance);
}

/** The bias rounded to a format: for ALiBi each factor of the product, otherwise distance and value. */
export function roundedBias(resolved: ResolvedEncoding, format: NumberFormat): (distance: number) => number {
  const { round } = FORMAT_PRECISION[format];
  const slope = headSlope(resolved);
  if (slope !== null) return (distance) => round(round(slope) * round(distance));
  const bias = biasByDistance(resolved);
  return (distance) => round(bias?.(round(distance)) ?? 0);
}

/** Pairs that rotate by a token's position in a sequence. */
export function rotatingPairs({ encoding, params, scene }: ResolvedEncoding): readonly FrequencyPair[] {
  if (encoding.patchGrid?.(params) !== undefined) return [];
  return computePairSet(encoding, params, scene.keyLength + scene.shift)?.pairs.filter(({ omega }) => omega > 0) ?? [];
}

const positionQuantity: RoundedQuantity = {
  id: "position",
  error: (format, position) => Math.abs(FORMAT_PRECISION[format].round(position) - position),
};

function rotationQuantities(omega: number): readonly RoundedQuantity[] {
  return [
    positionQuantity,
    { id: "phase", error: (format, position) => rotationErrors(format, omega, position).phase },
    { id: "cosine", error: (format, position) => rotationErrors(format, omega, position).cosine },
  ];
}

/** Positions of a column to evaluate: all, or a few that do not align with powers of two. */
function positionsToTry(from: number, to: number, format: NumberFormat): number[] {
  const span = to - from;
  if (span < POSITIONS_PER_COLUMN) return Array.from({ length: span + 1 }, (_, n) => from + n);
  const spread = Array.from(
    { length: POSITIONS_PER_COLUMN },
    (_, n) => from + Math.floor((span * (n + ((n * 0.618) % 1))) / (POSITIONS_PER_COLUMN + 1)),
  );
  // The worst position lies halfway between two that the format can represent.
  const step = 2 ** (Math.floor(Math.log2(from)) - FORMAT_PRECISION[format].bits + 1);
  const worst = step > 1 ? Math.ceil(from / step) * step + step / 2 : from;
  return worst <= to ? [...spread, worst] : spread;
}

function computeErrorLine(quantity: RoundedQuantity, format: NumberFormat, from: number, to: number): ErrorLine {
  const points: ChartPoint[] = [];
  const ratio = to / from;
  for (let c = 0; c < LINE_COLUMNS; c++) {
    const first = Math.round(from * ratio ** (c / LINE_COLUMNS));
    const last = Math.max(first, Math.round(from * ratio ** ((c + 1) / LINE_COLUMNS)) - 1);
    if (first > to) break;
    const error = Math.max(...positionsToTry(first, last, format).map((position) => quantity.error(format, position)));
    if (points.at(-1)?.[0] === first) continue;
    points.push([first, error > 0 && Number.isFinite(error) ? error : Number.NaN]);
  }
  return { format, points };
}

function computeErrorLines(quantities: readonly RoundedQuantity[], from: number, to: number): PrecisionData["lines"] {
  const lines: Record<RoundedQuantity["id"], readonly ErrorLine[]> = { position: [], phase: [], cosine: [], bias: [] };
  for (const quantity of quantities) {
    lines[quantity.id] = NUMBER_FORMATS.map((format) => computeErrorLine(quantity, format, from, to));
  }
  return lines;
}

function rotationRows(omega: number, counted: number): readonly FormatRow[] {
  const row = (format: NumberFormat, cast: boolean): FormatRow => ({
    format,
    cast,
    collision: cast ? formatPositionCollision("float32") : formatPositionCollision(format),
    distinct: countDistinctCosines(format, omega, counted, cast),
  });
  return [...NUMBER_FORMATS.map((format) => row(format, false)), row("float16", true), row("bfloat16", true)];
}

function biasRows(resolved: ResolvedEncoding, to: number): readonly FormatRow[] {
  return NUMBER_FORMATS.map((format) => ({
    format,
    cast: false,
    // In float64 no distances are merged.
    collision:
      format === "float64"
        ? null
        : (findFirstRepeat(roundedBias(resolved, format), Math.min(to + 1, MAX_REPEAT_DISTANCE)) ?? null),
    distinct: null,
  }));
}

/** Computes the errors of every format by position, for a rotating pair or the head's bias; null without either. */
export const computePrecision = memoizeLast((resolved: ResolvedEncoding, pairIndex: number): PrecisionData | null => {
  const { scene } = resolved;
  const from = Math.max(1, scene.shift);
  const to = Math.max(from + 2, scene.shift + scene.keyLength - 1);
  const pairs = rotatingPairs(resolved);
  const pair = pairs[Math.min(pairIndex, pairs.length - 1)];
  const counted = Math.min(MAX_COUNTED_POSITIONS, scene.keyLength + scene.shift);
  if (pair !== undefined) {
    const quantities = rotationQuantities(pair.omega);
    const lines = computeErrorLines(quantities, from, to);
    const rows = rotationRows(pair.omega, counted);
    return { kind: "turns", quantities, lines, from, to, omega: pair.omega, pairs: pairs.length, counted, rows };
  }
  const bias = biasByDistance(resolved);
  if (bias === null) return null;
  const rounded = Object.fromEntries(NUMBER_FORMATS.map((format) => [format, roundedBias(resolved, format)]));
  const error: RoundedQuantity["error"] = (format, distance) =>
    Math.abs((rounded[format]?.(distance) ?? Number.NaN) - bias(distance));
  const quantities: readonly RoundedQuantity[] = [positionQuantity, { id: "bias", error }];
  const lines = computeErrorLines(quantities, from, to);
  return { kind: "bias", quantities, lines, from, to, omega: 0, pairs: 0, counted, rows: biasRows(resolved, to) };
});

/** The first evaluated position whose error exceeds a limit; null: none. */
export function firstErrorAbove(lines: readonly ErrorLine[], format: NumberFormat, limit: number): number | null {
  const line = lines.find((each) => each.format === format);
  return line?.points.find(([, error]) => error > limit)?.[0] ?? null;
}
