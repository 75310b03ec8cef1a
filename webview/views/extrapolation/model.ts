import { attentionOf } from "../../../src/core/encodings/encoding.ts";
import { type BucketRule, bucketRule } from "../../../src/core/measure/buckets.ts";
import {
  decayBound,
  type Seen,
  seenInTraining,
  type TrainingLength,
  trainingLength,
} from "../../../src/core/measure/extrapolation.ts";
import { type PairSet, pairSet } from "../../../src/core/measure/pairs.ts";
import { SCALINGS, type ScalingOutcome, scalingOutcome } from "../../../src/core/measure/scalings.ts";
import { shiftInvarianceError, spliceError } from "../../../src/core/measure/shiftInvariance.ts";
import type { PanelState } from "../../../src/core/protocol/state.ts";
import { LONGEST } from "../../state/reducers.ts";
import type { Drawable } from "../../state/resolvedEncoding.ts";
import { memo } from "../../state/store.ts";
import { closedLogit, isClosed, rowLogits } from "../distanceLogit.ts";

/** From one point of the decay's line to the next. */
const RATIO = 1.04;
/** A gated row is computed as a whole: no longer than this. */
const LONGEST_GATED = 8192;

export interface Lengths {
  readonly trained: number;
  /** How the trained length is known; `you`: set by hand. */
  readonly source: TrainingLength["source"] | "you";
  readonly used: number;
}

export function lengthsOf({ encoding, params }: Drawable, { trained, keyLength }: PanelState): Lengths {
  if (trained !== null) return { trained, source: "you", used: keyLength };
  const own = trainingLength(encoding, params);
  return { trained: own.length, source: own.source, used: keyLength };
}

export interface Decay {
  /** RoFormer's bound in place of the logit. */
  readonly bound: boolean;
  readonly deltas: readonly number[];
  readonly values: readonly number[];
  /** The bound without scaling; null where nothing is scaled. */
  readonly plain: readonly number[] | null;
}

/** 1 … last, in equal ratios, whole and each once: the same distances whatever the last is. */
export function ratioSteps(last: number): number[] {
  const steps: number[] = [];
  for (let n = 0; ; n++) {
    const step = Math.round(RATIO ** n);
    if (step >= last) return [...steps, last];
    if (step !== steps.at(-1)) steps.push(step);
  }
}

function rotates({ encoding, params }: Drawable): boolean {
  return ["rope", "mrope", "rerope", "self_extend"].includes(encoding.id) && params["rope_type"] !== "axial";
}

/** A recursion costs all positions before the last: no more than these for a curve. */
const LONGEST_RECURSION = 512;

let lastLogits: { readonly key: string; readonly byDelta: Map<number, number> } | undefined;

/** Logits by δ that do not depend on the lengths, kept while a handle is dragged. */
function known(drawable: Drawable): Map<number, number> {
  const { encoding, params, recipe } = drawable;
  const { head, shift, content, softmaxScale } = recipe.scene;
  const key = JSON.stringify([encoding.id, params, head, shift, content, softmaxScale]);
  if (lastLogits?.key !== key) lastLogits = { key, byDelta: new Map() };
  return lastLogits.byDelta;
}

function keptLogits(
  drawable: Drawable,
  deltas: readonly number[],
  of: (missing: number[]) => readonly number[],
): number[] {
  const byDelta = known(drawable);
  const missing = deltas.filter((delta) => !byDelta.has(delta));
  const values = missing.length === 0 ? [] : of(missing);
  missing.forEach((delta, n) => {
    byDelta.set(delta, values[n] ?? Number.NaN);
  });
  return deltas.map((delta) => byDelta.get(delta) ?? Number.NaN);
}

