import type { Encoding } from "../../encodings/encoding.ts";
import { encodingById } from "../../encodings/index.ts";
import { callFrequencies, softmaxMscale } from "../../encodings/rope/attention.ts";
import { originalLength } from "../../encodings/rope/frequencies.ts";
import { checkParams, knownParams, numberOf, optionalNumber } from "../../encodings/support/schema.ts";
import type { Localized } from "../../l10n/l10n.ts";
import type { EncodingSpec, Params } from "../../spec.ts";
import { ParamError } from "../../util/errors.ts";

/** How a comparison of two encodings ends. */
export type Parting =
  /** Up to `searched` tokens of distance nothing differs by more than the tolerance; `difference` is that at the end. */
  | { readonly kind: "never"; readonly searched: number; readonly difference: number }
  | {
      readonly kind: "parts";
      /** Smallest distance i − j at which it does. */
      readonly distance: number;
      readonly cause: "angles" | "scale" | "window" | "bias";
      /** There, as a share of a logit's spread; Infinity where one of them does not see the key at all. */
      readonly difference: number;
    }
  /** There is no number to compare without weights, or none that means something. */
  | { readonly kind: "incomparable"; readonly reason: Localized };

export interface PartingOptions {
  /** Share of a logit's spread that counts as visible. */
  readonly tolerance?: number;
  /** Largest distance that is looked at, in tokens. */
  readonly reach?: number;
}

/** A tenth of the spread: what a difference picture of the panel shows as more than its middle. */
export const VISIBLE = 0.1;

/** Beyond this many tokens a search would be felt. */
const MOST = 131_072;

const DIFFERENT_KINDS: Localized = {
  en: "different encodings",
  zh: "编码种类不同",
};
const TRAINED: Localized = {
  en: "depends on trained values, which are not in the config",
  zh: "取决于训练得到的值，配置中没有",
};
const SIZES: Localized = {
  en: "head_dim or num_heads differs",
  zh: "head_dim 或 num_heads 不同",
};
const UNREADABLE: Localized = {
  en: "invalid parameters",
  zh: "参数无效",
};
const NO_SEARCH: Localized = {
  en: "this encoding does not support comparison by distance",
  zh: "此编码不支持按距离比较",
};

/**
 * The smallest distance δ = i − j at which two encodings part visibly: where the root mean square of the difference of
 * their logits, over q and k of independent standard normal numbers, passes `tolerance` times that of A's logits.
 * RoPE and M-RoPE on text: the mean is taken in closed form. With s the factor on the scores, ω the frequencies and
 * n the dimensions that do not turn, E(logit²) = Σ 2 s² + n and E(difference²) = Σ 2 (s_A² + s_B² − 2 s_A s_B
 * cos((ω_A − ω_B) δ)); frequencies that follow the length are those of a text of δ + 1 tokens (dynamic NTK is looked
 * at by the hundredth of a distance). ALiBi: the difference of the largest slopes' biases. A key that only one of two windows holds is a parting
 * too.
 */
export function firstParting(a: EncodingSpec, b: EncodingSpec, options: PartingOptions = {}): Parting {
  const { tolerance = VISIBLE } = options;
  const reach = Math.min(MOST, options.reach ?? Math.max(lengthOf(a), lengthOf(b)));
  if (a.encoding !== b.encoding) return { kind: "incomparable", reason: DIFFERENT_KINDS };
  const encoding = encodingById(a.encoding);
  if (encoding === undefined) return { kind: "incomparable", reason: DIFFERENT_KINDS };
  try {
    const found = search(encoding, complete(encoding, a), complete(encoding, b), tolerance, reach);
    return earlier(found, windowParting(a, b), reach);
  } catch (error) {
    if (error instanceof ParamError) return { kind: "incomparable", reason: UNREADABLE };
    throw error;
  }
}

