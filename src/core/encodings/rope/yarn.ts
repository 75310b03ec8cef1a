/** YaRN (arXiv 2309.00071) as transformers' `_compute_yarn_parameters` has it. */

export interface YarnShape {
  readonly theta: number;
  /** Rotary dimension. */
  readonly dim: number;
  readonly originalLength: number;
  /** Turns within the original length: pairs that make more keep their frequency. */
  readonly betaFast: number;
  /** Pairs that make fewer are divided by the factor. */
  readonly betaSlow: number;
  /** Round the two bounds outwards; gpt-oss does not. */
  readonly truncate: boolean;
}

/** The (fractional) pair that makes `turns` turns over the original length. */
export function correctionDim(turns: number, shape: Pick<YarnShape, "theta" | "dim" | "originalLength">): number {
  return (shape.dim * Math.log(shape.originalLength / (turns * 2 * Math.PI))) / (2 * Math.log(shape.theta));
}

/** Pairs between which the frequencies are blended. The upper clamp is dim − 1, not dim/2 − 1, as in the code. */
export function correctionRange(shape: YarnShape): readonly [low: number, high: number] {
  const low = correctionDim(shape.betaFast, shape);
  const high = correctionDim(shape.betaSlow, shape);
  const round = shape.truncate ? [Math.floor(low), Math.ceil(high)] : [low, high];
  return [Math.max(round[0] ?? 0, 0), Math.min(round[1] ?? 0, shape.dim - 1)];
}

/** How far each pair is interpolated: 0 keeps its frequency, 1 divides it by the factor. [pairs] */
export function yarnRamp(pairs: number, shape: YarnShape): number[] {
  const [low, end] = correctionRange(shape);
  const high = low === end ? end + 0.001 : end;
  return Array.from({ length: pairs }, (_, k) => Math.min(Math.max((k - low) / (high - low), 0), 1));
}

export function yarnFrequencies(plain: readonly number[], factor: number, shape: YarnShape): number[] {
  const ramp = yarnRamp(plain.length, shape);
  return plain.map((frequency, k) => {
    const blend = ramp[k] ?? 0;
    return (frequency / factor) * blend + frequency * (1 - blend);
  });
}

/** 0.1 · m · ln s + 1, and 1 without scaling (YaRN section 3.4). */
export function yarnMscale(factor: number, mscale = 1): number {
  return factor <= 1 ? 1 : 0.1 * mscale * Math.log(factor) + 1;
}

/** Factor on cosine and sine; DeepSeek's two values divide each other. Zero counts as not set, as in the code. */
export function yarnAttentionFactor(
  factor: number,
  mscale: number | undefined,
  mscaleAllDim: number | undefined,
): number {
  if (mscale && mscaleAllDim) return yarnMscale(factor, mscale) / yarnMscale(factor, mscaleAllDim);
  return yarnMscale(factor);
}

/** DeepSeek V2/V3's scale on scores: (dim)^(−1/2) · mscale², beside the factor on cosine and sine. */
export function deepseekSoftmaxScale(queryDim: number, factor: number, mscaleAllDim: number): number {
  return yarnMscale(factor, mscaleAllDim) ** 2 / Math.sqrt(queryDim);
}