function logitsAt(drawable: Drawable, deltas: readonly number[]): number[] {
  const { attention, scene, encoding, params } = drawable;
  if (isClosed(attention)) {
    return keptLogits(drawable, deltas, (missing) => missing.map((delta) => closedLogit(attention, delta)));
  }
  if (encoding.domain(params).kind === "recursive") {
    const last = LONGEST_RECURSION - 1;
    const short = { ...scene, queryLength: LONGEST_RECURSION, keyLength: LONGEST_RECURSION };
    return keptLogits(drawable, deltas, (missing) => {
      const there = missing.filter((delta) => delta <= last);
      if (there.length === 0) return [];
      return [...rowLogits(attentionOf(encoding, params, short, attention.mask), last, there)];
    });
  }
  const gated = attention.terms.some(({ kind }) => kind === "gated");
  if (gated && scene.keyLength > LONGEST_GATED) return deltas.map(() => Number.NaN);
  const row = scene.queryLength - 1;
  const there = deltas.filter((delta) => delta <= row + attention.deltaOffset);
  const values = rowLogits(attention, row, there);
  return deltas.map((_, n) => values[n] ?? Number.NaN);
}

/** How the score falls with distance: the bound for what turns, the logit for all others. */
function decayOf(drawable: Drawable, pairs: PairSet | null, used: number): Decay {
  const deltas = ratioSteps(Math.max(2, used - 1));
  if (!rotates(drawable) || pairs === null) {
    return { bound: false, deltas, values: logitsAt(drawable, deltas), plain: null };
  }
  const along = (frequencies: readonly number[]) => deltas.map((delta) => decayBound(frequencies, delta));
  const scaled = pairs.pairs.some(({ fate }) => fate === "blended" || fate === "divided");
  return {
    bound: true,
    deltas,
    values: along(pairs.pairs.map(({ omega }) => omega)),
    plain: scaled ? along(pairs.pairs.map(({ plain }) => plain)) : null,
  };
}

export interface ExtrapolationModel extends Lengths, Errors {
  readonly seen: Seen;
  /** Frequencies at the used length; null for encodings that have none. */
  readonly pairs: PairSet | null;
  readonly decay: Decay;
  readonly buckets: BucketRule | null;
  /** Positions 0 … size − 1 exist; null: any. */
  readonly size: number | null;
}

interface Errors {
  readonly shiftError: number | undefined;
  readonly spliceError: number | undefined;
}

let lastErrors: { readonly key: string; readonly errors: Errors } | undefined;

/** The errors do not know the lengths: dragging a handle must not measure them anew. */
function errorsOf({ encoding, params }: Drawable): Errors {
  const key = JSON.stringify([encoding.id, params]);
  if (lastErrors?.key !== key) {
    const errors = { shiftError: shiftInvarianceError(encoding, params), spliceError: spliceError(encoding, params) };
    lastErrors = { key, errors };
  }
  return lastErrors.errors;
}

export const extrapolationModel = memo(
  (drawable: Drawable, trained: number, source: Lengths["source"], used: number): ExtrapolationModel => {
    const { encoding, params } = drawable;
    const pairs = pairSet(encoding, params, used + drawable.scene.shift);
    const domain = encoding.domain(params);
    return {
      trained,
      source,
      used,
      seen: seenInTraining(encoding, params, trained, used),
      pairs: pairs === null ? null : { ...pairs, trained },
      decay: decayOf(drawable, pairs, used),
      buckets: bucketRule(encoding, params),
      size: domain.kind === "table" ? domain.size : null,
      ...errorsOf(drawable),
    };
  },
);

/** What each scaling would do; empty for encodings without one. */
export const outcomesOf = memo((drawable: Drawable, trained: number, used: number): readonly ScalingOutcome[] => {
  const { encoding, params } = drawable;
  const scales = encoding.parameters.some(({ name }) => name === "rope_type");
  if (!scales || params["rope_type"] === "axial") return [];
  return SCALINGS.flatMap((scaling) => scalingOutcome(encoding, params, scaling, trained, used) ?? []);
});

/** Ends of the handles' track: as long as needed, in steps, so that it does not run away under a finger. */
export function trackEnd(trained: number, used: number): number {
  return Math.max(trained, used) > 2 ** 20 ? LONGEST : 2 ** 20;
}

export const TRACK_START = 16;

/** 0 … 1 along the handles' track. */
export function alongTrack(length: number, end: number): number {
  const inside = Math.min(end, Math.max(TRACK_START, length));
  return Math.log(inside / TRACK_START) / Math.log(end / TRACK_START);
}
