import type { Region } from "../../../src/core/terms/term.ts";
import type { Plan, ProductPart } from "../plan.ts";
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

/** Whether the normaliser may start the sum of a product: there is one, everywhere, and the number is moderate. */
export function startsAtNormaliser(products: readonly ProductPart[], normalisers: Float64Array | null): boolean {
  if (normalisers === null || products.length !== 1 || products[0]?.region !== undefined) return false;
  return normalisers.every((value) => Math.abs(value) < 4096 || value === Number.NEGATIVE_INFINITY);
}
