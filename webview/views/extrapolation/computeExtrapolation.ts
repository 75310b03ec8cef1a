import { buildAttention } from "../../../src/core/encodings/buildAttention.ts";
import type { BucketRule } from "../../../src/core/encodings/encoding.ts";
import { computeSeenShares, decayBound, type SeenShares } from "../../../src/core/measure/extrapolation.ts";
import { computePairSet, type PairSet } from "../../../src/core/measure/pairs.ts";
import { applyScaling, SCALINGS, type ScalingOutcome } from "../../../src/core/measure/scalings.ts";
import { measureShiftInvarianceError, measureSpliceError } from "../../../src/core/measure/shiftInvariance.ts";
import { resolveTrainingContext, type TrainingContext } from "../../../src/core/measure/trainingContext.ts";
import { MAX_SEQUENCE_LENGTH, type PanelState } from "../../../src/core/protocol/state.ts";
import { memoizeByKey, memoizeLast } from "../../state/memoize.ts";
import type { ResolvedEncoding } from "../../state/resolvedEncoding.ts";
import { dependsOnlyOnDistance, distanceLogit, rowLogits } from "../distanceLogit.ts";

/** Ratio of neighbouring distances on the decay curve. */
const DISTANCE_RATIO = 1.04;
/** A gated row is computed as a whole, so its length is limited. */
const MAX_GATED_LENGTH = 8192;

export interface SequenceLengths {
  readonly trainingContext: number;
  /** Where the training context comes from; `you`: set by the user. */
  readonly source: TrainingContext["source"] | "you";
  readonly currentLength: number;
}

export function resolveLengths(
  { encoding, params }: ResolvedEncoding,
  { trained: trainingContext, keyLength }: PanelState,
): SequenceLengths {
  if (trainingContext !== null) return { trainingContext, source: "you", currentLength: keyLength };
  const training = resolveTrainingContext(encoding, params);
  return { trainingContext: training.length, source: training.source, currentLength: keyLength };
}

export interface DecayCurve {
  /** The values are RoFormer's bound, not logits. */
  readonly isBound: boolean;
  readonly deltas: readonly number[];
  readonly values: readonly number[];
  /** The bound without scaling; null if nothing is scaled. */
  readonly unscaled: readonly number[] | null;
}

/**
 * Whole numbers from 1 to `last` in equal ratios, without repetition. They do not depend on `last`, so results can be
 * reused.
 */
export function distancesByRatio(last: number): number[] {
  const steps: number[] = [];
  for (let n = 0; ; n++) {
    const step = Math.round(DISTANCE_RATIO ** n);
    if (step >= last) return [...steps, last];
    if (step !== steps.at(-1)) steps.push(step);
  }
}

function hasDecayBound({ encoding, params }: ResolvedEncoding): boolean {
  return encoding.rotation?.keepsLength === true && encoding.rotation.by(params) === "position";
}

/** A recursion computes all positions before the last, so its length is limited. */
const MAX_RECURSIVE_LENGTH = 512;

/** Logits by δ, filled in as they are computed. They do not depend on the lengths, which a slider drags. */
const logitsByDistance = memoizeByKey(
  ({ encoding, params, attentionSource }: ResolvedEncoding) => {
    const { head, shift, content, softmaxScale } = attentionSource.scene;
    return JSON.stringify([encoding.id, params, head, shift, content, softmaxScale]);
  },
  () => new Map<number, number>(),
);

function cachedLogits(
  resolved: ResolvedEncoding,
  deltas: readonly number[],
  compute: (missing: number[]) => readonly number[],
): number[] {
  const byDelta = logitsByDistance(resolved);
  const missing = deltas.filter((delta) => !byDelta.has(delta));
  const values = missing.length === 0 ? [] : compute(missing);
  missing.forEach((delta, n) => {
    byDelta.set(delta, values[n] ?? Number.NaN);
  });
  return deltas.map((delta) => byDelta.get(delta) ?? Number.NaN);
}

