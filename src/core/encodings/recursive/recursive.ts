import * as l10n from "@vscode/l10n";
import type { Params } from "../../spec.ts";
import { type AbsoluteInput, absoluteValueParts, buildAbsoluteTerms } from "../../terms/absolute.ts";
import { indexRange } from "../../terms/engine.ts";
import { exampleValue, readLearnedMatrix, readLearnedVector } from "../../terms/learned.ts";
import { linear, makeFactor, shiftedFactor } from "../../terms/linear.ts";
import type { Inputs } from "../../terms/scene.ts";
import { ParamError } from "../../util/errors.ts";
import type { Encoding } from "../encoding.ts";
import { ADDED_TO_INPUT } from "../support/effects.ts";
import { checkHeadsDivide, hiddenSizeParameters, resolveHiddenSize } from "../support/parameters.ts";
import { getNumber, getString } from "../support/schema.ts";
import { ACCUMULATED_POSITIONS } from "../support/viewNotes.ts";
import { type FlowMethod, type FlowNetwork, integrateInterval } from "./flow.ts";
import { recursiveExplanation, recursiveFormulas, recursiveParameters } from "./text.ts";

/** Each position is computed from the start, so drawing beyond this one would take too long. */
export const MAX_RECURSIVE_POSITION = 65_535;

function readLearnedRows(
  inputs: Inputs,
  name: string,
  rows: number,
  columns: number,
  example: (row: number, column: number) => number,
): number[][] {
  const row = readLearnedMatrix(inputs, [name], rows, columns, example);
  return indexRange(0, rows).map((r) => [...row(r)]);
}

/**
 * FLOATER's trained dynamics. The example is p' = A tanh(p) with antisymmetric A, which conserves Σ ln cosh p: its path
 * neither decays nor diverges.
 */
export function readFlowNetwork(params: Params, inputs: Inputs): FlowNetwork {
  const dim = resolveHiddenSize(params);
  const antisymmetric = (r: number, c: number) =>
    c === dim || r === c ? 0 : Math.sign(r - c) * exampleValue(121, Math.min(r, c), Math.max(r, c), 2 / Math.sqrt(dim));
  return {
    w1: readLearnedRows(inputs, "w1", dim, dim + 1, (r, c) => (r === c ? 1 : 0)),
    b1: readLearnedVector(inputs, ["b1"], dim, () => 0),
    w2: readLearnedRows(inputs, "w2", dim, dim + 1, antisymmetric),
    b2: readLearnedVector(inputs, ["b2"], dim, () => 0),
    activation: getString(params, "activation") === "relu" ? "relu" : "tanh",
  };
}

export function readFirstPosition(params: Params, inputs: Inputs): readonly number[] {
  return readLearnedVector(inputs, ["p0"], resolveHiddenSize(params), (n) => exampleValue(120, n, 0));
}

type PositionStep = (position: number, p: readonly number[]) => readonly number[];

/** p_(n+1) = tanh(W p_n + b): a recurrent network without input. */
function buildRecurrentStep(params: Params, inputs: Inputs): PositionStep {
  const dim = resolveHiddenSize(params);
  const weight = readLearnedRows(inputs, "w_hh", dim, dim, (r, c) => exampleValue(125, r, c, 1.4 / Math.sqrt(dim)));
  const bias = readLearnedVector(inputs, ["b_h"], dim, (n) => exampleValue(126, n, 0, 0.1));
  return (_position, p) => linear(weight, bias, p).map(Math.tanh);
}

export function buildFlowStep(params: Params, inputs: Inputs, method: FlowMethod, substeps: number): PositionStep {
  const flow = readFlowNetwork(params, inputs);
  const delta = getNumber(params, "delta");
  return (position, p) => integrateInterval(flow, method, position * delta, delta, substeps, p);
}

function buildPositionStep(params: Params, inputs: Inputs): PositionStep {
  if (getString(params, "variant") === "rnn") return buildRecurrentStep(params, inputs);
  const method = getString(params, "method") === "rk4_38" ? "rk4_38" : "rk4";
  return buildFlowStep(params, inputs, method, getNumber(params, "substeps_per_position"));
}

/** p_0, p_1, …, each computed from the previous one and cached. */
export function recursivePositionFactor(
  params: Params,
  inputs: Inputs,
  step: PositionStep = buildPositionStep(params, inputs),
): AbsoluteInput["position"] {
  const path: (readonly number[])[] = [readFirstPosition(params, inputs)];
  return makeFactor(resolveHiddenSize(params), (position) => {
    if (position < 0 || position > MAX_RECURSIVE_POSITION) {
      const rule = l10n.t("must be between 0 and {0}, the limit of the recursion", MAX_RECURSIVE_POSITION);
      throw new ParamError({ param: "position", value: position, rule });
    }
    for (let n = path.length; n <= position; n++) path.push(step(n - 1, path[n - 1] ?? []));
    return path[position] ?? [];
  });
}

export function buildInput(params: Params, inputs: Inputs): AbsoluteInput {
  return {
    hiddenSize: resolveHiddenSize(params),
    numHeads: getNumber(params, "num_heads"),
    position: recursivePositionFactor(params, inputs),
    learned: true,
  };
}

/**
 * Each position is computed from the previous one, by a recurrent network or FLOATER's neural differential equation.
 */
export const recursive: Encoding = {
  id: "recursive",
  name: { en: "Recursive", zh: "递归式位置编码" },
  gloss: { en: "RNN or FLOATER", zh: "RNN 或 FLOATER" },
  aliases: ["FLOATER", "neural ODE", "recurrent position encoding", "torchdiffeq"],
  classification: {
    kind: "absolute",
    actsOn: "input",
    trained: "trained",
    trainedParameters: (params) => {
      const dim = resolveHiddenSize(params);
      return getString(params, "variant") === "rnn" ? dim * (dim + 2) : 2 * dim * (dim + 2) + dim;
    },
  },
  effect: ADDED_TO_INPUT,
  parameters: [...hiddenSizeParameters(1, 32, 512), ...recursiveParameters],
  rules: (params) => checkHeadsDivide(params, 1024),
  formulas: Object.values(recursiveFormulas),
  formula: (params) => (getString(params, "variant") === "rnn" ? recursiveFormulas.rnn : recursiveFormulas.floater),
  explanation: recursiveExplanation,
  papers: [
    {
      title: "Learning to Encode Position for Transformer with Continuous Dynamical Model",
      arxiv: "2003.09229",
      year: 2020,
    },
  ],
  repositories: ["xuanqing94/FLOATER"],
  domain: () => ({
    kind: "recursive",
    reason: {
      en: "Each position is computed from the one before it, so position n takes n steps.",
      zh: "每个位置都由前一个位置推出，要得到第 n 个位置必须先走完前面的 n 步。",
    },
  }),
  cellsAreIndependent: false,
  viewNotes: () => ({ precision: ACCUMULATED_POSITIONS }),
  learnedArrays: ["p0", "w1", "b1", "w2", "b2"],
  requiredArrays: (params) =>
    (getString(params, "variant") === "rnn" ? ["p0", "w_hh", "b_h"] : ["p0", "w1", "b1", "w2", "b2"]).map((n) => [n]),
  terms: (params, scene) => buildAbsoluteTerms(scene, buildInput(params, scene.inputs)),
  valueParts: (params, scene) => absoluteValueParts(scene, buildInput(params, scene.inputs)),
  positionTable: (params, scene) => ({
    rows: shiftedFactor(recursivePositionFactor(params, scene.inputs), scene.shift),
    column: (index) => `p[${index}]`,
  }),
};
