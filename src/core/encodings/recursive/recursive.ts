import { t } from "@vscode/l10n";
import type { Params } from "../../spec.ts";
import { type AbsoluteSetting, absoluteHidden, absoluteTerms, absoluteValues } from "../../terms/absolute.ts";
import { indexRange } from "../../terms/engine.ts";
import { exampleValue, learnedMatrix, learnedVector } from "../../terms/learned.ts";
import { factorOf, linear, shiftedFactor } from "../../terms/linear.ts";
import { ParamError } from "../../util/errors.ts";
import type { Encoding, GoldenCase, Inputs, Scene } from "../encoding.ts";
import { attentionGolden, nestedRows, paramsOf, sceneOf } from "../support/golden.ts";
import { headsDivide, modelWidth, widthParameters } from "../support/parameters.ts";
import { numberOf, stringOf } from "../support/schema.ts";
import { type Flow, type FlowMethod, flowDerivative, flowInterval } from "./flow.ts";
import { recursiveExplanation, recursiveFormulas, recursiveParameters } from "./text.ts";

/** The recursion is run from the start; beyond this it would take too long for a picture. */
export const LAST_POSITION = 65_535;

function matrix(
  inputs: Inputs,
  name: string,
  rows: number,
  columns: number,
  example: (row: number, column: number) => number,
): number[][] {
  const row = learnedMatrix(inputs, [name], rows, columns, example);
  return indexRange(0, rows).map((r) => [...row(r)]);
}

/**
 * The trained dynamics. The example is p' = A tanh(p) with A antisymmetric: it keeps Σ ln cosh p, so that its path
 * neither dies out nor runs away.
 */
function flowOf(params: Params, inputs: Inputs): Flow {
  const dim = modelWidth(params);
  const turn = (r: number, c: number) =>
    c === dim || r === c ? 0 : Math.sign(r - c) * exampleValue(121, Math.min(r, c), Math.max(r, c), 2 / Math.sqrt(dim));
  return {
    w1: matrix(inputs, "w1", dim, dim + 1, (r, c) => (r === c ? 1 : 0)),
    b1: learnedVector(inputs, ["b1"], dim, () => 0),
    w2: matrix(inputs, "w2", dim, dim + 1, turn),
    b2: learnedVector(inputs, ["b2"], dim, () => 0),
    activation: stringOf(params, "activation") === "relu" ? "relu" : "tanh",
  };
}

function firstPosition(params: Params, inputs: Inputs): readonly number[] {
  return learnedVector(inputs, ["p0"], modelWidth(params), (n) => exampleValue(120, n, 0));
}

type Step = (position: number, p: readonly number[]) => readonly number[];

/** p_(n+1) = tanh(W p_n + b): a recurrent network that is fed nothing but its own state. */
function recurrentStep(params: Params, inputs: Inputs): Step {
  const dim = modelWidth(params);
  const weight = matrix(inputs, "w_hh", dim, dim, (r, c) => exampleValue(125, r, c, 1.4 / Math.sqrt(dim)));
  const bias = learnedVector(inputs, ["b_h"], dim, (n) => exampleValue(126, n, 0, 0.1));
  return (_position, p) => linear(weight, bias, p).map(Math.tanh);
}

function flowSteps(params: Params, inputs: Inputs, method: FlowMethod, substeps: number): Step {
  const flow = flowOf(params, inputs);
  const delta = numberOf(params, "delta");
  return (position, p) => flowInterval(flow, method, position * delta, delta, substeps, p);
}

function stepOf(params: Params, inputs: Inputs): Step {
  if (stringOf(params, "variant") === "rnn") return recurrentStep(params, inputs);
  const method = stringOf(params, "method") === "rk4_38" ? "rk4_38" : "rk4";
  return flowSteps(params, inputs, method, numberOf(params, "substeps_per_position"));
}