function lengthOf({ params }: EncodingSpec): number {
  const longest = optionalNumber(params, "max_position_embeddings") ?? 8192;
  const original = optionalNumber(params, "original_max_position_embeddings");
  return Math.max(longest, (original ?? 0) * (optionalNumber(params, "factor") ?? 1));
}

function complete(encoding: Encoding, { params }: EncodingSpec): Params {
  return { ...params, ...checkParams(encoding, knownParams(encoding, params)).params };
}

function search(encoding: Encoding, a: Params, b: Params, tolerance: number, reach: number): Parting {
  if (encoding.id === "rope" || encoding.id === "mrope") return rotaryParting(a, b, tolerance, reach);
  if (encoding.id === "alibi") return biasParting(encoding, a, b, tolerance, reach);
  if (encoding.id === "none") return { kind: "never", searched: reach, difference: 0 };
  const reason = encoding.learned.length > 0 ? TRAINED : NO_SEARCH;
  return { kind: "incomparable", reason };
}

/** Two windows part where the shorter one ends. */
function windowParting(a: EncodingSpec, b: EncodingSpec): number | undefined {
  const [own, other] = [a, b].map(({ params }) => optionalNumber(params, "sliding_window") ?? Number.POSITIVE_INFINITY);
  return own === other ? undefined : Math.min(own ?? Number.POSITIVE_INFINITY, other ?? Number.POSITIVE_INFINITY);
}

function earlier(found: Parting, window: number | undefined, reach: number): Parting {
  if (window === undefined || window > reach || found.kind === "incomparable") return found;
  if (found.kind === "parts" && found.distance <= window) return found;
  return { kind: "parts", distance: window, cause: "window", difference: Number.POSITIVE_INFINITY };
}

interface Turns {
  readonly omegas: readonly number[];
  /** On the part of a score that comes from what turns. */
  readonly scale: number;
  /** Dimensions that pass through. */
  readonly still: number;
  /** On the whole score: 1/√d and DeepSeek's mscale². */
  readonly softmax: number;
}

function turnsOf(params: Params, length: number): Turns {
  const { inv_freq, attention_scaling } = callFrequencies(params, length);
  const dim = numberOf(params, "head_dim");
  return {
    omegas: inv_freq,
    scale: attention_scaling ** 2,
    still: Math.max(0, dim - 2 * inv_freq.length),
    softmax: softmaxMscale(params) ** 2 / Math.sqrt(optionalNumber(params, "qk_head_dim") ?? dim),
  };
}

/** The distance from which on frequencies are others: a text of one token more is longer than the trained one. */
function changesAt(params: Params): readonly number[] {
  if (params.rope_type === "dynamic") return [numberOf(params, "max_position_embeddings")];
  return params.rope_type === "longrope" ? [originalLength(params)] : [];
}

/** Beyond the trained length dynamic NTK has other frequencies for each text. */
function moves(params: Params, distance: number): boolean {
  return params.rope_type === "dynamic" && distance >= numberOf(params, "max_position_embeddings");
}

function rotaryParting(a: Params, b: Params, tolerance: number, reach: number): Parting {
  if (numberOf(a, "head_dim") !== numberOf(b, "head_dim")) return { kind: "incomparable", reason: SIZES };
  const at = (distance: number) => apartness(turnsOf(a, distance + 1), turnsOf(b, distance + 1));
  const starts = [...new Set([0, ...changesAt(a), ...changesAt(b)])].filter((from) => from <= reach);
  const sorted = starts.toSorted((x, y) => x - y);
  for (const [n, from] of sorted.entries()) {
    const to = sorted[n + 1] ?? reach + 1;
    const moving = moves(a, from) || moves(b, from);
    const distance = moving ? firstMoving(at, tolerance, from, to) : firstFixed(at(from), tolerance, from, to);
    if (distance === undefined) continue;
    const found = at(distance);
    const cause = found.constant > tolerance ** 2 ? "scale" : "angles";
    return { kind: "parts", distance, cause, difference: shareAt(found, distance) };
  }
  return { kind: "never", searched: reach, difference: shareAt(at(reach), reach) };
}

