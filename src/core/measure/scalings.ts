import type { Encoding } from "../encodings/encoding.ts";
import { ntkDivisors, type RopeType, unscaledFrequencies } from "../encodings/rope/frequencies.ts";
import { optionalNumbers, requireParams } from "../encodings/support/schema.ts";
import type { Params } from "../spec.ts";
import { ParamError } from "../util/errors.ts";
import { computePairSet, countPairsWithUnseenAngles, type PairSet } from "./pairs.ts";

/** Methods to extend the context, in order of publication; `default` means no scaling. */
export const SCALINGS = [
  "default",
  "linear",
  "ntk",
  "dynamic",
  "yarn",
  "longrope",
  "llama3",
] as const satisfies readonly RopeType[];
export type Scaling = (typeof SCALINGS)[number];

export interface ScalingOutcome {
  readonly scaling: Scaling;
  /** Parameters of the scaling for this training context and current length. */
  readonly changes: Params;
  readonly set: PairSet;
  /** Pairs that reach unseen angles at the current length. */
  readonly pairsWithUnseenAngles: number;
  /** LongRoPE without its own lists uses NTK's divisors instead of searched ones. */
  readonly usesNtkDivisors: boolean;
}

/** NTK's divisors, instead of a search. */
function longropeDivisors(params: Params, factor: number): Params {
  const pairs = unscaledFrequencies(params).length;
  const hasOwnLists = (["short_factor", "long_factor"] as const).every(
    (name) => optionalNumbers(params, name)?.length === pairs,
  );
  if (hasOwnLists) return {};
  return { short_factor: new Array<number>(pairs).fill(1), long_factor: ntkDivisors(factor, 2 * pairs) };
}

/** Parameters of a scaling from `trainingContext` to `currentLength` tokens. */
export function scaledParams(params: Params, scaling: Scaling, trainingContext: number, currentLength: number): Params {
  const factor = Math.max(1, currentLength / trainingContext);
  const base = { rope_type: scaling, seq_len: null };
  switch (scaling) {
    case "default":
      return base;
    case "linear":
    case "ntk":
      return { ...base, factor };
    case "dynamic":
      // With factor 1, the base grows by L/L_max, exactly as much as the current length requires.
      return { ...base, factor: 1, max_position_embeddings: trainingContext };
    case "longrope":
      return {
        ...base,
        factor,
        original_max_position_embeddings: trainingContext,
        ...longropeDivisors(params, factor),
      };
    default:
      return { ...base, factor, original_max_position_embeddings: trainingContext };
  }
}

/** The pairs of a scaling at the current length; null if the parameters do not allow it. */
export function applyScaling(
  encoding: Encoding,
  params: Params,
  scaling: Scaling,
  trainingContext: number,
  currentLength: number,
): ScalingOutcome | null {
  const changes = scaledParams(params, scaling, trainingContext, currentLength);
  try {
    const set = computePairSet(encoding, requireParams(encoding, { ...params, ...changes }), currentLength);
    if (set === null) return null;
    const pairsWithUnseenAngles = countPairsWithUnseenAngles({ ...set, trainingContext }, currentLength);
    return { scaling, changes, set, pairsWithUnseenAngles, usesNtkDivisors: changes.long_factor !== undefined };
  } catch (error) {
    if (error instanceof ParamError) return null;
    throw error;
  }
}
