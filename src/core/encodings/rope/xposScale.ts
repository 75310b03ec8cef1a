import type { Factor } from "../../terms/term.ts";
import { type Pairs, pairProducts, rotatedSum, splitFrequencies } from "./rotation.ts";

/** ζ_k = (2k + 0.4d)/(1.4d): what pair k is multiplied by over `scale_base` positions (arXiv 2212.10554, section 3). */
export function xposZeta(headDim: number): number[] {
  return Array.from({ length: headDim / 2 }, (_, k) => (2 * k + 0.4 * headDim) / (1.4 * headDim));
}

/** The product of two constant vectors under xPos as a function of δ: the rotated sum, each pair times ζ^(δ/b). */
export function xposProfile(
  query: Factor,
  key: Factor,
  pairs: Pairs,
  frequencies: readonly number[],
  zeta: readonly number[],
  scaleBase: number,
): (delta: number) => number {
  const products = pairProducts(query, key, pairs);
  const split = splitFrequencies(frequencies);
  return (delta) => rotatedSum(products, split, delta, (k) => (zeta[k] ?? 1) ** (delta / scaleBase)) + products.still;
}
