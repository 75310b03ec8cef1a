import type { Encoding } from "../encodings/encoding.ts";
import { callFrequencies } from "../encodings/rope/attention.ts";
import { isRopeType, plainFrequencies } from "../encodings/rope/frequencies.ts";
import type { Params } from "../spec.ts";

/** What scaling does to a pair: nothing, part of the factor, all of it, or it does not turn at all. */
export type PairFate = "kept" | "blended" | "divided" | "still";

export interface Pair {
  readonly k: number;
  /** Radians from one position to the next. */
  readonly omega: number;
  /** The same without scaling. */
  readonly plain: number;
  /** plain / omega: how much slower it turns. 1 for pairs that do not turn. */
  readonly divisor: number;
  readonly fate: PairFate;
}

export interface PairSet {
  readonly pairs: readonly Pair[];
  /** Context of the training before any scaling. */
  readonly trained: number | null;
  /** Context that scaling aims at; null without scaling. */
  readonly extended: number | null;
  readonly factor: number;
}

function positive(value: unknown): number | null {
  return typeof value === "number" && value > 0 ? value : null;
}

function numberList(value: unknown): number[] | null {
  if (!Array.isArray(value) || value.length === 0) return null;
  const numbers = value.filter((item): item is number => typeof item === "number");
  return numbers.length === value.length ? numbers : null;
}

function hasScaling(encoding: Encoding, params: Params): boolean {
  const type = params.rope_type;
  return encoding.parameters.some(({ name }) => name === "rope_type") && isRopeType(type) && type !== "axial";
}

function frequenciesOf(encoding: Encoding, params: Params, length: number): readonly number[] | null {
  if (hasScaling(encoding, params)) return callFrequencies(params, length).inv_freq;
  const derived = encoding.derived?.(params);
  return numberList(derived?.inv_freq) ?? numberList(derived?.frequencies);
}

function fateOf(omega: number, divisor: number, factor: number): PairFate {
  if (omega === 0) return "still";
  if (Math.abs(divisor - 1) < 1e-9) return "kept";
  return Math.abs(divisor / factor - 1) < 1e-9 ? "divided" : "blended";
}

/** `original_max_position_embeddings`, or the plain length where there is none. */
export function trainedLength(params: Params): number | null {
  return positive(params.original_max_position_embeddings) ?? positive(params.max_position_embeddings);
}

/** The longer context of a scaled model: written in the config, or the trained one times the factor. */
export function extendedLength(params: Params): number | null {
  const trained = trainedLength(params);
  const longest = positive(params.max_position_embeddings);
  if (trained === null) return null;
  if (longest !== null && longest > trained) return longest;
  const factor = positive(params.factor);
  const scaled = typeof params.rope_type === "string" && params.rope_type !== "default";
  return scaled && factor !== null && factor > 1 ? Math.round(trained * factor) : null;
}

/**
 * The pairs of an encoding that turns or waves: their frequencies in a call of `length` positions, beside the
 * unscaled ones.
 * @returns null for encodings without frequencies
 */
export function pairSet(encoding: Encoding, params: Params, length: number): PairSet | null {
  const omegas = frequenciesOf(encoding, params, length);
  if (omegas === null) return null;
  const plain = hasScaling(encoding, params) ? plainFrequencies(params) : omegas;
  const trained = trainedLength(params);
  const extended = extendedLength(params);
  const factor = positive(params.factor) ?? (trained !== null && extended !== null ? extended / trained : 1);
  const pairs = omegas.map((omega, k) => {
    const unscaled = plain[k] ?? omega;
    const divisor = omega > 0 ? unscaled / omega : 1;
    return { k, omega, plain: unscaled, divisor, fate: fateOf(omega, divisor, factor) };
  });
  return { pairs, trained, extended, factor };
}

/** Full turns that a pair completes in a text of `length` tokens. */
export function turnsWithin(omega: number, length: number): number {
  return (omega * length) / (2 * Math.PI);
}

/**
 * Pairs that meet angles at `length` which training never showed them: they did not complete a turn there, and go
 * further than they went. Scaling is there to make these fewer.
 */
export function pairsWithUnseenAngles({ pairs, trained }: PairSet, length: number): number {
  if (trained === null) return 0;
  return pairs.filter(({ omega, plain }) => {
    const seen = plain * trained;
    return seen < 2 * Math.PI && omega * length > seen * (1 + 1e-9);
  }).length;
}