/** p_0, p_1, … each from the one before, kept as far as they have been asked for. */
export function recursivePositions(
  params: Params,
  inputs: Inputs,
  step: Step = stepOf(params, inputs),
): AbsoluteSetting["position"] {
  const known: (readonly number[])[] = [firstPosition(params, inputs)];
  return factorOf(modelWidth(params), (position) => {
    if (position < 0 || position > LAST_POSITION) {
      const rule = t("must be between 0 and {0}, the limit of the recursion", LAST_POSITION);
      throw new ParamError({ param: "position", value: position, rule });
    }
    for (let n = known.length; n <= position; n++) known.push(step(n - 1, known[n - 1] ?? []));
    return known[position] ?? [];
  });
}

function settingOf(params: Params, inputs: Inputs): AbsoluteSetting {
  return {
    hiddenSize: modelWidth(params),
    numHeads: numberOf(params, "num_heads"),
    position: recursivePositions(params, inputs),
    learned: true,
  };
}

/** Substeps of the golden files' fine solution, against which the coarse one's error is taken. */
const FINE_SUBSTEPS = 2000;

function goldenCase(golden: GoldenCase): Record<string, unknown> {
  const params = paramsOf(recursive, golden);
  const { inputs } = golden;
  const count = Number(golden.params.num_positions ?? sceneOf(golden, 0).keyLength);
  const run = (method: FlowMethod, substeps: number) =>
    nestedRows(recursivePositions(params, inputs, flowSteps(params, inputs, method, substeps)), count);
  const coarse = numberOf(params, "substeps_per_position");
  const rk4 = run("rk4", coarse);
  const fine = run("rk4", FINE_SUBSTEPS);
  const errors = rk4.flatMap((row, n) => row.map((value, c) => Math.abs(value - (fine[n]?.[c] ?? 0))));
  const values = (scene: Scene) => absoluteValues(scene, settingOf(params, inputs));
  return {
    ...(inputs.w_q === undefined ? {} : attentionGolden(recursive, params, golden, values)),
    positions_rk4: rk4,
    positions_rk4_38rule: run("rk4_38", coarse),
    positions_fine: fine,
    rk4_vs_fine_max_abs: Math.max(...errors),
    derivative_at_p0: flowDerivative(flowOf(params, inputs), 0, firstPosition(params, inputs)),
    hidden: nestedRows(absoluteHidden(sceneOf(golden, 0), settingOf(params, inputs)), count),
  };
}

/** Positions made from the one before: a recurrent network, or FLOATER's neural differential equation. */
export const recursive: Encoding = {
  id: "recursive",
  title: { en: "Recursive — RNN or FLOATER", zh: "递归式位置编码——RNN 或 FLOATER" },
  aliases: ["FLOATER", "neural ODE", "recurrent position encoding", "torchdiffeq"],
  classification: {
    kind: "absolute",
    acts: "input",
    trained: "trained",
    trainedParameters: (params) => {
      const dim = modelWidth(params);
      return stringOf(params, "variant") === "rnn" ? dim * (dim + 2) : 2 * dim * (dim + 2) + dim;
    },
  },
  fate: {
    content_content: "kept",
    content_position: "kept",
    position_content: "kept",
    position_position: "kept",
  },
  parameters: [...widthParameters(1, 32, 512), ...recursiveParameters],
  rules: (params) => headsDivide(params, 1024),
  formulas: Object.values(recursiveFormulas),
  formula: (params) => (stringOf(params, "variant") === "rnn" ? recursiveFormulas.rnn : recursiveFormulas.floater),
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
  local: false,
  learned: ["p0", "w1", "b1", "w2", "b2"],
  learnedFor: (params) =>
    (stringOf(params, "variant") === "rnn" ? ["p0", "w_hh", "b_h"] : ["p0", "w1", "b1", "w2", "b2"]).map((n) => [n]),
  terms: (params, scene) => absoluteTerms(scene, settingOf(params, scene.inputs)),
  table: (params, scene) => ({
    rows: shiftedFactor(recursivePositions(params, scene.inputs), scene.shift),
    column: (index) => `p[${index}]`,
  }),
  golden: { files: ["floater"], compute: goldenCase },
};
