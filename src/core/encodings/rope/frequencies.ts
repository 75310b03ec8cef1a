import * as l10n from "@vscode/l10n";
import type { Params } from "../../spec.ts";
import { ParamError } from "../../util/errors.ts";
import { getNumber, optionalNumber, optionalNumbers } from "../support/schema.ts";
import { blendYarnFrequencies, type YarnParams, yarnAttentionFactor } from "./yarn.ts";

/** Frequencies of a rotary module: the angle of each pair per position, in radians. */
export interface RotaryFrequencies {
  /** [rotary_dim / 2], highest first; proportional: [head_dim / 2], ending with zeros. */
  readonly inv_freq: readonly number[];
  /** Factor on cosine and sine; scores are multiplied by its square. */
  readonly attention_scaling: number;
}

export const ROPE_TYPES = [
  "default",
  "linear",
  "ntk",
  "dynamic",
  "yarn",
  "longrope",
  "llama3",
  "proportional",
  "axial",
] as const;

export type RopeType = (typeof ROPE_TYPES)[number];

export function isRopeType(value: unknown): value is RopeType {
  return ROPE_TYPES.some((type) => type === value);
}

/** Number of dimensions of a head that rotate: `rotary_dim`, or int(head_dim · partial_rotary_factor). */
export function rotaryDim(params: Params): number {
  const headDim = getNumber(params, "head_dim");
  if (params.rope_type === "proportional" || params.rope_type === "axial") return headDim;
  return optionalNumber(params, "rotary_dim") ?? Math.trunc(headDim * rotaryFraction(params));
}

function rotaryFraction(params: Params): number {
  return optionalNumber(params, "partial_rotary_factor") ?? 1;
}

const MAX_ROTARY_PAIRS = 1 << 20;

/** θ^(−2k/dim) for k = 0 … pairs − 1 (RoFormer, arXiv 2104.09864, section 3.2.2). */
export function geometricFrequencies(theta: number, dim: number, pairs = Math.ceil(dim / 2)): number[] {
  // Sizes come from untrusted configs, and not every caller has checked them.
  if (pairs > MAX_ROTARY_PAIRS)
    throw new ParamError({
      param: "rotary_dim",
      value: dim,
      rule: l10n.t("must be at most {0}", 2 * MAX_ROTARY_PAIRS),
    });
  return Array.from({ length: pairs }, (_, k) => 1 / theta ** ((2 * k) / dim));
}

/** Tokens per full rotation of a pair, 2π/ω; Infinity for pairs that do not rotate. */
export function wavelengths(inverseFrequencies: readonly number[]): number[] {
  return inverseFrequencies.map((frequency) => (frequency > 0 ? (2 * Math.PI) / frequency : Number.POSITIVE_INFINITY));
}

/** The frequencies without scaling, for any `rope_type`. */
export function unscaledFrequencies(params: Params): number[] {
  return geometricFrequencies(getNumber(params, "rope_theta"), rotaryDim(params));
}

/** Base of NTK-aware scaling: θ · s^(d/(d−2)), which divides the lowest frequency by exactly s. */
export function ntkBase(theta: number, scale: number, dim: number): number {
  return theta * scale ** (dim / (dim - 2));
}

/** Divisors of each pair, λ_k = s^(2k/(d−2)), equivalent to `ntkBase`: from 1 to s in a geometric sequence. */
export function ntkDivisors(scale: number, dim: number): number[] {
  return Array.from({ length: dim / 2 }, (_, k) => scale ** ((2 * k) / Math.max(1, dim - 2)));
}

/**
 * Base of dynamic NTK for a call of `length` positions: θ · (f·L/max − (f − 1))^(d/(d−2)) for L > max. Up to max,
 * Hunyuan's `alpha` is a fixed scale (transformers, modeling_hunyuan_v1_dense.py).
 */
export function dynamicBase(params: Params, length: number): number {
  const maxPositions = getNumber(params, "max_position_embeddings");
  const alpha = optionalNumber(params, "alpha");
  if (alpha !== undefined && length <= maxPositions)
    return ntkBase(getNumber(params, "rope_theta"), alpha, rotaryDim(params));
  const factor = getNumber(params, "factor");
  const scale = (factor * Math.max(length, maxPositions)) / maxPositions - (factor - 1);
  return ntkBase(getNumber(params, "rope_theta"), scale, rotaryDim(params));
}

