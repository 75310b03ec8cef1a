import type { TermRegion } from "../../../src/core/terms/term.ts";
import type { FigurePlan } from "../plan.ts";
import { paddedListLength, type Texture, type Textures } from "./textures.ts";

/** Float64 plans → float32 textures. */

/** One vector per texture row, four dimensions per texel. */
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

/** Float64 numbers as pairs of float32 that add up to them, with twice the digits. */
export function uploadPairs(textures: Textures, name: string, values: Float64Array): Texture {
  const data = new Float32Array(paddedListLength(values.length, 2));
  for (let n = 0; n < values.length; n++) {
    const value = values[n] ?? 0;
    const high = Math.fround(value);
    data[n * 2] = high;
    data[n * 2 + 1] = Number.isFinite(value) ? value - high : 0;
  }
  return textures.uploadList(name, "rg32f", data, 2);
}

export function uploadFloats(textures: Textures, name: string, values: Float64Array): Texture {
  const data = new Float32Array(paddedListLength(values.length, 1));
  data.set(values);
  return textures.uploadList(name, "r32f", data, 1);
}

export function uploadRanges(textures: Textures, ranges: Int32Array): Texture {
  const data = new Int32Array(paddedListLength(ranges.length / 4, 4));
  data.set(ranges);
  return textures.uploadList("ranges", "rgba32i", data, 4);
}

/** Table rows of up to four relative parts, by slot. */
export function uploadSlots(textures: Textures, slots: readonly Int32Array[]): Texture {
  const count = slots[0]?.length ?? 0;
  const data = new Int32Array(paddedListLength(count, 4));
  slots.forEach((list, part) => {
    for (let n = 0; n < count; n++) data[n * 4 + part] = list[n] ?? 0;
  });
  return textures.uploadList("relativeSlots", "rgba32i", data, 4);
}

const MAX_SLOT = 2 ** 30;

/** Which samples of an axis a region contains: 0 any, 1 the first, 2 all but the first, 3 none. */
function sideUniform(which: "first" | "rest" | undefined, firstIndex: number): number {
  if (which === undefined) return 0;
  if (firstIndex > 0) return which === "first" ? 3 : 0;
  return which === "first" ? 1 : 2;
}

/** A region in slots and samples: (first slot, slot after the last, rows, columns). */
export function regionUniform(region: TermRegion | undefined, { grid, diagonals }: FigurePlan): Int32Array {
  const slot = (delta: number | undefined, absent: number) =>
    delta === undefined
      ? absent
      : Math.min(MAX_SLOT, Math.max(-MAX_SLOT, Math.ceil((delta - diagonals.deltaFirst) / diagonals.unit)));
  return Int32Array.of(
    slot(region?.deltaFrom, -MAX_SLOT),
    slot(region?.deltaTo, MAX_SLOT),
    sideUniform(region?.query, grid.rows.first),
    sideUniform(region?.key, grid.columns.first),
  );
}

/** Whether sums of products may start at the normaliser: a much larger normaliser would cost them digits. */
export function canStartAtNormaliser({ products, normalisers }: FigurePlan): boolean {
  return products.length > 0 && normalisers !== null && normalisers.every((value) => Math.abs(value) < 4096);
}

/** Largest root mean square rounding error of a product that weights are made from. */
const MAX_WEIGHT_ERROR = 2e-7;

function largestNorm(vectors: Float64Array, dim: number): number {
  let largest = 0;
  for (let start = 0; start < vectors.length; start += dim) {
    let sum = 0;
    for (let c = start; c < start + dim; c++) sum += (vectors[c] ?? 0) ** 2;
    largest = Math.max(largest, sum);
  }
  return Math.sqrt(largest);
}

/**
 * Whether products of these vectors are so large that float32 rounding would show in weights made from `parts` of them.
 */
export function roundsTooMuch(a: Float64Array, b: Float64Array, dim: number, parts: number): boolean {
  return (
    ((largestNorm(a, dim) * largestNorm(b, dim)) / Math.sqrt(dim)) * 2 ** -24 > MAX_WEIGHT_ERROR / Math.sqrt(parts)
  );
}
