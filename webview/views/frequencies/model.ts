import {
  extendedLength,
  type PairFate,
  type PairSet,
  pairSet,
  trainedLength,
} from "../../../src/core/measure/pairs.ts";
import type { Drawable } from "../../state/resolvedEncoding.ts";

/** Neighbouring pairs that scaling treats alike. */
export interface FateRun {
  readonly fate: PairFate;
  readonly from: number;
  /** Inclusive. */
  readonly to: number;
}

/** The pairs as the drawn sequence has them; dynamic NTK and LongRoPE depend on its length. */
export function drawablePairs({ encoding, params, scene }: Drawable): PairSet | null {
  const target = extendedLength(params) ?? trainedLength(params) ?? 0;
  return pairSet(encoding, params, Math.max(target, scene.keyLength + scene.shift));
}

export function fateRuns({ pairs }: PairSet): FateRun[] {
  const runs: { fate: PairFate; from: number; to: number }[] = [];
  for (const { k, fate } of pairs) {
    const last = runs.at(-1);
    if (last?.fate === fate) last.to = k;
    else runs.push({ fate, from: k, to: k });
  }
  return runs;
}

/** Bounds of the wavelength axis: whole powers of ten around pairs and contexts. */
export function wavelengthBounds({ pairs, trained, extended }: PairSet): readonly [number, number] {
  const turning = pairs.flatMap(({ omega, plain }) => [omega, plain]).filter((omega) => omega > 0);
  const lengths = turning.map((omega) => (2 * Math.PI) / omega);
  const all = [...lengths, ...[trained, extended].filter((length) => length !== null)];
  if (all.length === 0) return [1, 10];
  const low = Math.floor(Math.log10(Math.min(...all)));
  const high = Math.ceil(Math.log10(Math.max(...all)));
  return [10 ** low, 10 ** Math.max(high, low + 1)];
}
