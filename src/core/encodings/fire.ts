import type { Params } from "../spec.ts";
import { buildContentTerm } from "../terms/contentTerm.ts";
import { indexRange } from "../terms/engine.ts";
import { exampleValue, learnedTermName, readLearnedMatrix, readLearnedVector } from "../terms/learned.ts";
import type { Inputs, Scene } from "../terms/scene.ts";
import type { BiasTerm } from "../terms/term.ts";
import type { Encoding, Formula } from "./encoding.ts";
import { ADDS_BIAS } from "./support/effects.ts";
import { headDim, numHeads, TOKENS_UNIT } from "./support/parameters.ts";
import { getNumber } from "./support/schema.ts";

/**
 * Distance normalised by the query's position (Li et al. 2023, equation 19): ln(|c (i − j)| + 1) / (ln(|c · max(i, L)|
 * + 1) + eps), L = |L_multiplier · init_L|.
 * @param query 0-based position of the query
 */
export function normalisedDistance(params: Params, query: number, key: number): number {
  const c = getNumber(params, "init_c");
  const threshold = Math.abs(getNumber(params, "L_multiplier") * getNumber(params, "init_L"));
  const normaliser = Math.log(Math.abs(c * Math.max(query, threshold)) + 1) + getNumber(params, "eps");
  return Math.log(Math.abs(c * (query - key)) + 1) / normaliser;
}

/** Weights of one head's trained function; lists are [width]. */
export interface FireWeights {
  readonly w1: readonly number[];
  readonly b1: readonly number[];
  readonly w2: readonly number[];
  readonly b2: number;
}

export function readFireWeights(params: Params, inputs: Inputs, head: number): FireWeights {
  const width = getNumber(params, "mlp_width");
  const heads = getNumber(params, "num_heads");
  const w1 = readLearnedMatrix(inputs, ["w1"], width, 1, (n) => exampleValue(60, n, 0));
  const b1 = readLearnedVector(inputs, ["b1"], width, () => 0);
  // The example decreases with the distance, as trained functions do.
  const w2 = readLearnedMatrix(
    inputs,
    ["w2"],
    heads,
    width,
    (h, n) => (exampleValue(62, h, n, 0.5) - 1 - (h % 4)) * (8 / width),
  );
  const b2 = readLearnedVector(inputs, ["b2"], heads, () => 0);
  return { w1: indexRange(0, width).map((n) => w1(n)[0] ?? 0), b1, w2: w2(head), b2: b2[head] ?? 0 };
}

/** The trained function of one head: 1 → width, ReLU → 1. */
function buildHeadFunction(params: Params, inputs: Inputs, head: number): (x: number) => number {
  const { w1, b1, w2, b2 } = readFireWeights(params, inputs, head);
  return (x) => w1.reduce((sum, slope, n) => sum + (w2[n] ?? 0) * Math.max(slope * x + (b1[n] ?? 0), 0), b2);
}

function buildBiasTerm(params: Params, scene: Scene): BiasTerm {
  const headFunction = buildHeadFunction(params, scene.inputs, scene.head);
  const first = scene.keyLength - scene.queryLength + scene.shift;
  return {
    kind: "bias",
    id: "bias",
    role: "position_position",
    name: learnedTermName({ en: "function of normalised distance", zh: "归一化距离的函数" }, scene.inputs),
    scale: 1,
    value: (i, j) => headFunction(normalisedDistance(params, i + first, j + scene.shift)),
  };
}

const formula: Formula = {
  id: "fire",
  tex: "\\begin{aligned}\\mathrm{logit}_{ij} &= \\frac{q_i \\cdot k_j}{\\sqrt{d}} + f_{\\theta,h}\\!\\left(\\frac{\\psi(i-j)}{\\psi(\\max(i, L))}\\right) \\\\ \\psi(x) &= \\ln(c\\,|x| + 1)\\end{aligned}",
  text: "logit(i, j) = q_i · k_j / √d + f_h(ψ(i − j) / ψ(max(i, L))),  ψ(x) = ln(c·|x| + 1),  f a small trained network",
};

