import type { Factor } from "./term.ts";

/** Linear algebra on rows, for projections that models apply before a product. */

/** Makes a factor from a function of the index. */
export function makeFactor(dim: number, row: (index: number) => ArrayLike<number>): Factor {
  return {
    dim,
    write: (index, out, offset) => {
      const values = row(index);
      for (let c = 0; c < dim; c++) out[offset + c] = values[c] ?? 0;
    },
  };
}

/** Limit on cached rows: those of a large picture. */
const MAX_CACHED_ROWS = 8192;

/** A factor that caches its rows, for rows that are expensive to compute. */
export function cachedFactor(dim: number, row: (index: number) => ArrayLike<number>): Factor {
  const rows = new Map<number, ArrayLike<number>>();
  return makeFactor(dim, (index) => {
    const cachedRow = rows.get(index);
    if (cachedRow !== undefined) return cachedRow;
    if (rows.size >= MAX_CACHED_ROWS) rows.clear();
    const values = row(index);
    rows.set(index, values);
    return values;
  });
}

/** Limit on cached values: streams may run over ten million distances. */
const MAX_CACHED_VALUES = 2 ** 16;

/** Caches the values of a function of an index. */
export function cachedFunction(value: (index: number) => number): (index: number) => number {
  const values = new Map<number, number>();
  return (index) => {
    const known = values.get(index) ?? value(index);
    if (values.size >= MAX_CACHED_VALUES) values.clear();
    values.set(index, known);
    return known;
  };
}

/** One row of a factor. */
export function evaluateRow(factor: Factor, index: number): Float64Array {
  const out = new Float64Array(factor.dim);
  factor.write(index, out, 0);
  return out;
}

export function dotProduct(a: ArrayLike<number>, b: ArrayLike<number>): number {
  let sum = 0;
  for (let c = 0; c < a.length; c++) sum += (a[c] ?? 0) * (b[c] ?? 0);
  return sum;
}

/** Profile of a product of factors whose rows are all equal. */
export function constantProductProfile(query: Factor, key: Factor): () => number {
  const value = dotProduct(evaluateRow(query, 0), evaluateRow(key, 0));
  return () => value;
}

/** The factor whose row n is row n + by of another. */
export function shiftedFactor(factor: Factor, by: number): Factor {
  if (by === 0) return factor;
  return { dim: factor.dim, write: (index, out, offset) => factor.write(index + by, out, offset) };
}

/** Columns from … from + dim − 1 of a factor: a head's slice. */
export function slicedFactor(factor: Factor, from: number, dim: number): Factor {
  if (from === 0 && dim === factor.dim) return factor;
  return makeFactor(dim, (index) => evaluateRow(factor, index).subarray(from, from + dim));
}

export function sumFactors(a: Factor, b: Factor): Factor {
  return makeFactor(a.dim, (index) => {
    const sum = evaluateRow(a, index);
    const addend = evaluateRow(b, index);
    return sum.map((value, c) => value + (addend[c] ?? 0));
  });
}

export function scaledFactor(factor: Factor, scale: number): Factor {
  if (scale === 1) return factor;
  return makeFactor(factor.dim, (index) => evaluateRow(factor, index).map((value) => value * scale));
}

/** Adds one vector to all rows: the bias of a projection, or Transformer-XL's u and v. */
export function translatedFactor(factor: Factor, vector: readonly number[]): Factor {
  return makeFactor(factor.dim, (index) => evaluateRow(factor, index).map((value, c) => value + (vector[c] ?? 0)));
}

/**
 * x W for row vectors, limited to columns from … from + dim − 1 of W.
 * @param weight [in][out]
 */
export function projectedFactor(
  factor: Factor,
  weight: readonly (readonly number[])[],
  from: number,
  dim: number,
): Factor {
  return makeFactor(dim, (index) => {
    const row = evaluateRow(factor, index);
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
  return weight.map((row, n) => dotProduct(row, x) + (bias?.[n] ?? 0));
}

/** torch's Linear applied to each row, limited to output rows from … from + dim − 1. */
export function linearFactor(
  factor: Factor,
  weight: readonly (readonly number[])[],
  bias: readonly number[] | undefined,
  from = 0,
  dim = weight.length,
): Factor {
  const rows = weight.slice(from, from + dim);
  const offsets = bias?.slice(from, from + dim);
  return makeFactor(dim, (index) => linear(rows, offsets, evaluateRow(factor, index)));
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