/** `original_max_position_embeddings`, defaulting to `max_position_embeddings` as in transformers. */
export function ropeTrainingContext(params: Params): number {
  return optionalNumber(params, "original_max_position_embeddings") ?? getNumber(params, "max_position_embeddings");
}

/** `factor`, defaulting to the ratio of the two lengths as in YaRN and LongRoPE. */
export function contextFactor(params: Params): number {
  const given = optionalNumber(params, "factor");
  if (given !== undefined) return given;
  const maxPositions = optionalNumber(params, "max_position_embeddings");
  return maxPositions === undefined ? 1 : maxPositions / ropeTrainingContext(params);
}

function withoutAttentionScaling(inv_freq: readonly number[]): RotaryFrequencies {
  return { inv_freq, attention_scaling: 1 };
}

function dynamicNtkFrequencies(params: Params): RotaryFrequencies {
  const length = optionalNumber(params, "seq_len") ?? 0;
  return withoutAttentionScaling(geometricFrequencies(dynamicBase(params, length), rotaryDim(params)));
}

export function readYarnParams(params: Params): YarnParams {
  return {
    theta: getNumber(params, "rope_theta"),
    dim: rotaryDim(params),
    trainingContext: ropeTrainingContext(params),
    betaFast: optionalNumber(params, "beta_fast") ?? 32,
    betaSlow: optionalNumber(params, "beta_slow") ?? 1,
    truncate: params.truncate !== false,
  };
}

function yarnRotaryFrequencies(params: Params): RotaryFrequencies {
  const factor = contextFactor(params);
  return {
    inv_freq: blendYarnFrequencies(unscaledFrequencies(params), factor, readYarnParams(params)),
    attention_scaling:
      optionalNumber(params, "attention_factor") ??
      yarnAttentionFactor(factor, optionalNumber(params, "mscale"), optionalNumber(params, "mscale_all_dim")),
  };
}

/**
 * LongRoPE (arXiv 2402.13753): a divisor for each pair, from one list up to the training context and another beyond.
 */
function longropeFrequencies(params: Params): RotaryFrequencies {
  const trainingContext = ropeTrainingContext(params);
  const name = (optionalNumber(params, "seq_len") ?? 0) > trainingContext ? "long_factor" : "short_factor";
  const divisors = optionalNumbers(params, name);
  if (divisors === undefined) throw new ParamError({ param: name, value: params[name], rule: l10n.t("is required") });
  const theta = getNumber(params, "rope_theta");
  const dim = rotaryDim(params);
  const factor = contextFactor(params);
  return {
    inv_freq: divisors.map((divisor, k) => 1 / (divisor * theta ** ((2 * k) / dim))),
    attention_scaling:
      optionalNumber(params, "attention_factor") ??
      (factor <= 1 ? 1 : Math.sqrt(1 + Math.log(factor) / Math.log(trainingContext))),
  };
}

/**
 * Llama 3.1's treatment of a pair: short wavelengths are kept, long ones divided by the factor, those in between
 * blended.
 */
export type Llama3Band = "high" | "medium" | "low";

export function llama3Bands(params: Params): Llama3Band[] {
  const trainingContext = ropeTrainingContext(params);
  const low = trainingContext / (optionalNumber(params, "low_freq_factor") ?? 1);
  const high = trainingContext / (optionalNumber(params, "high_freq_factor") ?? 4);
  return wavelengths(unscaledFrequencies(params)).map((wavelength) => {
    if (wavelength > low) return "low";
    return wavelength < high ? "high" : "medium";
  });
}

