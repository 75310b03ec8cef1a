import * as l10n from "@vscode/l10n";
import type { Params } from "../spec.ts";
import { buildContentTerm } from "../terms/contentTerm.ts";
import type { Scene } from "../terms/scene.ts";
import type { BiasTerm } from "../terms/term.ts";
import type { ParamProblem } from "../util/errors.ts";
import type { Encoding, Formula } from "./encoding.ts";
import { ADDS_BIAS } from "./support/effects.ts";
import { headDim, numHeads, optionalHiddenSize, resolveHiddenSize } from "./support/parameters.ts";
import { getNumber } from "./support/schema.ts";

/** base^(−2k/D) for k = 1 … D/2; unlike in the sinusoidal encoding, k starts at 1. */
export function sandwichFrequencies(dim: number, base: number): number[] {
  return Array.from({ length: Math.floor(dim / 2) }, (_, k) => base ** ((-2 * (k + 1)) / dim));
}

/** Σ cos(distance · ω_k): the product of two sinusoidal position vectors. */
export function buildCosineSum(params: Params): (delta: number) => number {
  const frequencies = sandwichFrequencies(resolveHiddenSize(params), getNumber(params, "base"));
  const bidirectional = params.bidirectional === true;
  return (delta) => {
    const distance = bidirectional ? Math.abs(delta) : Math.max(delta, 0);
    return frequencies.reduce((sum, frequency) => sum + Math.cos(distance * frequency), 0);
  };
}

function buildBiasTerm(params: Params, scene: Scene): BiasTerm {
  const cosines = buildCosineSum(params);
  const pairs = Math.floor(resolveHiddenSize(params) / 2);
  const slope = (8 * (scene.head + 1)) / getNumber(params, "num_heads");
  const profile = (delta: number) => (cosines(delta) - pairs) / slope;
  const offset = scene.keyLength - scene.queryLength;
  return {
    kind: "bias",
    id: "bias",
    role: "position_position",
    name: { en: "sum of cosines", zh: "余弦和" },
    scale: 1,
    profile,
    value: (i, j) => profile(i - j + offset),
  };
}

function rules(params: Params): readonly ParamProblem[] {
  const dim = resolveHiddenSize(params);
  return dim % 2 === 0 ? [] : [{ param: "hidden_size", value: dim, rule: l10n.t("must be even") }];
}

const formula: Formula = {
  id: "sandwich",
  tex: "\\begin{aligned}\\mathrm{logit}_{ij} &= \\frac{q_i \\cdot k_j}{\\sqrt{d}} + \\frac{H}{8h}\\Big(\\sum_{k=1}^{D/2} \\cos\\big((i-j)\\,\\omega_k\\big) - \\frac{D}{2}\\Big) \\\\ \\omega_k &= 10000^{-2k/D}, \\qquad h = 1 \\dots H\\end{aligned}",
  text: "logit(i, j) = q_i · k_j / √d + H / (8h) · (Σ_(k=1…D/2) cos((i − j) · 10000^(−2k/D)) − D/2),  h = 1 … H",
};

/** Sandwich: the product of two sinusoidal position vectors as a bias. */
export const sandwich: Encoding = {
  id: "sandwich",
  name: { en: "Sandwich", zh: "Sandwich" },
  gloss: { en: "bias from products of sinusoids", zh: "正弦内积偏置" },
  aliases: ["SandwichRelativePositionEmbedding"],
  classification: { kind: "relative", actsOn: "scores", trained: "fixed", trainedParameters: () => 0 },
  effect: ADDS_BIAS,
  parameters: [
    numHeads,
    headDim,
    optionalHiddenSize,
    {
      name: "base",
      kind: "number",
      default: 10_000,
      above: 0,
      max: 1e12,
      slider: { min: 10, max: 1e6, scale: "log" },
      help: { en: "Base of the wavelengths.", zh: "波长的底数。" },
    },
    {
      name: "bidirectional",
      kind: "boolean",
      default: false,
      help: {
        en: "Both directions, by |i − j|; otherwise keys after the query count as distance 0.",
        zh: "双向，按 |i − j| 计；否则后面的键一律按距离 0 计。",
      },
    },
  ],
  rules,
  formulas: [formula],
  formula: () => formula,
  explanation: {
    summary: {
      en: "Keeps only the position · position term of the sinusoidal encoding's expansion, which depends on the distance alone, and scales it differently for each head.",
      zh: "在正弦编码的展开式中只保留位置·位置一项（它只与距离有关），再按不同的权重分给各个头。",
    },
    extrapolation: {
      en: "Defined at every distance; falls roughly logarithmically, with ripples; remains usable well beyond the training context.",
      zh: "对任意距离都有定义，随距离大致按对数下降并带波纹；远超训练上下文仍然可用。",
    },
    strengths: {
      en: "No parameters; shows that ALiBi's decay and the product of two sinusoids are the same idea.",
      zh: "无需训练；说明 ALiBi 的衰减与正弦内积其实是同一个想法。",
    },
    weaknesses: {
      en: "Blind to content; at very large distances, the longest waves bring the ripples back.",
      zh: "与内容无关；距离极大时，长波会使波纹重新出现。",
    },
    pitfalls: {
      en: "The frequency index starts at 1, not at 0 as in the sinusoidal encoding. D is the hidden size, not the head dimension. The cosine is even, so the sign of the distance does not matter.",
      zh: "频率下标从 1 开始，而正弦编码从 0 开始。D 是隐藏层维数，不是每个头的维数。余弦是偶函数，距离的符号无所谓。",
    },
    models: ["Sandwich (research)", "NVIDIA NeMo option"],
  },
  papers: [
    {
      title: "Dissecting Transformer Length Extrapolation via the Lens of Receptive Field Analysis",
      arxiv: "2212.10356",
      year: 2022,
    },
  ],
  repositories: ["NVIDIA/NeMo"],
  frequencies: (params) => sandwichFrequencies(resolveHiddenSize(params), getNumber(params, "base")),
  derived: (params) => ({ frequencies: sandwichFrequencies(resolveHiddenSize(params), getNumber(params, "base")) }),
  domain: () => ({ kind: "any" }),
  cellsAreIndependent: true,
  learnedArrays: [],
  terms: (params, scene) => [buildContentTerm(scene, getNumber(params, "head_dim")), buildBiasTerm(params, scene)],
};
