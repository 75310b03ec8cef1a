import type { Encoding } from "../../encodings/encoding.ts";
import { encodingById } from "../../encodings/index.ts";
import { frequenciesForLength, softmaxMscale } from "../../encodings/rope/attention.ts";
import { ropeTrainingContext } from "../../encodings/rope/frequencies.ts";
import { checkParams, getNumber, optionalNumber, pickKnownParams } from "../../encodings/support/schema.ts";
import type { Localized } from "../../l10n/l10n.ts";
import type { EncodingSpec, Params } from "../../spec.ts";
import { ParamError } from "../../util/errors.ts";

/** Result of a comparison. */
export type Divergence =
  /**
   * Up to the distance `searched` (tokens) the scores differ by less than the tolerance; `difference` is that at
   * `searched`.
   */
  | { readonly kind: "never"; readonly searched: number; readonly difference: number }
  | {
      readonly kind: "diverges";
      /** Smallest distance i − j with a visible difference. */
      readonly distance: number;
      readonly cause: "angles" | "scale" | "window" | "bias";
      /** At this distance, as a share of a logit's spread; Infinity if one side does not see the key at all. */
      readonly difference: number;
    }
  /** The scores depend on weights, or cannot be compared. */
  | { readonly kind: "incomparable"; readonly reason: Localized };

export interface DivergenceOptions {
  /** Share of a logit's spread that counts as visible. */
  readonly tolerance?: number;
  /** Largest distance to search, in tokens. */
  readonly maxDistance?: number;
}

/** A tenth of the spread: above that, the panel's difference plot visibly leaves its middle colour. */
export const VISIBLE_SHARE = 0.1;

/** Tokens; a longer search would be noticeably slow. */
const MAX_DISTANCE = 131_072;

const DIFFERENT_KINDS: Localized = {
  en: "different encodings",
  zh: "编码种类不同",
};
const DEPENDS_ON_WEIGHTS: Localized = {
  en: "depends on trained values, which are not in the config",
  zh: "取决于训练得到的值，配置中没有",
};
const DIFFERENT_HEAD_SIZES: Localized = {
  en: "head_dim or num_heads differs",
  zh: "head_dim 或 num_heads 不同",
};
const INVALID_PARAMETERS: Localized = {
  en: "invalid parameters",
  zh: "参数无效",
};
const NOT_COMPARED_BY_DISTANCE: Localized = {
  en: "this encoding does not support comparison by distance",
  zh: "此编码不支持按距离比较",
};

/**
 * Finds the smallest distance δ = i − j at which two encodings differ visibly: where the root mean square of the
 * difference of their logits, over q and k with independent standard normal entries, exceeds `tolerance` times that of
 * A's logits.
 *
 * RoPE, and M-RoPE on text: in closed form. With the scale s of the scores, the frequencies ω and n unrotated
 * dimensions, E(logit²) = Σ 2 s² + n and E(difference²) = Σ 2 (s_A² + s_B² − 2 s_A s_B cos((ω_A − ω_B) δ)). Frequencies
 * that depend on the length are those of a text of δ + 1 tokens (dynamic NTK is sampled in steps of 1 % of the
 * distance). ALiBi: the largest difference of two slopes' biases. A key that is only within one of two windows is a
 * divergence too.
 */
export function findFirstDivergence(a: EncodingSpec, b: EncodingSpec, options: DivergenceOptions = {}): Divergence {
  const { tolerance = VISIBLE_SHARE } = options;
  const maxDistance = Math.min(MAX_DISTANCE, options.maxDistance ?? Math.max(contextLength(a), contextLength(b)));
  if (a.encoding !== b.encoding) return { kind: "incomparable", reason: DIFFERENT_KINDS };
  const encoding = encodingById(a.encoding);
  if (encoding === undefined) return { kind: "incomparable", reason: DIFFERENT_KINDS };
  try {
    const found = searchDivergence(
      encoding,
      completeParams(encoding, a),
      completeParams(encoding, b),
      tolerance,
      maxDistance,
    );
    return windowIfEarlier(found, findWindowDivergence(a, b), maxDistance);
  } catch (error) {
    if (error instanceof ParamError) return { kind: "incomparable", reason: INVALID_PARAMETERS };
    throw error;
  }
}

function contextLength({ params }: EncodingSpec): number {
  const longest = optionalNumber(params, "max_position_embeddings") ?? 8192;
  const original = optionalNumber(params, "original_max_position_embeddings");
  return Math.max(longest, (original ?? 0) * (optionalNumber(params, "factor") ?? 1));
}

