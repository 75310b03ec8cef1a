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
