import { computePairSet, type PairScaling, type PairSet } from "../../../src/core/measure/pairs.ts";
import { configuredExtendedContext, configuredTrainingContext } from "../../../src/core/measure/trainingContext.ts";
import type { ResolvedEncoding } from "../../state/resolvedEncoding.ts";

/** Consecutive pairs with the same scaling. */
export interface ScalingRun {
  readonly scaling: PairScaling;
  readonly from: number;
  /** Inclusive. */
  readonly to: number;
}

/** The pairs at the drawn length, on which dynamic NTK and LongRoPE depend. */
export function computePairs({ encoding, params, scene }: ResolvedEncoding): PairSet | null {
  const target = configuredExtendedContext(params) ?? configuredTrainingContext(params) ?? 0;
  return computePairSet(encoding, params, Math.max(target, scene.keyLength + scene.shift));
}

export function scalingRuns({ pairs }: PairSet): ScalingRun[] {
  const runs: { scaling: PairScaling; from: number; to: number }[] = [];
  for (const { k, scaling } of pairs) {
    const last = runs.at(-1);
    if (last?.scaling === scaling) last.to = k;
    else runs.push({ scaling: scaling, from: k, to: k });
  }
  return runs;
}

/** Bounds of the wavelength axis: whole powers of ten around pairs and contexts. */
export function wavelengthBounds({ pairs, trainingContext, extendedContext }: PairSet): readonly [number, number] {
  const frequencies = pairs.flatMap(({ omega, unscaledOmega }) => [omega, unscaledOmega]).filter((omega) => omega > 0);
  const lengths = frequencies.map((omega) => (2 * Math.PI) / omega);
  const axisValues = [...lengths, ...[trainingContext, extendedContext].filter((length) => length !== null)];
  if (axisValues.length === 0) return [1, 10];
  const low = Math.floor(Math.log10(Math.min(...axisValues)));
  const high = Math.ceil(Math.log10(Math.max(...axisValues)));
  return [10 ** low, 10 ** Math.max(high, low + 1)];
}
