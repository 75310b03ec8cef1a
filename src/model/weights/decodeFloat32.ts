import { ownValue } from "../../core/util/ownValue.ts";

/** Converts the number formats of weights to float32, without loss. */

interface Format {
  /** Bytes per number. */
  readonly bytes: number;
  /** Writes `count` numbers from `view`. */
  decode(view: DataView, count: number, out: Float32Array, at: number): void;
}

/** Half precision has only 65,536 values, so a table replaces the arithmetic for each weight. */
let halfTable: Float32Array | undefined;

function halfValues(): Float32Array {
  halfTable ??= Float32Array.from({ length: 0x10000 }, (_, bits) => halfValue(bits));
  return halfTable;
}

/** IEEE half precision: 5 bits of exponent, 10 of fraction. */
function halfValue(bits: number): number {
  const sign = bits & 0x8000 ? -1 : 1;
  const exponent = (bits >> 10) & 0x1f;
  const fraction = bits & 0x3ff;
  if (exponent === 0x1f) return fraction === 0 ? sign * Number.POSITIVE_INFINITY : Number.NaN;
  return exponent === 0 ? sign * fraction * 2 ** -24 : sign * (1 + fraction / 1024) * 2 ** (exponent - 15);
}

function copyFloat32(view: DataView, count: number, out: Float32Array, at: number): void {
  const bytes = new Uint8Array(view.buffer, view.byteOffset, 4 * count);
  new Uint8Array(out.buffer, out.byteOffset + 4 * at, bytes.length).set(bytes);
}

function decodeBfloat16(view: DataView, count: number, out: Float32Array, at: number): void {
  // bfloat16 is the upper half of a float32.
  const bits = new Uint32Array(out.buffer, out.byteOffset, out.length);
  for (let n = 0; n < count; n++) bits[at + n] = view.getUint16(2 * n, true) << 16;
}

function decodeHalf(view: DataView, count: number, out: Float32Array, at: number): void {
  const table = halfValues();
  for (let n = 0; n < count; n++) out[at + n] = table[view.getUint16(2 * n, true)] ?? Number.NaN;
}

/** By safetensors' name. */
const FORMATS: Readonly<Record<string, Format>> = {
  F64: {
    bytes: 8,
    decode: (view, count, out, at) => {
      for (let n = 0; n < count; n++) out[at + n] = view.getFloat64(8 * n, true);
    },
  },
  // Every platform that runs JavaScript engines with WebAssembly is little-endian, as the file is.
  F32: { bytes: 4, decode: copyFloat32 },
  F16: { bytes: 2, decode: decodeHalf },
  BF16: { bytes: 2, decode: decodeBfloat16 },
};

/** Undefined for formats that are not plain floating point: quantised weights, integers. */
export function floatFormat(type: string): Format | undefined {
  return ownValue(FORMATS, type);
}