/** Llama 3.1's scaling by wavelength (llama-models `apply_scaling`). */
function llama3Frequencies(params: Params): RotaryFrequencies {
  const trainingContext = ropeTrainingContext(params);
  const factor = contextFactor(params);
  const low = optionalNumber(params, "low_freq_factor") ?? 1;
  const high = optionalNumber(params, "high_freq_factor") ?? 4;
  const bands = llama3Bands(params);
  const scaled = (frequency: number, k: number) => {
    if (bands[k] === "high") return frequency;
    if (bands[k] === "low") return frequency / factor;
    const smooth = ((trainingContext * frequency) / (2 * Math.PI) - low) / (high - low);
    return ((1 - smooth) * frequency) / factor + smooth * frequency;
  };
  return withoutAttentionScaling(unscaledFrequencies(params).map(scaled));
}

/** p-RoPE (arXiv 2410.06205) as in Gemma 4: exponents over the WHOLE head; the lowest-frequency pairs do not rotate. */
function proportionalFrequencies(params: Params): RotaryFrequencies {
  const headDim = getNumber(params, "head_dim");
  const factor = optionalNumber(params, "factor") ?? 1;
  const rotatingPairs = Math.floor(Math.trunc(rotaryFraction(params) * headDim) / 2);
  const all = geometricFrequencies(getNumber(params, "rope_theta"), headDim);
  return withoutAttentionScaling(all.map((frequency, k) => (k < rotatingPairs ? frequency / factor : 0)));
}

/** One function per `rope_type`: checked parameters → frequencies and attention scaling for a call of `seq_len`. */
export const FREQUENCIES_BY_ROPE_TYPE: Readonly<Record<RopeType, (params: Params) => RotaryFrequencies>> = {
  default: (params) => withoutAttentionScaling(unscaledFrequencies(params)),
  linear: (params) =>
    withoutAttentionScaling(unscaledFrequencies(params).map((frequency) => frequency / getNumber(params, "factor"))),
  ntk: (params) => {
    const dim = rotaryDim(params);
    return withoutAttentionScaling(
      geometricFrequencies(ntkBase(getNumber(params, "rope_theta"), getNumber(params, "factor"), dim), dim),
    );
  },
  dynamic: dynamicNtkFrequencies,
  yarn: yarnRotaryFrequencies,
  longrope: longropeFrequencies,
  llama3: llama3Frequencies,
  proportional: proportionalFrequencies,
  axial: (params) =>
    withoutAttentionScaling(geometricFrequencies(getNumber(params, "rope_theta"), rotaryDim(params) / 2)),
};

/**
 * Same as `ROPE_INIT_FUNCTIONS` of transformers 5.18, in float64. Without `seq_len`, the values at construction:
 * dynamic NTK at `max_position_embeddings`, LongRoPE with `short_factor`. A list `inv_freq` (trained frequencies)
 * replaces those of the type.
 * @throws ParamError if a required value is missing
 */
export function inverseFrequencies(params: Params): RotaryFrequencies {
  const type = params.rope_type ?? "default";
  if (!isRopeType(type)) {
    throw new ParamError({
      param: "rope_type",
      value: type,
      rule: l10n.t("must be one of {0}", ROPE_TYPES.join(", ")),
    });
  }
  const computed = FREQUENCIES_BY_ROPE_TYPE[type](params);
  const customFrequencies = optionalNumbers(params, "inv_freq");
  return customFrequencies === undefined ? computed : { ...computed, inv_freq: customFrequencies };
}

/** The buffer of a float32 module at construction, rounded at each step as in torch. */
export function inverseFrequenciesFloat32(params: Params): number[] {
  return inverseFrequencies({ ...params, seq_len: null }).inv_freq.map(Math.fround);
}

/**
 * transformers' dynamic NTK is stateful: the module keeps the frequencies of its longest call and resets them only for
 * a call shorter than `max_position_embeddings` (`dynamic_rope_update`).
 * @param lengths max(position_ids) + 1 of each call
 * @returns inv_freq after each call
 */
export function replayDynamicCalls(params: Params, lengths: readonly number[]): (readonly number[])[] {
  const maxPositions = getNumber(params, "max_position_embeddings");
  let cachedLength = maxPositions;
  return lengths.map((length) => {
    if (length > cachedLength) cachedLength = length;
    else if (length < maxPositions && cachedLength > maxPositions) cachedLength = maxPositions;
    return inverseFrequencies({ ...params, seq_len: cachedLength }).inv_freq;
  });
}
