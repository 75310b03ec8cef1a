import { highPart, toBfloat16, toFloat16, toFloat32 } from "../terms/precision.ts";

/** Number formats of positions, angles and tables. */
export const NUMBER_FORMATS = ["float64", "float32", "float16", "bfloat16"] as const;
export type NumberFormat = (typeof NUMBER_FORMATS)[number];

interface FormatPrecision {
  /** Rounds to the nearest value of the format. */
  readonly round: (value: number) => number;
  /** Significant bits including the leading one: integers up to 2^bits are exact. */
  readonly bits: number;
}

export const FORMAT_PRECISION: Readonly<Record<NumberFormat, FormatPrecision>> = {
  float64: { round: (value) => value, bits: 53 },
  float32: { round: toFloat32, bits: 24 },
  float16: { round: toFloat16, bits: 11 },
  bfloat16: { round: toBfloat16, bits: 8 },
};

/** The first position that rounds to the previous one: 2^bits + 1, which rounds to even. */
export function formatPositionCollision(format: NumberFormat): number {
  return 2 ** FORMAT_PRECISION[format].bits + 1;
}

/** A position, its angle in radians and the cosine of that angle, each rounded to a format. */
export interface RoundedRotation {
  readonly position: number;
  readonly phase: number;
  readonly cosine: number;
}

/** Rounds every step to the format: position, frequency, product and cosine. */
export function roundRotation(format: NumberFormat, omega: number, position: number): RoundedRotation {
  const { round } = FORMAT_PRECISION[format];
  const at = round(position);
  const phase = round(at * round(omega));
  return { position: at, phase, cosine: round(Math.cos(phase)) };
}

/** As in transformers: angle and cosine in float32, only the table is cast to the model's format. */
export function roundCosineOnly(format: NumberFormat, omega: number, position: number): number {
  const phase = toFloat32(toFloat32(position) * toFloat32(omega));
  return FORMAT_PRECISION[format].round(toFloat32(Math.cos(phase)));
}

/** Rounding error of position · omega in float64 (Dekker 1971), so that errors are relative to the exact product. */
export function productRoundingError(omega: number, position: number): number {
  const [highW, highP] = [highPart(omega), highPart(position)];
  const [lowW, lowP] = [omega - highW, position - highP];
  const product = omega * position;
  return lowW * lowP - (product - highW * highP - lowW * highP - highW * lowP);
}

/** Absolute errors of position, angle (radians) and cosine. */
export interface RotationErrors {
  readonly position: number;
  readonly phase: number;
  readonly cosine: number;
}

export function rotationErrors(format: NumberFormat, omega: number, position: number): RotationErrors {
  const rounded = roundRotation(format, omega, position);
  const roundingError = productRoundingError(omega, position);
  const product = omega * position;
  const exact = Math.cos(product) - roundingError * Math.sin(product);
  return {
    position: Math.abs(rounded.position - position),
    phase: Math.abs(rounded.phase - product - roundingError),
    cosine: Math.abs(rounded.cosine - exact),
  };
}

/**
 * Number of distinct cosines of the positions 0 … length − 1.
 * @param cast compute angles in float32 as transformers does, and round only the cosines to the format
 */
export function countDistinctCosines(format: NumberFormat, omega: number, length: number, cast = false): number {
  const seen = new Set<number>();
  for (let position = 0; position < length; position++) {
    seen.add(cast ? roundCosineOnly(format, omega, position) : roundRotation(format, omega, position).cosine);
  }
  return seen.size;
}

/** The first distance whose rounded value equals the previous one; undefined if there is none below `length`. */
export function findFirstRepeat(roundedValue: (distance: number) => number, length: number): number | undefined {
  let previous = roundedValue(0);
  for (let distance = 1; distance < length; distance++) {
    const current = roundedValue(distance);
    if (current === previous) return distance;
    previous = current;
  }
  return undefined;
}
