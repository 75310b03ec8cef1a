import type { Encoding } from "../encodings/encoding.ts";
import { plainFrequencies, type RopeType } from "../encodings/rope/frequencies.ts";
import { numbersOf, requireParams } from "../encodings/support/schema.ts";
import type { Params } from "../spec.ts";
import { ParamError } from "../util/errors.ts";
import { type PairSet, pairSet, pairsWithUnseenAngles } from "./pairs.ts";

/** What is done about lengths beyond the trained one, in the order in which it was found; `default` is nothing. */
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
  /** Parameters that make it, for this trained and used length. */
  readonly changes: Params;
  readonly set: PairSet;
  /** Pairs that meet angles at the used length which training never showed. */
  readonly unseen: number;
  /** LongRoPE without lists of its own: these divisors were not searched, they are NTK's. */
  readonly madeUp: boolean;
}

/** Divisors from 1 to the factor in equal ratios: what NTK does, in place of a search. */
function ntkDivisors(pairs: number, factor: number): number[] {
  return Array.from({ length: pairs }, (_, k) => factor ** (k / Math.max(1, pairs - 1)));
}

function longropeLists(params: Params, factor: number): Params {
  const pairs = plainFrequencies(params).length;
  const kept = (["short_factor", "long_factor"] as const).every((name) => numbersOf(params, name)?.length === pairs);
  if (kept) return {};
  return { short_factor: new Array<number>(pairs).fill(1), long_factor: ntkDivisors(pairs, factor) };
}

/** The parameters of a scaling that is to reach `used` tokens from `trained` ones. */
export function scalingChanges(params: Params, scaling: Scaling, trained: number, used: number): Params {
  const factor = Math.max(1, used / trained);
  const own = { rope_type: scaling, seq_len: null };
  switch (scaling) {
    case "default":
      return own;
    case "linear":
    case "ntk":
      return { ...own, factor };
    case "dynamic":
      // With factor 1 the base grows by L/L_max, no more than the length at hand calls for.
      return { ...own, factor: 1, max_position_embeddings: trained };
    case "longrope":
      return { ...own, factor, original_max_position_embeddings: trained, ...longropeLists(params, factor) };
    default:
      return { ...own, factor, original_max_position_embeddings: trained };
  }
}

/** A scaling's pairs at the used length; null where these parameters do not allow it. */
export function scalingOutcome(
  encoding: Encoding,
  params: Params,
  scaling: Scaling,
  trained: number,
  used: number,
): ScalingOutcome | null {
  const changes = scalingChanges(params, scaling, trained, used);
  try {
    const set = pairSet(encoding, requireParams(encoding, { ...params, ...changes }), used);
    if (set === null) return null;
    const unseen = pairsWithUnseenAngles({ ...set, trained }, used);
    return { scaling, changes, set, unseen, madeUp: changes.long_factor !== undefined };
  } catch (error) {
    if (error instanceof ParamError) return null;
    throw error;
  }
}
