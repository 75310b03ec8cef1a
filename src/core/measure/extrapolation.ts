import type { Encoding } from "../encodings/encoding.ts";
import type { Params } from "../spec.ts";

/** Shares of the cells (i, j), j ≤ i, of a causal matrix at the current length that occurred in training. */
export interface SeenShares {
  /** Cells whose distance occurred in training. */
  readonly distances: number;
  /** Cells whose table row was used in training; null if distances do not share rows. */
  readonly rows: number | null;
  /** Cells both of whose positions occurred in training. */
  readonly positions: number;
}

/** Number of cells with distance from … to − 1 in a causal matrix of `length` queries. */
function countCells(length: number, from: number, to: number): number {
  const first = Math.min(from, length);
  const end = Math.min(to, length);
  return ((end - first) * (2 * length - first - end + 1)) / 2;
}

/**
 * Cells whose table row was used in training, including cells beyond the trained distances; null without shared rows.
 */
function countCellsWithSeenRow(
  encoding: Encoding,
  params: Params,
  trainingContext: number,
  currentLength: number,
): number | null {
  const rule = encoding.buckets?.(params);
  if (rule === undefined) return null;
  const end = Math.min(trainingContext, rule.lastDistance + 2);
  const seenRows = new Set<number>();
  for (let delta = 0; delta < end; delta++) seenRows.add(rule.row(delta));
  let sum = countCells(currentLength, 0, trainingContext);
  // Beyond `lastDistance`, all distances have the same row.
  const firstLastRowDistance = Math.min(currentLength, Math.max(trainingContext, rule.lastDistance + 2));
  for (let delta = trainingContext; delta < firstLastRowDistance; delta++)
    if (seenRows.has(rule.row(delta))) sum += currentLength - delta;
  if (firstLastRowDistance < currentLength && seenRows.has(rule.row(firstLastRowDistance)))
    sum += countCells(currentLength, firstLastRowDistance, currentLength);
  return sum;
}

/**
 * Shares of a causal matrix that occurred in training.
 * @param trainingContext in tokens
 * @param currentLength in tokens
 */
export function computeSeenShares(
  encoding: Encoding,
  params: Params,
  trainingContext: number,
  currentLength: number,
): SeenShares {
  const all = countCells(currentLength, 0, currentLength);
  const byRow = countCellsWithSeenRow(encoding, params, trainingContext, currentLength);
  const seenPositions = Math.min(trainingContext, currentLength);
  return {
    distances: countCells(currentLength, 0, trainingContext) / all,
    rows: byRow === null ? null : byRow / all,
    positions: countCells(seenPositions, 0, seenPositions) / all,
  };
}

/**
 * RoFormer's bound on the decay of a rotated product with the distance: the mean of |S_i| with the partial sums S_i =
 * Σ_{k<i} e^{iδω_k}, i = 1 … pairs (arXiv 2104.09864, section 3.4.3, equation 37). (pairs + 1)/2 at δ = 0.
 */
export function decayBound(frequencies: readonly number[], delta: number): number {
  let re = 0;
  let im = 0;
  let sum = 0;
  for (const omega of frequencies) {
    re += Math.cos(delta * omega);
    im += Math.sin(delta * omega);
    sum += Math.hypot(re, im);
  }
  return sum / frequencies.length;
}
