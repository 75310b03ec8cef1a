import { t } from "@vscode/l10n";
import { wavelengths } from "../../measure/frequencies.ts";
import type { Params } from "../../spec.ts";
import { ParamError } from "../../util/errors.ts";
import { numberOf, numbersOf, optionalNumber } from "../support/schema.ts";
import { type YarnShape, yarnAttentionFactor, yarnFrequencies } from "./yarn.ts";

/** What a rotary module holds: the angle that each pair turns by from one position to the next, in radians. */
export interface RotaryFrequencies {
  /** [rotary_dim / 2], highest first; proportional: [head_dim / 2] with zeros at the end. */
  readonly inv_freq: readonly number[];
  /** Factor on cosine and sine, so that scores carry its square. */
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

/** How many of a head's numbers rotate: `rotary_dim`, or int(head_dim · partial_rotary_factor). */
export function rotaryDim(params: Params): number {
  const headDim = numberOf(params, "head_dim");
  if (params.rope_type === "proportional" || params.rope_type === "axial") return headDim;
  return optionalNumber(params, "rotary_dim") ?? Math.trunc(headDim * partialFactor(params));
}

function partialFactor(params: Params): number {
  return optionalNumber(params, "partial_rotary_factor") ?? 1;
}

const MAX_PAIRS = 1 << 20;

/** θ^(−2k/dim) for k = 0 … pairs − 1 (RoFormer, arXiv 2104.09864, section 3.2.2). */
export function geometricFrequencies(theta: number, dim: number, pairs = Math.ceil(dim / 2)): number[] {
  // Sizes of configs are hostile input, and not every caller has checked them.
  if (pairs > MAX_PAIRS)
    throw new ParamError({ param: "rotary_dim", value: dim, rule: t("must be at most {0}", 2 * MAX_PAIRS) });
  return Array.from({ length: pairs }, (_, k) => 1 / theta ** ((2 * k) / dim));
}

/** The unscaled frequencies of these parameters, whatever their `rope_type`. */
export function plainFrequencies(params: Params): number[] {
  return geometricFrequencies(numberOf(params, "rope_theta"), rotaryDim(params));
}

/** Base of NTK-aware scaling: θ · s^(d/(d−2)), which divides the lowest frequency by exactly s. */
export function ntkBase(theta: number, scale: number, dim: number): number {
  return theta * scale ** (dim / (dim - 2));
}

/**
 * Base of dynamic NTK for a call of `length` positions: θ · (f·L/max − (f − 1))^(d/(d−2)) for L > max. Hunyuan's
 * `alpha` is a fixed scale up to there (transformers, modeling_hunyuan_v1_dense.py).
 */
export function dynamicBase(params: Params, length: number): number {
  const trained = numberOf(params, "max_position_embeddings");
  const alpha = optionalNumber(params, "alpha");
  if (alpha !== undefined && length <= trained)
    return ntkBase(numberOf(params, "rope_theta"), alpha, rotaryDim(params));
  const factor = numberOf(params, "factor");
  const scale = (factor * Math.max(length, trained)) / trained - (factor - 1);
  return ntkBase(numberOf(params, "rope_theta"), scale, rotaryDim(params));
}

/** `original_max_position_embeddings`, or as transformers fills it in: `max_position_embeddings`. */
export function originalLength(params: Params): number {
  return optionalNumber(params, "original_max_position_embeddings") ?? numberOf(params, "max_position_embeddings");
}

/** `factor`, or as YaRN and LongRoPE take it where it is not set: the ratio of the two lengths. */
export function factorOf(params: Params): number {
  const given = optionalNumber(params, "factor");
  if (given !== undefined) return given;
  const longest = optionalNumber(params, "max_position_embeddings");
  return longest === undefined ? 1 : longest / originalLength(params);
}

function plain(inv_freq: readonly number[]): RotaryFrequencies {
  return { inv_freq, attention_scaling: 1 };
}

function dynamic(params: Params): RotaryFrequencies {
  const length = optionalNumber(params, "seq_len") ?? 0;
  return plain(geometricFrequencies(dynamicBase(params, length), rotaryDim(params)));
}

export function yarnShape(params: Params): YarnShape {
  return {
    theta: numberOf(params, "rope_theta"),
    dim: rotaryDim(params),
    originalLength: originalLength(params),
    betaFast: optionalNumber(params, "beta_fast") ?? 32,
    betaSlow: optionalNumber(params, "beta_slow") ?? 1,
    truncate: params.truncate !== false,
  };
}

function yarn(params: Params): RotaryFrequencies {
  const factor = factorOf(params);
  return {
    inv_freq: yarnFrequencies(plainFrequencies(params), factor, yarnShape(params)),
    attention_scaling:
      optionalNumber(params, "attention_factor") ??
      yarnAttentionFactor(factor, optionalNumber(params, "mscale"), optionalNumber(params, "mscale_all_dim")),
  };
}

/** LongRoPE (arXiv 2402.13753): each pair has its own divisor, one list up to the original length, one beyond. */
function longrope(params: Params): RotaryFrequencies {
  const original = originalLength(params);
  const name = (optionalNumber(params, "seq_len") ?? 0) > original ? "long_factor" : "short_factor";
  const divisors = numbersOf(params, name);
  if (divisors === undefined) throw new ParamError({ param: name, value: params[name], rule: t("is required") });
  const theta = numberOf(params, "rope_theta");
  const dim = rotaryDim(params);
  const factor = factorOf(params);
  return {
    inv_freq: divisors.map((divisor, k) => 1 / (divisor * theta ** ((2 * k) / dim))),
    attention_scaling:
      optionalNumber(params, "attention_factor") ??
      (factor <= 1 ? 1 : Math.sqrt(1 + Math.log(factor) / Math.log(original))),
  };
}

/** How Llama 3.1 treats a pair: short waves are kept, long ones divided by the factor, those between blended. */
export type Llama3Band = "high" | "medium" | "low";

export function llama3Bands(params: Params): Llama3Band[] {
  const original = originalLength(params);
  const low = original / (optionalNumber(params, "low_freq_factor") ?? 1);
  const high = original / (optionalNumber(params, "high_freq_factor") ?? 4);
  return wavelengths(plainFrequencies(params)).map((wavelength) => {
    if (wavelength > low) return "low";
    return wavelength < high ? "high" : "medium";
  });
}

/** Llama 3.1's scaling by wavelength (llama-models `apply_scaling`). */
function llama3(params: Params): RotaryFrequencies {
  const original = originalLength(params);
  const factor = factorOf(params);
  const low = optionalNumber(params, "low_freq_factor") ?? 1;
  const high = optionalNumber(params, "high_freq_factor") ?? 4;
  const bands = llama3Bands(params);
  const scaled = (frequency: number, k: number) => {
    if (bands[k] === "high") return frequency;
    if (bands[k] === "low") return frequency / factor;
    const smooth = ((original * frequency) / (2 * Math.PI) - low) / (high - low);
    return ((1 - smooth) * frequency) / factor + smooth * frequency;
  };
  return plain(plainFrequencies(params).map(scaled));
}

/** p-RoPE (arXiv 2410.06205) as Gemma 4 has it: exponents over the WHOLE head, the slowest pairs stand still. */
function proportional(params: Params): RotaryFrequencies {
  const headDim = numberOf(params, "head_dim");
  const factor = optionalNumber(params, "factor") ?? 1;
  const turning = Math.floor(Math.trunc(partialFactor(params) * headDim) / 2);
  const all = geometricFrequencies(numberOf(params, "rope_theta"), headDim);
  return plain(all.map((frequency, k) => (k < turning ? frequency / factor : 0)));
}

/** One function per `rope_type`, all alike: checked parameters → what the module holds for a call of `seq_len`. */
export const FREQUENCIES: Readonly<Record<RopeType, (params: Params) => RotaryFrequencies>> = {
  default: (params) => plain(plainFrequencies(params)),
  linear: (params) => plain(plainFrequencies(params).map((frequency) => frequency / numberOf(params, "factor"))),
  ntk: (params) => {
    const dim = rotaryDim(params);
    return plain(geometricFrequencies(ntkBase(numberOf(params, "rope_theta"), numberOf(params, "factor"), dim), dim));
  },
  dynamic,
  yarn,
  longrope,
  llama3,
  proportional,
  axial: (params) => plain(geometricFrequencies(numberOf(params, "rope_theta"), rotaryDim(params) / 2)),
};

/**
 * What transformers 5.18's `ROPE_INIT_FUNCTIONS` compute, in float64. `seq_len` null or absent gives the values at
 * construction: dynamic NTK at `max_position_embeddings`, LongRoPE with `short_factor`. A list `inv_freq` (trained
 * frequencies) takes the place of those of the type.
 * @throws ParamError where a value that the type needs is missing
 */
export function inverseFrequencies(params: Params): RotaryFrequencies {
  const type = params.rope_type ?? "default";
  if (!isRopeType(type)) {
    throw new ParamError({ param: "rope_type", value: type, rule: t("must be one of {0}", ROPE_TYPES.join(", ")) });
  }
  const computed = FREQUENCIES[type](params);
  const trained = numbersOf(params, "inv_freq");
  return trained === undefined ? computed : { ...computed, inv_freq: trained };
}

/** The buffer that a float32 module holds at construction: every step rounded as torch rounds it. */
export function inverseFrequenciesFloat32(params: Params): number[] {
  return inverseFrequencies({ ...params, seq_len: null }).inv_freq.map(Math.fround);
}

/**
 * transformers' dynamic NTK is stateful: the module keeps the frequencies of its longest call for shorter ones and
 * resets only where a call is shorter than `max_position_embeddings` (`dynamic_rope_update`).
 * @param lengths max(position_ids) + 1 of each call
 * @returns inv_freq after each call
 */
export function dynamicCallSequence(params: Params, lengths: readonly number[]): (readonly number[])[] {
  const trained = numberOf(params, "max_position_embeddings");
  let cached = trained;
  return lengths.map((length) => {
    if (length > cached) cached = length;
    else if (length < trained && cached > trained) cached = trained;
    return inverseFrequencies({ ...params, seq_len: cached }).inv_freq;
  });
}
