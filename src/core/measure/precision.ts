import { toBfloat16, toFloat16, toFloat32 } from "../terms/precision.ts";

/** Number formats that positions, angles and tables are held in. */
export const NUMBER_FORMATS = ["float64", "float32", "float16", "bfloat16"] as const;
export type NumberFormat = (typeof NUMBER_FORMATS)[number];

interface FormatFacts {
  /** Nearest value of the format. */
  readonly round: (value: number) => number;
  /** Significant bits, the leading one counted: whole numbers up to 2^bits are all there. */
  readonly bits: number;
}

export const FORMATS: Readonly<Record<NumberFormat, FormatFacts>> = {
  float64: { round: (value) => value, bits: 53 },
  float32: { round: toFloat32, bits: 24 },
  float16: { round: toFloat16, bits: 11 },
  bfloat16: { round: toBfloat16, bits: 8 },
};

/** The first position that a format cannot tell from the one before: 2^bits + 1, which falls back to even. */
export function firstPositionCollision(format: NumberFormat): number {
  return 2 ** FORMATS[format].bits + 1;
}

/** A position, its angle and that angle's cosine, as one format holds them. */
export interface HeldTurn {
  readonly position: number;
  readonly phase: number;
  readonly cosine: number;
}

/** Every step in the format: the position, the frequency, their product, its cosine. */
export function heldTurn(format: NumberFormat, omega: number, position: number): HeldTurn {
  const { round } = FORMATS[format];
  const at = round(position);
  const phase = round(at * round(omega));
  return { position: at, phase, cosine: round(Math.cos(phase)) };
}

/** As transformers does it: angle and cosine in float32, and only the table cast to the model's format. */
export function castCosine(format: NumberFormat, omega: number, position: number): number {
  const phase = toFloat32(toFloat32(position) * toFloat32(omega));
  return FORMATS[format].round(toFloat32(Math.cos(phase)));
}

/** What float64 takes off the product position · omega (Dekker 1971), so that errors are against the product itself. */
export function productRest(omega: number, position: number): number {
  const split = (value: number) => {
    const shifted = value * (2 ** 27 + 1);
    return shifted - (shifted - value);
  };
  const [highW, highP] = [split(omega), split(position)];
  const [lowW, lowP] = [omega - highW, position - highP];
  const product = omega * position;
  return lowW * lowP - (product - highW * highP - lowW * highP - highW * lowP);
}

/** Distances from the exact position, angle (radians) and cosine. */
export interface TurnErrors {
  readonly position: number;
  readonly phase: number;
  readonly cosine: number;
}

export function turnErrors(format: NumberFormat, omega: number, position: number): TurnErrors {
  const held = heldTurn(format, omega, position);
  const rest = productRest(omega, position);
  const product = omega * position;
  const exact = Math.cos(product) - rest * Math.sin(product);
  return {
    position: Math.abs(held.position - position),
    phase: Math.abs(held.phase - product - rest),
    cosine: Math.abs(held.cosine - exact),
  };
}

/**
 * How many different cosines the positions 0 … length − 1 have.
 * @param cast angles in float32 as transformers takes them, and only the cosines in the format
 */
export function distinctCosines(format: NumberFormat, omega: number, length: number, cast = false): number {
  const seen = new Set<number>();
  for (let position = 0; position < length; position++) {
    seen.add(cast ? castCosine(format, omega, position) : heldTurn(format, omega, position).cosine);
  }
  return seen.size;
}

/** The first distance that a held number does not tell from the one before; undefined below `length`. */
export function firstRepeat(held: (distance: number) => number, length: number): number | undefined {
  let before = held(0);
  for (let distance = 1; distance < length; distance++) {
    const now = held(distance);
    if (now === before) return distance;
    before = now;
  }
  return undefined;
}
