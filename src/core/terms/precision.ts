/** Rounding to the number formats that models hold their tables in. */

const words = new Uint32Array(1);
const floats = new Float32Array(words.buffer);

/** Nearest bfloat16, ties to even; NaN and infinities as they are. */
export function toBfloat16(value: number): number {
  floats[0] = value;
  const bits = words[0] ?? 0;
  if ((bits & 0x7f800000) === 0x7f800000) return floats[0] ?? value;
  words[0] = (bits + 0x7fff + ((bits >>> 16) & 1)) & 0xffff0000;
  return floats[0] ?? value;
}

export const toFloat32: (value: number) => number = Math.fround;

/** Adding and taking off 1.5 · 2^52 leaves the nearest whole number, ties to even. */
const WHOLE = 1.5 * 2 ** 52;

/** Nearest float16, ties to even: 11 significant bits down to 2^−14, steps of 2^−24 below; from 65,520 on infinite. */
export function toFloat16(value: number): number {
  const size = Math.abs(value);
  if (!(size > 0) || !Number.isFinite(value)) return value;
  if (size >= 65_520) return Math.sign(value) * Number.POSITIVE_INFINITY;
  const step = 2 ** (Math.max(-14, Math.floor(Math.log2(size))) - 10);
  return (value / step + WHOLE - WHOLE) * step;
}
