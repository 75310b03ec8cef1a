import { type ContextPlan, planLongerContext } from "../../src/core/config/planner/plan.ts";
import type { Encoding } from "../../src/core/encodings/encoding.ts";
import { computePairSet, countPairsWithUnseenAngles, type PairSet } from "../../src/core/measure/pairs.ts";
import { configuredExtendedContext, configuredTrainingContext } from "../../src/core/measure/trainingContext.ts";
import type { PlanState } from "../../src/core/protocol/side.ts";
import type { Params, ParamValue } from "../../src/core/spec.ts";
import { ParamError } from "../../src/core/util/errors.ts";
import { parseNumber } from "../ui/format.ts";
import type { SelectedEncoding } from "./pageState.ts";

/** One method for a longer context, with its effect on this model's pairs. */
export interface PlanCandidate {
  readonly plan: ContextPlan;
  readonly set: PairSet;
  /** Number of pairs that reach unseen angles. */
  readonly unseenPairs: number;
  /** All parameters of the encoding as they would be written. */
  readonly writtenParams: Params;
}

export interface PlanCandidates {
  readonly trainingContext: number;
  readonly targetContext: number;
  readonly candidates: readonly PlanCandidate[];
  /** The rule that a length violates; then there are no candidates. */
  readonly problem: string | null;
}

/** A common training context, for configs that name none. */
const DEFAULT_TRAINING_CONTEXT = 4096;

/** The parameters without scaling; those of a scaling type get their defaults. */
function withoutScaling({ parameters }: Encoding, params: Params): Params {
  const plain: Record<string, ParamValue> = { ...params, rope_type: "default" };
  for (const { name, when, default: usual } of parameters) if (when?.(plain) === false) plain[name] = usual;
  return plain;
}

function numberOr(value: unknown, other: number): number {
  return typeof value === "number" ? value : other;
}

/** @returns null for encodings without rope_theta */
export function computeCandidates(
  { encoding, spec, params }: SelectedEncoding,
  state: PlanState,
): PlanCandidates | null {
  if (encoding.id !== "rope") return null;
  const trainingContext = state.trained ?? configuredTrainingContext(spec.params) ?? DEFAULT_TRAINING_CONTEXT;
  const extended = configuredExtendedContext(spec.params);
  const targetContext =
    state.target ?? (extended !== null && extended > trainingContext ? extended : trainingContext * 4);
  const rotary_dim = numberOr(spec.params["rotary_dim"], numberOr(params["head_dim"], 0));
  try {
    const plans = planLongerContext({
      targetContext: targetContext,
      trainingContext: trainingContext,
      rope_theta: numberOr(params["rope_theta"], 0),
      rotary_dim,
    });
    const plain = withoutScaling(encoding, params);
    return {
      trainingContext,
      targetContext,
      candidates: plans.flatMap((plan) => evaluateCandidate(encoding, plain, plan, trainingContext, targetContext)),
      problem: null,
    };
  } catch (error) {
    if (error instanceof ParamError) return { trainingContext, targetContext, candidates: [], problem: error.message };
    throw error;
  }
}

function evaluateCandidate(
  encoding: Encoding,
  plain: Params,
  plan: ContextPlan,
  trainingContext: number,
  targetContext: number,
): PlanCandidate[] {
  const plannedParams = { ...plain, max_position_embeddings: trainingContext, ...plan.params };
  const set = computePairSet(encoding, plannedParams, targetContext);
  if (set === null) return [];
  const writtenParams = { ...plain, ...plan.ropeParameters, max_position_embeddings: plan.maxPositionEmbeddings };
  return [{ plan, set, unseenPairs: countPairsWithUnseenAngles(set, targetContext), writtenParams }];
}

/** Parses a number of tokens: "131072", "131 072", "128k", "1M"; null for anything else. */
export function parseLength(text: string): number | null {
  const [, digits = text, unit = ""] = /^\s*([\d.]+)\s*([kKmM])\s*$/.exec(text) ?? [];
  const size = unit === "" ? 1 : unit.toLowerCase() === "k" ? 1024 : 1024 ** 2;
  const value = (parseNumber(digits) ?? Number.NaN) * size;
  return Number.isSafeInteger(value) && value > 0 ? value : null;
}

/** The parameters that the plan changes. */
export function candidateChanges({ writtenParams }: PlanCandidate, { spec, params }: SelectedEncoding): Params {
  const current: Params = { ...params, ...spec.params };
  const same = ([name, value]: [string, ParamValue]) =>
    JSON.stringify(value) === JSON.stringify(current[name] ?? params[name]);
  return Object.fromEntries(Object.entries(writtenParams).filter((entry) => !same(entry)));
}
