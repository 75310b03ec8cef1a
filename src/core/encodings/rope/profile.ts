import type { Factor } from "../../terms/term.ts";
import { turnsOf } from "./cosSinTable.ts";
import type { Pairs } from "./rotation.ts";

/** Closed forms of rotated products where every query is the same vector and every key too. */

/** What the product of two constant vectors is made of, pair by pair. */
interface PairProducts {
  /** x·x' + y·y', the factor of cos δω. [pairs] */
  readonly even: readonly number[];
  /** x·y' − y·x', the factor of sin δω. [pairs] */
  readonly odd: readonly number[];
  /** Product of the numbers outside the pairs. */
  readonly still: number;
}

/** Of row 0 of both factors, which stands for all rows. */
function pairProducts(query: Factor, key: Factor, pairs: Pairs): PairProducts {
  const q = new Float64Array(query.dim);
  const k = new Float64Array(key.dim);
  query.write(0, q, 0);
  key.write(0, k, 0);
  const at = (row: Float64Array, index: number | undefined) => row[index ?? -1] ?? 0;
  const product = (a: Float64Array, n: number | undefined, b: Float64Array, m: number | undefined) =>
    at(a, n) * at(b, m);
  const turning = new Set([...pairs.first, ...pairs.second]);
  const { second } = pairs;
  return {
    even: pairs.first.map((a, n) => product(q, a, k, a) + product(q, second[n], k, second[n])),
    odd: pairs.first.map((a, n) => product(q, a, k, second[n]) - product(q, second[n], k, a)),
    still: q.reduce((sum, x, c) => (turning.has(c) ? sum : sum + x * at(k, c)), 0),
  };
}

/**
 * ⟨R_i q, R_j k⟩ as a function of δ = i − j: Σ (even_k · cos δω_k + odd_k · sin δω_k) over the pairs, plus the
 * product of what does not turn.
 * @param factor of the sum over the pairs: the square of the attention scaling
 * @param decay factor of one pair at a distance (xPos)
 */
export function rotatedProfile(
  query: Factor,
  key: Factor,
  pairs: Pairs,
  frequencies: readonly number[],
  factor = 1,
  decay?: (k: number, delta: number) => number,
): (delta: number) => number {
  const { even, odd, still } = pairProducts(query, key, pairs);
  const turns = turnsOf(frequencies);
  const cos = new Float64Array(turns.pairs);
  const sin = new Float64Array(turns.pairs);
  return (delta) => {
    turns.write(delta, cos, sin);
    let sum = 0;
    for (let k = 0; k < cos.length; k++) {
      const value = (even[k] ?? 0) * (cos[k] ?? 0) + (odd[k] ?? 0) * (sin[k] ?? 0);
      sum += decay === undefined ? value : decay(k, delta) * value;
    }
    return factor * sum + still;
  };
}
