import type { Encoding } from "../encodings/encoding.ts";
import { frequenciesForLength } from "../encodings/rope/attention.ts";
import { unscaledFrequencies } from "../encodings/rope/frequencies.ts";
import type { Params } from "../spec.ts";
import { configuredExtendedContext, configuredTrainingContext, positiveOrNull } from "./trainingContext.ts";

/** Effect of scaling on a pair: kept, divided by part of the factor, divided by all of it, or not rotating at all. */
export type PairScaling = "kept" | "blended" | "divided" | "still";

export interface FrequencyPair {
  readonly k: number;
  /** Radians per token. */
  readonly omega: number;
  /** Radians per token without scaling. */
  readonly unscaledOmega: number;
  /** unscaledOmega / omega; 1 for pairs that do not rotate. */
  readonly divisor: number;
  readonly scaling: PairScaling;
}

export interface PairSet {
  readonly pairs: readonly FrequencyPair[];
  /** Training context before any scaling, in tokens. */
  readonly trainingContext: number | null;
  /** Context that scaling extends to, in tokens; null without scaling. */
  readonly extendedContext: number | null;
  readonly factor: number;
}

function hasRopeScaling({ rotation }: Encoding, params: Params): boolean {
  return rotation?.scalable === true && rotation.by(params) === "position";
}

function resolveFrequencies(encoding: Encoding, params: Params, length: number): readonly number[] | null {
  if (hasRopeScaling(encoding, params)) return frequenciesForLength(params, length).inv_freq;
  const frequencies = encoding.frequencies?.(params) ?? [];
  return frequencies.length === 0 ? null : frequencies;
}

function classifyScaling(omega: number, divisor: number, factor: number): PairScaling {
  if (omega === 0) return "still";
  if (Math.abs(divisor - 1) < 1e-9) return "kept";
  return Math.abs(divisor / factor - 1) < 1e-9 ? "divided" : "blended";
}

/**
 * Frequencies of all pairs of a rotary or sinusoidal encoding for a call of `length` positions, with the unscaled ones.
 * @returns null for encodings without frequencies
 */
export function computePairSet(encoding: Encoding, params: Params, length: number): PairSet | null {
  const omegas = resolveFrequencies(encoding, params, length);
  if (omegas === null) return null;
  const unscaledOmegas = hasRopeScaling(encoding, params) ? unscaledFrequencies(params) : omegas;
  const trainingContext = configuredTrainingContext(params);
  const extendedContext = configuredExtendedContext(params);
  const factor =
    positiveOrNull(params.factor) ??
    (trainingContext !== null && extendedContext !== null ? extendedContext / trainingContext : 1);
  const pairs = omegas.map((omega, k) => {
    const unscaled = unscaledOmegas[k] ?? omega;
    const divisor = omega > 0 ? unscaled / omega : 1;
    return { k, omega, unscaledOmega: unscaled, divisor, scaling: classifyScaling(omega, divisor, factor) };
  });
  return { pairs, trainingContext, extendedContext, factor };
}

/** Full rotations of a pair within `length` tokens. */
export function rotationsWithin(omega: number, length: number): number {
  return (omega * length) / (2 * Math.PI);
}

/**
 * Number of pairs that reach unseen angles at `length`: they did not complete a full rotation in training and now
 * rotate further. Scaling reduces this number.
 */
export function countPairsWithUnseenAngles({ pairs, trainingContext }: PairSet, length: number): number {
  if (trainingContext === null) return 0;
  return pairs.filter(({ omega, unscaledOmega }) => {
    const seenAngle = unscaledOmega * trainingContext;
    return seenAngle < 2 * Math.PI && omega * length > seenAngle * (1 + 1e-9);
  }).length;
}