/** FIRE: a trained function of the distance divided by the query's position. */
export const fire: Encoding = {
  id: "fire",
  name: { en: "FIRE", zh: "FIRE" },
  gloss: { en: "functional interpolation of distances", zh: "插值距离的函数偏置" },
  aliases: ["functional interpolation for relative positions", "init_L", "L_multiplier"],
  classification: {
    kind: "relative",
    actsOn: "scores",
    trained: "trained",
    trainedParameters: (params) => {
      const width = getNumber(params, "mlp_width");
      const heads = getNumber(params, "num_heads");
      return 2 * width + (width + 1) * heads + 2;
    },
  },
  effect: ADDS_BIAS,
  parameters: [
    numHeads,
    headDim,
    {
      name: "mlp_width",
      kind: "integer",
      default: 32,
      min: 1,
      max: 4096,
      slider: { min: 1, max: 128, scale: "log" },
      help: { en: "Number of hidden units of the trained function.", zh: "可训练函数的隐藏单元数。" },
    },
    {
      name: "init_c",
      kind: "number",
      default: 0.1,
      above: 0,
      max: 1000,
      slider: { min: 0.001, max: 10, scale: "log" },
      help: {
        en: "Coefficient c inside the logarithm (trained; this is its initial value).",
        zh: "对数里的系数 c（可训练，此为初值）。",
      },
    },
    {
      name: "init_L",
      unit: TOKENS_UNIT,
      kind: "number",
      default: 512,
      above: 0,
      max: 1e9,
      slider: { min: 1, max: 65_536, scale: "log" },
      help: {
        en: "Queries before position L are normalised by L, so that short texts are not stretched.",
        zh: "位置小于 L 的查询按 L 归一化，以免短文本被拉伸。",
      },
    },
    {
      name: "L_multiplier",
      kind: "number",
      default: 1,
      above: 0,
      max: 1e6,
      help: { en: "Trained multiplier of L.", zh: "作用在 L 上的可训练系数。" },
    },
    {
      name: "eps",
      kind: "number",
      default: 1e-6,
      min: 0,
      max: 1,
      help: { en: "Small constant added to the denominator.", zh: "加在分母上的小量。" },
    },
  ],
  formulas: [formula],
  formula: () => formula,
  explanation: {
    summary: {
      en: "The distance is divided by the query's position and passed through a small trained network, whose input therefore always lies between 0 and 1.",
      zh: "先把距离除以查询自身走过的长度，再送入一个小的可训练网络，输入始终落在 0 到 1 之间。",
    },
    extrapolation: {
      en: "Position interpolation is built in: whatever the length, the network receives no input outside [0, 1]. The logarithm gives most of that range to nearby keys.",
      zh: "自带位置插值：文本再长，网络的输入也不会超出 [0, 1]。对数把这个区间的大部分留给近处的键。",
    },
    strengths: {
      en: "Includes T5's bias, ALiBi and KERPLE as special cases and generalises to much longer inputs.",
      zh: "以 T5 偏置、ALiBi、KERPLE 为特例，能推广到长得多的输入。",
    },
    weaknesses: {
      en: "Depends on i as well as on i − j, so the bias must be computed separately for each row.",
      zh: "除 i − j 外还依赖 i，因此每一行的偏置都要单独计算。",
    },
    pitfalls: {
      en: "The denominator is max(i, L), where i is the QUERY's position; one public copy uses min by mistake. i counts from 0. Above the diagonal the value is defined but meant to be masked; DAPE's variant clamps i − j at 0 there.",
      zh: "分母是 max(i, L)，i 为查询位置：有一份公开代码误写成 min。i 从 0 数起。对角线以上虽有值，但应被掩码去掉；DAPE 的写法在那里把 i − j 截为 0。",
    },
    models: ["FIRE (research)", "DAPE"],
  },
  papers: [
    {
      title: "Functional Interpolation for Relative Positions Improves Long Context Transformers",
      arxiv: "2310.04418",
      year: 2023,
    },
  ],
  repositories: [],
  domain: () => ({ kind: "any" }),
  cellsAreIndependent: true,
  learnedArrays: ["w1", "b1", "w2", "b2"],
  terms: (params, scene) => [buildContentTerm(scene, getNumber(params, "head_dim")), buildBiasTerm(params, scene)],
};