/** Mean square of the difference, as a share of that of A's logits: constant + Σ weight (1 − cos(omega δ)). */
interface Apartness {
  readonly constant: number;
  readonly pairs: readonly { readonly weight: number; readonly omega: number }[];
}

function apartness(a: Turns, b: Turns): Apartness {
  const count = Math.max(a.omegas.length, b.omegas.length);
  let spread = a.still * a.softmax ** 2;
  let constant = Math.min(a.still, b.still) * (a.softmax - b.softmax) ** 2;
  const pairs: { weight: number; omega: number }[] = [];
  for (let k = 0; k < count; k++) {
    const [own, other] = [weightAt(a, k), weightAt(b, k)];
    const omega = (a.omegas[k] ?? 0) - (b.omegas[k] ?? 0);
    if (k < a.omegas.length) spread += 2 * own ** 2;
    constant += 2 * (own - other) ** 2;
    if (omega !== 0) pairs.push({ weight: 4 * own * other, omega });
  }
  return { constant: constant / spread, pairs: pairs.map(({ weight, omega }) => ({ weight: weight / spread, omega })) };
}

/** Pair k's share in the score; a pair that does not turn in one of them passes through it unscaled. */
function weightAt({ omegas, scale, softmax }: Turns, k: number): number {
  return (k < omegas.length ? scale : 1) * softmax;
}

/** Root mean square of the difference at a distance, as a share of that of A's logits. */
function shareAt({ constant, pairs }: Apartness, distance: number): number {
  return Math.sqrt(pairs.reduce((sum, { weight, omega }) => sum + weight * (1 - Math.cos(omega * distance)), constant));
}

/** Searched from where it can be at the earliest, by 1 − cos x ≤ x²/2; not at all where it can never be. */
function firstFixed(found: Apartness, tolerance: number, from: number, to: number): number | undefined {
  const { constant, pairs } = found;
  const limit = tolerance ** 2;
  if (constant > limit) return from;
  if (pairs.reduce((sum, { weight }) => sum + 2 * weight, constant) <= limit) return undefined;
  const curvature = pairs.reduce((sum, { weight, omega }) => sum + (weight * omega ** 2) / 2, 0);
  const earliest = Math.floor(Math.sqrt((limit - constant) / curvature));
  for (let distance = Math.max(from, earliest); distance < to; distance++)
    if (shareAt(found, distance) > tolerance) return distance;
  return undefined;
}

/** Each distance has its own frequencies: looked at by the hundredth, and one by one in the hundredth that parts. */
function firstMoving(
  at: (distance: number) => Apartness,
  tolerance: number,
  from: number,
  to: number,
): number | undefined {
  const parts = (distance: number) => shareAt(at(distance), distance) > tolerance;
  let low = from;
  for (let high = from; ; high = Math.min(to - 1, high + Math.max(1, Math.ceil(high / 100)))) {
    if (parts(high)) {
      while (low < high && !parts(low)) low++;
      return low;
    }
    if (high >= to - 1) return undefined;
    low = high + 1;
  }
}

/** Content of unit spread: the bias itself is the share. */
function biasParting(encoding: Encoding, a: Params, b: Params, tolerance: number, reach: number): Parting {
  const slope = (params: Params) => {
    const slopes = encoding.derived?.(params)["alibi_slopes"];
    return Array.isArray(slopes) ? slopes.map(Number) : [];
  };
  const [own, other] = [slope(a), slope(b)];
  if (own.length !== other.length) return { kind: "incomparable", reason: SIZES };
  const gap = Math.max(0, ...own.map((value, head) => Math.abs(value - (other[head] ?? 0))));
  const distance = Math.floor(tolerance / gap) + 1;
  if (gap === 0 || distance > reach) return { kind: "never", searched: reach, difference: gap * reach };
  return { kind: "parts", distance, cause: "bias", difference: gap * distance };
}