/** Parameters that are the lengths of lists. */
const SIZE_PARAMS: ReadonlySet<string> = new Set(["head_dim", "num_heads", "rotary_dim"]);

function completeParams(encoding: Encoding, { params }: EncodingSpec): Params {
  const { params: complete, problems } = checkParams(encoding, pickKnownParams(encoding, params));
  // Other invalid values can be computed with; a wrong size cannot, and a hostile one would not end.
  const wrongSize = problems.find(({ param }) => SIZE_PARAMS.has(param));
  if (wrongSize !== undefined) throw new ParamError(wrongSize);
  return { ...params, ...complete };
}

function searchDivergence(
  encoding: Encoding,
  a: Params,
  b: Params,
  tolerance: number,
  maxDistance: number,
): Divergence {
  if (encoding.rotation?.scalable === true) return findRotaryDivergence(a, b, tolerance, maxDistance);
  const { slopes } = encoding;
  if (slopes !== undefined) return findSlopeDivergence(slopes(a), slopes(b), tolerance, maxDistance);
  if (encoding.classification.kind === "none") return { kind: "never", searched: maxDistance, difference: 0 };
  const reason = encoding.learnedArrays.length > 0 ? DEPENDS_ON_WEIGHTS : NOT_COMPARED_BY_DISTANCE;
  return { kind: "incomparable", reason };
}

/** Two windows diverge where the shorter one ends. */
function findWindowDivergence(a: EncodingSpec, b: EncodingSpec): number | undefined {
  const [own, other] = [a, b].map(({ params }) => optionalNumber(params, "sliding_window") ?? Number.POSITIVE_INFINITY);
  return own === other ? undefined : Math.min(own ?? Number.POSITIVE_INFINITY, other ?? Number.POSITIVE_INFINITY);
}

function windowIfEarlier(found: Divergence, window: number | undefined, maxDistance: number): Divergence {
  if (window === undefined || window > maxDistance || found.kind === "incomparable") return found;
  if (found.kind === "diverges" && found.distance <= window) return found;
  return { kind: "diverges", distance: window, cause: "window", difference: Number.POSITIVE_INFINITY };
}

interface RotaryScales {
  readonly inverseFrequencies: readonly number[];
  /** Factor on the rotated part of a score. */
  readonly rotatedScale: number;
  readonly unrotatedDims: number;
  /** Factor on the whole score: 1/√d and DeepSeek's mscale². */
  readonly softmaxScale: number;
}

function computeRotaryScales(params: Params, length: number): RotaryScales {
  const { inv_freq, attention_scaling } = frequenciesForLength(params, length);
  const dim = getNumber(params, "head_dim");
  return {
    inverseFrequencies: inv_freq,
    rotatedScale: attention_scaling ** 2,
    unrotatedDims: Math.max(0, dim - 2 * inv_freq.length),
    softmaxScale: softmaxMscale(params) ** 2 / Math.sqrt(optionalNumber(params, "qk_head_dim") ?? dim),
  };
}

/** Distances at which frequencies change: a text longer than the training context. */
function frequencyChanges(params: Params): readonly number[] {
  if (params.rope_type === "dynamic") return [getNumber(params, "max_position_embeddings")];
  return params.rope_type === "longrope" ? [ropeTrainingContext(params)] : [];
}

/** Beyond the training context, dynamic NTK has different frequencies for each length. */
function changesWithDistance(params: Params, distance: number): boolean {
  return params.rope_type === "dynamic" && distance >= getNumber(params, "max_position_embeddings");
}

function findRotaryDivergence(a: Params, b: Params, tolerance: number, maxDistance: number): Divergence {
  if (getNumber(a, "head_dim") !== getNumber(b, "head_dim"))
    return { kind: "incomparable", reason: DIFFERENT_HEAD_SIZES };
  const differenceAt = (distance: number) =>
    computeScoreDifference(computeRotaryScales(a, distance + 1), computeRotaryScales(b, distance + 1));
  const starts = [...new Set([0, ...frequencyChanges(a), ...frequencyChanges(b)])].filter(
    (from) => from <= maxDistance,
  );
  const sorted = starts.toSorted((x, y) => x - y);
  for (const [n, from] of sorted.entries()) {
    const to = sorted[n + 1] ?? maxDistance + 1;
    const changing = changesWithDistance(a, from) || changesWithDistance(b, from);
    const distance = changing
      ? searchChangingFrequencies(differenceAt, tolerance, from, to)
      : searchFixedFrequencies(differenceAt(from), tolerance, from, to);
    if (distance === undefined) continue;
    const found = differenceAt(distance);
    const cause = found.constant > tolerance ** 2 ? "scale" : "angles";
    return { kind: "diverges", distance, cause, difference: relativeDifference(found, distance) };
  }
  return {
    kind: "never",
    searched: maxDistance,
    difference: relativeDifference(differenceAt(maxDistance), maxDistance),
  };
}

