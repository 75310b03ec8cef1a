/** Rounding to the number formats of models. */

const bitView = new Uint32Array(1);
const floatView = new Float32Array(bitView.buffer);

/** Nearest bfloat16, ties to even; NaN and infinities are unchanged. */
export function toBfloat16(value: number): number {
  floatView[0] = value;
  const bits = bitView[0] ?? 0;
  if ((bits & 0x7f800000) === 0x7f800000) return floatView[0] ?? value;
  bitView[0] = (bits + 0x7fff + ((bits >>> 16) & 1)) & 0xffff0000;
  return floatView[0] ?? value;
}

/** Rounding of intermediate results; models compute in float32. */
export type Rounding = (value: number) => number;

export const toFloat32: Rounding = Math.fround;
export const keepFloat64: Rounding = (value) => value;

/** The upper 26 bits of a number, to compute products to twice float64's precision (Dekker 1971). */
export function highPart(value: number): number {
  const shifted = value * (2 ** 27 + 1);
  return shifted - (shifted - value);
}

/** Adding and subtracting 1.5 · 2^52 rounds to the nearest integer, ties to even. */
const ROUND_TO_INTEGER = 1.5 * 2 ** 52;

/**
 * Nearest float16, ties to even: 11 significant bits down to 2^−14, steps of 2^−24 below that, infinite from 65,520 on.
 */
export function toFloat16(value: number): number {
  const size = Math.abs(value);
  if (!(size > 0) || !Number.isFinite(value)) return value;
  if (size >= 65_520) return Math.sign(value) * Number.POSITIVE_INFINITY;
  const step = 2 ** (Math.max(-14, Math.floor(Math.log2(size))) - 10);
  return (value / step + ROUND_TO_INTEGER - ROUND_TO_INTEGER) * step;
}