function computeLogits(resolved: ResolvedEncoding, deltas: readonly number[]): number[] {
  const { attention, scene, encoding, params } = resolved;
  if (dependsOnlyOnDistance(attention)) {
    return cachedLogits(resolved, deltas, (missing) => missing.map((delta) => distanceLogit(attention, delta)));
  }
  if (encoding.domain(params).kind === "recursive") {
    const last = MAX_RECURSIVE_LENGTH - 1;
    const shortScene = { ...scene, queryLength: MAX_RECURSIVE_LENGTH, keyLength: MAX_RECURSIVE_LENGTH };
    return cachedLogits(resolved, deltas, (missing) => {
      const reachable = missing.filter((delta) => delta <= last);
      if (reachable.length === 0) return [];
      return [...rowLogits(buildAttention(encoding, params, shortScene, attention.mask), last, reachable)];
    });
  }
  const gated = attention.terms.some(({ kind }) => kind === "gated");
  if (gated && scene.keyLength > MAX_GATED_LENGTH) return deltas.map(() => Number.NaN);
  const row = scene.queryLength - 1;
  const reachable = deltas.filter((delta) => delta <= row + attention.deltaOffset);
  const values = rowLogits(attention, row, reachable);
  return deltas.map((_, n) => values[n] ?? Number.NaN);
}

/** Decay of the score with distance: RoFormer's bound for rotary encodings, the logit for all others. */
function computeDecay(resolved: ResolvedEncoding, pairs: PairSet | null, currentLength: number): DecayCurve {
  const deltas = distancesByRatio(Math.max(2, currentLength - 1));
  if (!hasDecayBound(resolved) || pairs === null) {
    return { isBound: false, deltas, values: computeLogits(resolved, deltas), unscaled: null };
  }
  const boundOf = (frequencies: readonly number[]) => deltas.map((delta) => decayBound(frequencies, delta));
  const scaled = pairs.pairs.some(({ scaling }) => scaling === "blended" || scaling === "divided");
  return {
    isBound: true,
    deltas,
    values: boundOf(pairs.pairs.map(({ omega }) => omega)),
    unscaled: scaled ? boundOf(pairs.pairs.map(({ unscaledOmega: plain }) => plain)) : null,
  };
}

export interface ExtrapolationData extends SequenceLengths, InvarianceErrors {
  readonly seen: SeenShares;
  /** Frequencies at the current length; null for encodings without frequencies. */
  readonly pairs: PairSet | null;
  readonly decay: DecayCurve;
  readonly buckets: BucketRule | null;
  /** Positions 0 … size − 1 exist; null: any. */
  readonly size: number | null;
}

interface InvarianceErrors {
  readonly shiftError: number | undefined;
  readonly spliceError: number | undefined;
}

/** The errors do not depend on the lengths, which a slider drags. */
const measureErrors = memoizeByKey(
  ({ encoding, params }: ResolvedEncoding) => JSON.stringify([encoding.id, params]),
  ({ encoding, params }): InvarianceErrors => ({
    shiftError: measureShiftInvarianceError(encoding, params),
    spliceError: measureSpliceError(encoding, params),
  }),
);

export const computeExtrapolation = memoizeLast(
  (
    resolved: ResolvedEncoding,
    trainingContext: number,
    source: SequenceLengths["source"],
    currentLength: number,
  ): ExtrapolationData => {
    const { encoding, params } = resolved;
    const pairs = computePairSet(encoding, params, currentLength + resolved.scene.shift);
    const domain = encoding.domain(params);
    return {
      trainingContext,
      source,
      currentLength,
      seen: computeSeenShares(encoding, params, trainingContext, currentLength),
      pairs: pairs === null ? null : { ...pairs, trainingContext: trainingContext },
      decay: computeDecay(resolved, pairs, currentLength),
      buckets: encoding.buckets?.(params) ?? null,
      size: domain.kind === "table" ? domain.size : null,
      ...measureErrors(resolved),
    };
  },
);

/** The effect of each scaling; empty for encodings without scaling. */
export const computeOutcomes = memoizeLast(
  (resolved: ResolvedEncoding, trainingContext: number, currentLength: number): readonly ScalingOutcome[] => {
    const { encoding, params } = resolved;
    const scales = encoding.parameters.some(({ name }) => name === "rope_type");
    if (!scales || params["rope_type"] === "axial") return [];
    return SCALINGS.flatMap((scaling) => applyScaling(encoding, params, scaling, trainingContext, currentLength) ?? []);
  },
);

/** End of the sliders' track. It grows in steps, so that it does not move under the pointer. */
export function trackEnd(trainingContext: number, currentLength: number): number {
  return Math.max(trainingContext, currentLength) > 2 ** 20 ? MAX_SEQUENCE_LENGTH : 2 ** 20;
}

export const TRACK_START = 16;

/** Position on the sliders' track, 0 … 1. */
export function alongTrack(length: number, end: number): number {
  const inside = Math.min(end, Math.max(TRACK_START, length));
  return Math.log(inside / TRACK_START) / Math.log(end / TRACK_START);
}
