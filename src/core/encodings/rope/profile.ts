import type { Factor } from "../../terms/term.ts";
import { cosSinTable } from "./cosSinTable.ts";
import type { PairIndices } from "./rotation.ts";

/** Closed forms of rotated products for content whose queries, and whose keys, are all equal. */

/** Products of two constant vectors, pair by pair. */
interface PairProducts {
  /** x·x' + y·y', the coefficient of cos δω. [pairs] */
  readonly even: readonly number[];
  /** x·y' − y·x', the coefficient of sin δω. [pairs] */
  readonly odd: readonly number[];
  /** Product of the dimensions outside the pairs. */
  readonly unrotated: number;
}

/** Uses row 0 of both factors; all rows are equal. */
function computePairProducts(query: Factor, key: Factor, pairs: PairIndices): PairProducts {
  const q = new Float64Array(query.dim);
  const k = new Float64Array(key.dim);
  query.write(0, q, 0);
  key.write(0, k, 0);
  const at = (row: Float64Array, index: number | undefined) => row[index ?? -1] ?? 0;
  const product = (a: Float64Array, n: number | undefined, b: Float64Array, m: number | undefined) =>
    at(a, n) * at(b, m);
  const rotatedDims = new Set([...pairs.first, ...pairs.second]);
  const { second } = pairs;
  return {
    even: pairs.first.map((a, n) => product(q, a, k, a) + product(q, second[n], k, second[n])),
    odd: pairs.first.map((a, n) => product(q, a, k, second[n]) - product(q, second[n], k, a)),
    unrotated: q.reduce((sum, x, c) => (rotatedDims.has(c) ? sum : sum + x * at(k, c)), 0),
  };
}

/**
 * ⟨R_i q, R_j k⟩ as a function of δ = i − j: Σ (even_k · cos δω_k + odd_k · sin δω_k) over the pairs, plus the product
 * of the dimensions that do not rotate.
 * @param factor multiplies the sum over the pairs: the square of the attention scaling
 * @param decay multiplies one pair at a distance (xPos)
 */
export function buildRotatedProfile(
  query: Factor,
  key: Factor,
  pairs: PairIndices,
  frequencies: readonly number[],
  factor = 1,
  decay?: (k: number, delta: number) => number,
): (delta: number) => number {
  const { even, odd, unrotated } = computePairProducts(query, key, pairs);
  const table = cosSinTable(frequencies);
  const cos = new Float64Array(table.pairs);
  const sin = new Float64Array(table.pairs);
  return (delta) => {
    table.write(delta, cos, sin);
    let sum = 0;
    for (let k = 0; k < cos.length; k++) {
      const value = (even[k] ?? 0) * (cos[k] ?? 0) + (odd[k] ?? 0) * (sin[k] ?? 0);
      sum += decay === undefined ? value : decay(k, delta) * value;
    }
    return factor * sum + unrotated;
  };
}
