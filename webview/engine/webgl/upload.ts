import type { Region } from "../../../src/core/terms/term.ts";
import type { Plan } from "../plan.ts";
import { listLength, type Texture, type Textures } from "./textures.ts";

/** Float64 plans → float32 textures. */

/** Vectors of four dimensions a texel, one vector a texture row. */
export function uploadVectors(
  textures: Textures,
  name: string,
  vectors: Float64Array,
  dim: number,
): { texture: Texture; texels: number } {
  const texels = Math.ceil(dim / 4);
  const count = vectors.length / dim;
  let data: Float32Array;
  if (dim % 4 === 0) data = Float32Array.from(vectors);
  else {
    data = new Float32Array(count * texels * 4);
    for (let n = 0; n < count; n++) data.set(vectors.subarray(n * dim, (n + 1) * dim), n * texels * 4);
  }
  return { texture: textures.upload(name, "rgba32f", { width: texels, height: count }, data), texels };
}

/** A list of float64 numbers as pairs that add up to them with twice float32's digits. */
export function uploadPairs(textures: Textures, name: string, values: Float64Array): Texture {
  const data = new Float32Array(listLength(values.length, 2));
  for (let n = 0; n < values.length; n++) {
    const value = values[n] ?? 0;
    const high = Math.fround(value);
    data[n * 2] = high;
    data[n * 2 + 1] = Number.isFinite(value) ? value - high : 0;
  }
  return textures.uploadList(name, "rg32f", data, 2);
}

export function uploadFloats(textures: Textures, name: string, values: Float64Array): Texture {
  const data = new Float32Array(listLength(values.length, 1));
  data.set(values);
  return textures.uploadList(name, "r32f", data, 1);
}

export function uploadRanges(textures: Textures, ranges: Int32Array): Texture {
  const data = new Int32Array(listLength(ranges.length / 4, 4));
  data.set(ranges);
  return textures.uploadList("ranges", "rgba32i", data, 4);
}

/** Table rows of up to four relative parts, by slot. */
export function uploadSlots(textures: Textures, slots: readonly Int32Array[]): Texture {
  const count = slots[0]?.length ?? 0;
  const data = new Int32Array(listLength(count, 4));
  slots.forEach((list, part) => {
    for (let n = 0; n < count; n++) data[n * 4 + part] = list[n] ?? 0;
  });
  return textures.uploadList("relativeSlots", "rgba32i", data, 4);
}

const FAR = 2 ** 30;

/** Which samples of an axis a region takes: 0 any, 1 the first, 2 all but it, 3 none. */
function sideUniform(which: "first" | "rest" | undefined, firstIndex: number): number {
  if (which === undefined) return 0;
  if (firstIndex > 0) return which === "first" ? 3 : 0;
  return which === "first" ? 1 : 2;
}

/** A region in slots and samples: (first slot, slot after the last, rows, columns). */
export function regionUniform(region: Region | undefined, { grid, diagonals }: Plan): Int32Array {
  const slot = (delta: number | undefined, absent: number) =>
    delta === undefined
      ? absent
      : Math.min(FAR, Math.max(-FAR, Math.ceil((delta - diagonals.deltaFirst) / diagonals.unit)));
  return Int32Array.of(
    slot(region?.deltaFrom, -FAR),
    slot(region?.deltaTo, FAR),
    sideUniform(region?.query, grid.rows.first),
    sideUniform(region?.key, grid.columns.first),
  );
}

/** Whether sums of products may start from the normaliser: it must be of their size, or it would eat their digits. */
export function startsAtNormaliser({ products, normalisers }: Plan): boolean {
  return products.length > 0 && normalisers !== null && normalisers.every((value) => Math.abs(value) < 4096);
}

/** Root mean square rounding error that a product may have where weights are made of it. */
const WEIGHT_ERROR = 2e-7;

function largestNorm(vectors: Float64Array, dim: number): number {
  let largest = 0;
  for (let start = 0; start < vectors.length; start += dim) {
    let sum = 0;
    for (let c = start; c < start + dim; c++) sum += (vectors[c] ?? 0) ** 2;
    largest = Math.max(largest, sum);
  }
  return Math.sqrt(largest);
}

/** Whether products of these vectors are so large that float32's rounding would show in weights made of `parts` such. */
export function roundsTooMuch(a: Float64Array, b: Float64Array, dim: number, parts: number): boolean {
  return ((largestNorm(a, dim) * largestNorm(b, dim)) / Math.sqrt(dim)) * 2 ** -24 > WEIGHT_ERROR / Math.sqrt(parts);
}
