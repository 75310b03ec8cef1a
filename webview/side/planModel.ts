import { type Plan, planContext } from "../../src/core/config/planner/plan.ts";
import type { Encoding } from "../../src/core/encodings/encoding.ts";
import {
  extendedLength,
  type PairSet,
  pairSet,
  pairsWithUnseenAngles,
  trainedLength,
} from "../../src/core/measure/pairs.ts";
import type { PlanState } from "../../src/core/protocol/side.ts";
import type { Params, ParamValue } from "../../src/core/spec.ts";
import { ParamError } from "../../src/core/util/errors.ts";
import { parseNumber } from "../state/format.ts";
import type { Part } from "./model.ts";

/** One way to a longer context, and what it does to this model's pairs. */
export interface Way {
  readonly plan: Plan;
  readonly set: PairSet;
  /** Pairs that meet angles which training never showed them. */
  readonly unseen: number;
  /** All parameters of the encoding, as they are to be written. */
  readonly wanted: Params;
}

export interface Planning {
  readonly trained: number;
  readonly target: number;
  readonly ways: readonly Way[];
  /** The rule that a length breaks; there are no ways then. */
  readonly problem: string | null;
}

/** Where a config names no length, one that is common. */
const USUAL = 4096;

/** The values without scaling: what belongs to a type of scaling is as if nobody had set it. */
function unscaled({ parameters }: Encoding, params: Params): Params {
  const plain: Record<string, ParamValue> = { ...params, rope_type: "default" };
  for (const { name, when, default: usual } of parameters) if (when?.(plain) === false) plain[name] = usual;
  return plain;
}

function numberOr(value: unknown, other: number): number {
  return typeof value === "number" ? value : other;
}

/** @returns null for encodings that do not turn by a base */
export function planningOf({ encoding, spec, params }: Part, state: PlanState): Planning | null {
  if (encoding.id !== "rope") return null;
  const trained = state.trained ?? trainedLength(spec.params) ?? USUAL;
  const extended = extendedLength(spec.params);
  const target = state.target ?? (extended !== null && extended > trained ? extended : trained * 4);
  const rotary_dim = numberOr(spec.params["rotary_dim"], numberOr(params["head_dim"], 0));
  try {
    const plans = planContext({ target, trained, rope_theta: numberOr(params["rope_theta"], 0), rotary_dim });
    const plain = unscaled(encoding, params);
    return {
      trained,
      target,
      ways: plans.flatMap((plan) => wayOf(encoding, plain, plan, trained, target)),
      problem: null,
    };
  } catch (error) {
    if (error instanceof ParamError) return { trained, target, ways: [], problem: error.message };
    throw error;
  }
}

function wayOf(encoding: Encoding, plain: Params, plan: Plan, trained: number, target: number): Way[] {
  const drawn = { ...plain, max_position_embeddings: trained, ...plan.params };
  const set = pairSet(encoding, drawn, target);
  if (set === null) return [];
  const wanted = { ...plain, ...plan.written, max_position_embeddings: plan.maxPositions };
  return [{ plan, set, unseen: pairsWithUnseenAngles(set, target), wanted }];
}

/** Tokens as people write them: "131072", "131 072", "128k", "1M"; null for anything else. */
export function parseLength(text: string): number | null {
  const [, digits = text, unit = ""] = /^\s*([\d.]+)\s*([kKmM])\s*$/.exec(text) ?? [];
  const size = unit === "" ? 1 : unit.toLowerCase() === "k" ? 1024 : 1024 ** 2;
  const value = (parseNumber(digits) ?? Number.NaN) * size;
  return Number.isSafeInteger(value) && value > 0 ? value : null;
}

/** What the plan changes in the file's encoding. */
export function changesOf({ wanted }: Way, { spec, params }: Part): Params {
  const now: Params = { ...params, ...spec.params };
  const same = ([name, value]: [string, ParamValue]) =>
    JSON.stringify(value) === JSON.stringify(now[name] ?? params[name]);
  return Object.fromEntries(Object.entries(wanted).filter((entry) => !same(entry)));
}
