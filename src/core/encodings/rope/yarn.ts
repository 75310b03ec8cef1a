/** YaRN (arXiv 2309.00071), following transformers' `_compute_yarn_parameters`. */

export interface YarnParams {
  readonly theta: number;
  /** Rotary dimension. */
  readonly dim: number;
  readonly trainingContext: number;
  /** Rotations within the training context above which a pair keeps its frequency. */
  readonly betaFast: number;
  /** Rotations below which a pair's frequency is divided by the factor. */
  readonly betaSlow: number;
  /** Round the two bounds outwards to whole pairs; gpt-oss does not. */
  readonly truncate: boolean;
}

/** The (fractional) pair that completes `rotations` rotations within the training context. */
export function correctionDim(rotations: number, yarn: Pick<YarnParams, "theta" | "dim" | "trainingContext">): number {
  return (yarn.dim * Math.log(yarn.trainingContext / (rotations * 2 * Math.PI))) / (2 * Math.log(yarn.theta));
}

/** First and last pair of the blended range. The upper bound is clamped to dim − 1, not dim/2 − 1, as in the code. */
export function correctionRange(yarn: YarnParams): readonly [low: number, high: number] {
  const low = correctionDim(yarn.betaFast, yarn);
  const high = correctionDim(yarn.betaSlow, yarn);
  const round = yarn.truncate ? [Math.floor(low), Math.ceil(high)] : [low, high];
  return [Math.max(round[0] ?? 0, 0), Math.min(round[1] ?? 0, yarn.dim - 1)];
}

/** Interpolation of each pair: 0 keeps its frequency, 1 divides it by the factor. [pairs] */
export function yarnRamp(pairs: number, yarn: YarnParams): number[] {
  const [low, end] = correctionRange(yarn);
  const high = low === end ? end + 0.001 : end;
  return Array.from({ length: pairs }, (_, k) => Math.min(Math.max((k - low) / (high - low), 0), 1));
}

export function blendYarnFrequencies(unscaled: readonly number[], factor: number, yarn: YarnParams): number[] {
  const ramp = yarnRamp(unscaled.length, yarn);
  return unscaled.map((frequency, k) => {
    const blend = ramp[k] ?? 0;
    return (frequency / factor) * blend + frequency * (1 - blend);
  });
}

/** 0.1 · m · ln s + 1; 1 without scaling (YaRN section 3.4). */
export function yarnMscale(factor: number, mscale = 1): number {
  return factor <= 1 ? 1 : 0.1 * mscale * Math.log(factor) + 1;
}

/**
 * Factor on cosine and sine: the quotient of DeepSeek's two mscale values if both are set. Zero counts as not set, as
 * in the code.
 */
export function yarnAttentionFactor(
  factor: number,
  mscale: number | undefined,
  mscaleAllDim: number | undefined,
): number {
  if (mscale && mscaleAllDim) return yarnMscale(factor, mscale) / yarnMscale(factor, mscaleAllDim);
  return yarnMscale(factor);
}

/** DeepSeek V2/V3's softmax scale: dim^(−1/2) · mscale², in addition to the factor on cosine and sine. */
export function deepseekSoftmaxScale(queryDim: number, factor: number, mscaleAllDim: number): number {
  return yarnMscale(factor, mscaleAllDim) ** 2 / Math.sqrt(queryDim);
}
