import type { Factor } from "./term.ts";

/** Small pieces of linear algebra on rows, for projections that models put before a product. */

/** A factor from a function of the index. */
export function factorOf(dim: number, row: (index: number) => ArrayLike<number>): Factor {
  return {
    dim,
    write: (index, out, offset) => {
      const values = row(index);
      for (let c = 0; c < dim; c++) out[offset + c] = values[c] ?? 0;
    },
  };
}

/** Rows that are kept at once: those of a large picture. */
const KEPT_ROWS = 8192;

/** A factor whose rows are computed once, for rows that cost more than they take. */
export function keptFactor(dim: number, row: (index: number) => ArrayLike<number>): Factor {
  const rows = new Map<number, ArrayLike<number>>();
  return factorOf(dim, (index) => {
    const known = rows.get(index);
    if (known !== undefined) return known;
    if (rows.size >= KEPT_ROWS) rows.clear();
    const values = row(index);
    rows.set(index, values);
    return values;
  });
}

/** Numbers that are kept at once: a stream over ten million distances must not keep them all. */
const KEPT_VALUES = 2 ** 16;

/** A function of an index whose values are computed once. */
export function keptValue(value: (index: number) => number): (index: number) => number {
  const values = new Map<number, number>();
  return (index) => {
    const known = values.get(index) ?? value(index);
    if (values.size >= KEPT_VALUES) values.clear();
    values.set(index, known);
    return known;
  };
}

/** One row of a factor. */
export function rowOf(factor: Factor, index: number): Float64Array {
  const out = new Float64Array(factor.dim);
  factor.write(index, out, 0);
  return out;
}

export function dotOf(a: ArrayLike<number>, b: ArrayLike<number>): number {
  let sum = 0;
  for (let c = 0; c < a.length; c++) sum += (a[c] ?? 0) * (b[c] ?? 0);
  return sum;
}

/** The factor whose row n is row n + by of another. */
export function shiftedFactor(factor: Factor, by: number): Factor {
  if (by === 0) return factor;
  return { dim: factor.dim, write: (index, out, offset) => factor.write(index + by, out, offset) };
}

/** Columns from … from + dim − 1 of a factor: a head's slice. */
export function slicedFactor(factor: Factor, from: number, dim: number): Factor {
  if (from === 0 && dim === factor.dim) return factor;
  return factorOf(dim, (index) => rowOf(factor, index).subarray(from, from + dim));
}

export function addedFactors(a: Factor, b: Factor): Factor {
  return factorOf(a.dim, (index) => {
    const sum = rowOf(a, index);
    const other = rowOf(b, index);
    return sum.map((value, c) => value + (other[c] ?? 0));
  });
}

export function scaledFactor(factor: Factor, scale: number): Factor {
  if (scale === 1) return factor;
  return factorOf(factor.dim, (index) => rowOf(factor, index).map((value) => value * scale));
}

/** Rows plus one vector: a bias of a projection, or Transformer-XL's u and v. */
export function offsetFactor(factor: Factor, vector: readonly number[]): Factor {
  return factorOf(factor.dim, (index) => rowOf(factor, index).map((value, c) => value + (vector[c] ?? 0)));
}

/**
 * x W for row vectors, columns from … from + dim − 1 of W only.
 * @param weight [in][out]
 */
export function projectedFactor(
  factor: Factor,
  weight: readonly (readonly number[])[],
  from: number,
  dim: number,
): Factor {
  return factorOf(dim, (index) => {
    const row = rowOf(factor, index);
    const out = new Float64Array(dim);
    for (let k = 0; k < row.length; k++) {
      const weights = weight[k];
      const x = row[k] ?? 0;
      for (let c = 0; c < dim; c++) out[c] = (out[c] ?? 0) + x * (weights?.[from + c] ?? 0);
    }
    return out;
  });
}

/**
 * torch's Linear, W x + b.
 * @param weight [out][in]
 */
export function linear(
  weight: readonly (readonly number[])[],
  bias: readonly number[] | undefined,
  x: ArrayLike<number>,
): number[] {
  return weight.map((row, n) => dotOf(row, x) + (bias?.[n] ?? 0));
}

/** A torch Linear applied to each row; output rows from … from + dim − 1 only. */
export function linearFactor(
  factor: Factor,
  weight: readonly (readonly number[])[],
  bias: readonly number[] | undefined,
  from = 0,
  dim = weight.length,
): Factor {
  const rows = weight.slice(from, from + dim);
  const offsets = bias?.slice(from, from + dim);
  return factorOf(dim, (index) => linear(rows, offsets, rowOf(factor, index)));
}

/** LayerNorm of one vector: (x − mean) / √(variance + eps) · weight + bias, variance over n (torch). */
export function layerNorm(
  x: ArrayLike<number>,
  weight: readonly number[],
  bias: readonly number[],
  eps: number,
): number[] {
  const values = Array.from(x);
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const variance = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length;
  const scale = 1 / Math.sqrt(variance + eps);
  return values.map((value, c) => (value - mean) * scale * (weight[c] ?? 1) + (bias[c] ?? 0));
}
