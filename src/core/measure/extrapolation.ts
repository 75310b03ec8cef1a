import type { Encoding } from "../encodings/encoding.ts";
import type { Params } from "../spec.ts";
import { bucketRule } from "./buckets.ts";

/** Longest text that training had, and how that is known. */
export interface TrainingLength {
  readonly length: number;
  /** A parameter says so; the table ends there; nothing says so, and this is a usual one. */
  readonly source: "parameter" | "table" | "usual";
}

/** What the papers of T5, BERT's kin and the others trained with. */
const USUAL_SHORT = 512;
const USUAL_LONG = 2048;

function positive(value: unknown): number | null {
  return typeof value === "number" && value > 0 ? value : null;
}

/** The length before scaling, the end of the table, the model's length, or a usual one, whichever is known first. */
export function trainingLength(encoding: Encoding, params: Params): TrainingLength {
  const original = positive(params.original_max_position_embeddings);
  if (original !== null) return { length: original, source: "parameter" };
  const domain = encoding.domain(params);
  if (domain.kind === "table") return { length: domain.size, source: "table" };
  const longest = positive(params.max_position_embeddings);
  if (longest !== null) return { length: longest, source: "parameter" };
  return { length: bucketRule(encoding, params) === null ? USUAL_LONG : USUAL_SHORT, source: "usual" };
}

/** How much of a causal matrix of the used length training has shown, as shares of its cells (i, j), j ≤ i. */
export interface Seen {
  /** Cells whose distance occurred in training. */
  readonly distances: number;
  /** Cells whose row of a trained table was used in training; null where distances share no rows. */
  readonly rows: number | null;
  /** Cells both of whose positions occurred in training. */
  readonly positions: number;
}

/** Cells of a causal matrix of `used` queries whose distance is from … to − 1. */
function cells(used: number, from: number, to: number): number {
  const first = Math.min(from, used);
  const end = Math.min(to, used);
  return ((end - first) * (2 * used - first - end + 1)) / 2;
}

/** Rows of the table that training reached, and the cells beyond the trained distances that use one of these. */
function cellsBySeenRow(encoding: Encoding, params: Params, trained: number, used: number): number | null {
  const rule = bucketRule(encoding, params);
  if (rule === null) return null;
  const end = Math.min(trained, rule.last + 2);
  const known = new Set<number>();
  for (let delta = 0; delta < end; delta++) known.add(rule.at(delta));
  let sum = cells(used, 0, trained);
  // Behind `last` every distance has the same row.
  const single = Math.min(used, Math.max(trained, rule.last + 2));
  for (let delta = trained; delta < single; delta++) if (known.has(rule.at(delta))) sum += used - delta;
  if (single < used && known.has(rule.at(single))) sum += cells(used, single, used);
  return sum;
}

/**
 * Shares of a causal matrix that training has shown.
 * @param trained longest text of the training, in tokens
 * @param used length of the text at hand, in tokens
 */
export function seenInTraining(encoding: Encoding, params: Params, trained: number, used: number): Seen {
  const all = cells(used, 0, used);
  const byRow = cellsBySeenRow(encoding, params, trained, used);
  const known = Math.min(trained, used);
  return {
    distances: cells(used, 0, trained) / all,
    rows: byRow === null ? null : byRow / all,
    positions: cells(known, 0, known) / all,
  };
}

/**
 * RoFormer's bound on how a rotated product can fall with distance: the mean of |S_i| with the partial sums
 * S_i = Σ_{k<i} e^{iδω_k}, i = 1 … pairs (arXiv 2104.09864, section 3.4.3, equation 37). (pairs + 1)/2 at δ = 0.
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