/** Mean square of the difference, as a share of that of A's logits: constant + Σ weight (1 − cos(omega δ)). */
interface ScoreDifference {
  readonly constant: number;
  readonly pairs: readonly { readonly weight: number; readonly omega: number }[];
}

function computeScoreDifference(a: RotaryScales, b: RotaryScales): ScoreDifference {
  const count = Math.max(a.inverseFrequencies.length, b.inverseFrequencies.length);
  let spread = a.unrotatedDims * a.softmaxScale ** 2;
  let constant = Math.min(a.unrotatedDims, b.unrotatedDims) * (a.softmaxScale - b.softmaxScale) ** 2;
  const pairs: { weight: number; omega: number }[] = [];
  for (let k = 0; k < count; k++) {
    const [own, other] = [pairWeight(a, k), pairWeight(b, k)];
    const omega = (a.inverseFrequencies[k] ?? 0) - (b.inverseFrequencies[k] ?? 0);
    if (k < a.inverseFrequencies.length) spread += 2 * own ** 2;
    constant += 2 * (own - other) ** 2;
    if (omega !== 0) pairs.push({ weight: 4 * own * other, omega });
  }
  return { constant: constant / spread, pairs: pairs.map(({ weight, omega }) => ({ weight: weight / spread, omega })) };
}

/** Factor on pair k's part of the score; a pair that is not rotated passes unscaled. */
function pairWeight({ inverseFrequencies, rotatedScale, softmaxScale }: RotaryScales, k: number): number {
  return (k < inverseFrequencies.length ? rotatedScale : 1) * softmaxScale;
}

/** Root mean square of the difference at a distance, as a share of that of A's logits. */
function relativeDifference({ constant, pairs }: ScoreDifference, distance: number): number {
  return Math.sqrt(pairs.reduce((sum, { weight, omega }) => sum + weight * (1 - Math.cos(omega * distance)), constant));
}

/** Starts at the earliest possible distance, by 1 − cos x ≤ x²/2; returns at once if the limit cannot be reached. */
function searchFixedFrequencies(
  found: ScoreDifference,
  tolerance: number,
  from: number,
  to: number,
): number | undefined {
  const { constant, pairs } = found;
  const limit = tolerance ** 2;
  if (constant > limit) return from;
  if (pairs.reduce((sum, { weight }) => sum + 2 * weight, constant) <= limit) return undefined;
  const curvature = pairs.reduce((sum, { weight, omega }) => sum + (weight * omega ** 2) / 2, 0);
  const earliest = Math.floor(Math.sqrt((limit - constant) / curvature));
  for (let distance = Math.max(from, earliest); distance < to; distance++)
    if (relativeDifference(found, distance) > tolerance) return distance;
  return undefined;
}

/**
 * Each distance has its own frequencies: in steps of 1 %, then one by one within the first step that exceeds the
 * tolerance.
 */
function searchChangingFrequencies(
  differenceAt: (distance: number) => ScoreDifference,
  tolerance: number,
  from: number,
  to: number,
): number | undefined {
  const diverges = (distance: number) => relativeDifference(differenceAt(distance), distance) > tolerance;
  let low = from;
  for (let high = from; ; high = Math.min(to - 1, high + Math.max(1, Math.ceil(high / 100)))) {
    if (diverges(high)) {
      while (low < high && !diverges(low)) low++;
      return low;
    }
    if (high >= to - 1) return undefined;
    low = high + 1;
  }
}

/** Content has unit spread, so that the bias itself is the share. */
function findSlopeDivergence(
  own: readonly number[],
  other: readonly number[],
  tolerance: number,
  maxDistance: number,
): Divergence {
  if (own.length !== other.length) return { kind: "incomparable", reason: DIFFERENT_HEAD_SIZES };
  const gap = Math.max(0, ...own.map((value, head) => Math.abs(value - (other[head] ?? 0))));
  const distance = Math.floor(tolerance / gap) + 1;
  if (gap === 0 || distance > maxDistance)
    return { kind: "never", searched: maxDistance, difference: gap * maxDistance };
  return { kind: "diverges", distance, cause: "bias", difference: gap * distance };
}
