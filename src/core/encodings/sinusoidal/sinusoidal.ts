import * as l10n from "@vscode/l10n";
import type { Params } from "../../spec.ts";
import { type AbsoluteInput, absoluteValueParts, buildAbsoluteTerms } from "../../terms/absolute.ts";
import { shiftedFactor } from "../../terms/linear.ts";
import type { ParamProblem } from "../../util/errors.ts";
import type { Encoding, Formula } from "../encoding.ts";
import { ADDED_TO_INPUT } from "../support/effects.ts";
import { checkHeadsDivide, hiddenSizeParameters, resolveHiddenSize, TOKENS_UNIT } from "../support/parameters.ts";
import { getNumber, getString, optionalNumber } from "../support/schema.ts";
import { countPart } from "../support/summary.ts";
import {
  type SinusoidSpec,
  sinusoidColumnName,
  sinusoidFactor,
  sinusoidFrequencies,
  sinusoidProfile,
} from "./table.ts";

export function readSinusoidSpec(params: Params): SinusoidSpec {
  const padding = optionalNumber(params, "padding_idx");
  return {
    dim: resolveHiddenSize(params),
    base: getNumber(params, "base"),
    layout: getString(params, "layout") === "concat" ? "concat" : "interleaved",
    frequency: getString(params, "frequency") === "tensor2tensor" ? "tensor2tensor" : "paper",
    ...(padding === undefined ? {} : { paddingIdx: padding }),
  };
}

/** Table row of the first token: fairseq starts after the padding row. */
function firstTokenRow(params: Params): number {
  return getNumber(params, "position_offset") + (optionalNumber(params, "padding_idx") ?? -1) + 1;
}

export function buildInput(params: Params): AbsoluteInput {
  const spec = readSinusoidSpec(params);
  return {
    hiddenSize: spec.dim,
    numHeads: getNumber(params, "num_heads"),
    position: shiftedFactor(sinusoidFactor(spec), firstTokenRow(params)),
    embedScale: getString(params, "embed_scale") === "1" ? 1 : Math.sqrt(spec.dim),
    positionProfile: (from, dim) => sinusoidProfile(spec, from, dim),
  };
}

function rules(params: Params): readonly ParamProblem[] {
  const dim = resolveHiddenSize(params);
  const problems = [...checkHeadsDivide(params)];
  if (getString(params, "frequency") === "tensor2tensor" && dim < 4) {
    problems.push({
      param: "hidden_size",
      value: dim,
      rule: l10n.t("must be at least 4: the frequencies divide by ⌊d/2⌋ − 1"),
    });
  }
  return problems;
}

const paperFormula: Formula = {
  id: "sinusoidal",
  tex: "\\begin{aligned}PE_{p,2k} &= \\sin\\frac{p}{10000^{2k/d}}, & PE_{p,2k+1} &= \\cos\\frac{p}{10000^{2k/d}} \\\\ h_p &= x_p + PE_p\\end{aligned}",
  text: "PE(p, 2k) = sin(p / 10000^(2k/d)),  PE(p, 2k+1) = cos(p / 10000^(2k/d)),  h(p) = x(p) + PE(p)",
};

const concatFormula: Formula = {
  id: "sinusoidal_concat",
  tex: "\\begin{aligned}PE_p &= \\big[\\sin p\\omega_0, \\dots, \\sin p\\omega_{d/2-1},\\ \\cos p\\omega_0, \\dots, \\cos p\\omega_{d/2-1}\\big] \\\\ \\omega_k &= 10000^{-2k/d}, \\qquad h_p = x_p + PE_p\\end{aligned}",
  text: "PE(p) = [sin(p·ω_0), …, sin(p·ω_(d/2−1)), cos(p·ω_0), …, cos(p·ω_(d/2−1))],  ω_k = 10000^(−2k/d)",
};

const tensor2tensorFormula: Formula = {
  id: "sinusoidal_tensor2tensor",
  tex: "\\begin{aligned}PE_p &= \\big[\\sin p\\omega_0, \\dots, \\sin p\\omega_{d/2-1},\\ \\cos p\\omega_0, \\dots, \\cos p\\omega_{d/2-1}\\big] \\\\ \\omega_k &= \\exp\\Big(\\frac{-k \\ln 10000}{d/2 - 1}\\Big), \\qquad h_p = x_p + PE_p\\end{aligned}",
  text: "PE(p) = [sin(p·ω_k) for all k, cos(p·ω_k) for all k],  ω_k = exp(−k · ln 10000 / (d/2 − 1))",
};

/** Fixed sinusoids added to the input. */
export const sinusoidal: Encoding = {
  id: "sinusoidal",
  name: { en: "Sinusoidal", zh: "正弦位置编码" },
  gloss: { en: "fixed absolute encoding", zh: "固定的绝对编码" },
  aliases: [
    "sinusoidal position embedding",
    "PositionalEncoding",
    "SinusoidalPositionalEmbedding",
    "create_sinusoidal_embeddings",
    "get_timing_signal_1d",
    "trigonometric",
  ],
  classification: { kind: "absolute", actsOn: "input", trained: "fixed", trainedParameters: () => 0 },
  effect: ADDED_TO_INPUT,
  parameters: [
    ...hiddenSizeParameters(1, 128),
    {
      name: "base",
      aliases: ["max_timescale", "temperature"],
      kind: "number",
      default: 10_000,
      above: 0,
      max: 1e12,
      slider: { min: 10, max: 1e6, scale: "log" },
      help: {
        en: "Base of the geometric sequence of wavelengths, 2π … 2π · base.",
        zh: "波长等比数列的底数：波长从 2π 到 2π·base。",
      },
    },
    {
      name: "layout",
      kind: "choice",
      default: "interleaved",
      choices: [
        { value: "interleaved", name: { en: "sin, cos, sin, cos, … (paper)", zh: "sin、cos 交错（论文）" } },
        { value: "concat", name: { en: "all sines, then all cosines", zh: "先全部 sin，再全部 cos" } },
      ],
      help: {
        en: "Order of the columns; only a permutation as long as the frequencies are the same.",
        zh: "各维的排列次序；频率相同时只相差一个置换。",
      },
    },
    {
      name: "frequency",
      kind: "choice",
      default: "paper",
      choices: [
        { value: "paper", name: { en: "base^(−2k/d) (paper, Marian)", zh: "base^(−2k/d)（论文、Marian）" } },
        {
          value: "tensor2tensor",
          name: { en: "base^(−k/(d/2 − 1)) (fairseq, Whisper)", zh: "base^(−k/(d/2−1))（fairseq、Whisper）" },
        },
      ],
      help: {
        en: "tensor2tensor divides by d/2 − 1, so its last frequency is exactly 1/base: different values, not another order.",
        zh: "tensor2tensor 除以 d/2 − 1，最后一个频率恰为 1/base：数值不同，并非只是换序。",
      },
    },
    {
      name: "padding_idx",
      kind: "integer",
      default: null,
      optional: true,
      min: 0,
      max: 1_000_000,
      help: {
        en: "fairseq: this row is zero, and the first token is at the next one.",
        zh: "fairseq：该行置零，第一个词元从它的下一行开始。",
      },
    },
    {
      name: "position_offset",
      unit: TOKENS_UNIT,
      kind: "integer",
      default: 0,
      min: 0,
      max: 100_000_000,
      help: { en: "Position of the first token.", zh: "第一个词元的位置。" },
    },
    {
      name: "embed_scale",
      kind: "choice",
      default: "1",
      choices: [
        { value: "1", name: { en: "x + p", zh: "x + p" } },
        { value: "sqrt(embedding_dim)", name: { en: "√d · x + p (paper, Marian)", zh: "√d · x + p（论文、Marian）" } },
      ],
      help: { en: "Multiplier of the word vectors before positions are added.", zh: "加上位置之前词向量所乘的系数。" },
    },
    {
      name: "max_position_embeddings",
      unit: TOKENS_UNIT,
      aliases: ["num_positions", "max_source_positions", "n_positions"],
      kind: "integer",
      default: null,
      optional: true,
      min: 1,
      max: 1_000_000_000,
      help: {
        en: "Number of rows that the model precomputes. The formula itself has no limit.",
        zh: "模型预先算好的行数；公式本身没有上限。",
      },
    },
  ],
  rules,
  formulas: [paperFormula, concatFormula, tensor2tensorFormula],
  formula: (params) => {
    if (params.frequency === "tensor2tensor") return tensor2tensorFormula;
    return params.layout === "concat" ? concatFormula : paperFormula;
  },
  explanation: {
    summary: {
      en: "Each position is a fixed vector of sines and cosines with geometrically increasing wavelengths, added to the word vector.",
      zh: "每个位置对应一个固定向量，由波长按等比增长的正弦与余弦组成，加到词向量上。",
    },
    extrapolation: {
      en: "The formula gives a vector for any position, and PE(p+δ) is a linear map of PE(p) that depends only on δ, which suggests some extrapolation. In practice there is little: beyond the training context, the low-frequency waves reach values unseen by the projections.",
      zh: "规则对任意位置都有定义，而且 PE(p+δ) 是 PE(p) 的线性变换，变换只与 δ 有关，因此可以期望一定的外推能力。实际上很有限：超过训练上下文后，低频波会取到投影矩阵从未见过的值。",
    },
    strengths: {
      en: "Nothing to train, no end of the table, one addition at the input. Between positions alone (W = identity), the product Σ cos((i−j) ω_k) depends only on the distance.",
      zh: "无需训练，没有表长限制，只在输入处做一次加法。仅看两个位置（W 为单位阵）时，内积 Σcos((i−j)ω_k) 只与距离有关。",
    },
    weaknesses: {
      en: "Absolute: through the trained W_Q and W_K, scores depend on i and j themselves, so shifting a sentence changes every score although the words are the same. Positions also enter the values.",
      zh: "属于绝对编码：经过训练得到的 W_Q、W_K 之后，分数取决于 i、j 本身；整句平移会改变每个分数，尽管词并无变化。值向量中也混入了位置。",
    },
    pitfalls: {
      en: "Two variants share the name: the paper's 10000^(2k/d) and tensor2tensor's division by d/2 − 1 (fairseq, M2M100, Whisper). Their values differ, and reordering the columns does not make them equal. The expansion has four terms: content·content, content·position, position·content, position·position; the softmax formula of one well-known text omits the third.",
      zh: "同名的写法有两族：论文的 10000^(2k/d)，以及 tensor2tensor 除以 d/2 − 1 的写法（fairseq、M2M100、Whisper）。两者数值不同，换列序也不会相等。展开式共有四项：内容·内容、内容·位置、位置·内容、位置·位置；有一篇流传较广的文章在 softmax 公式里漏了第三项。",
    },
    models: [
      "Transformer (2017)",
      "XLM",
      "Marian",
      "Pegasus",
      "M2M100 / NLLB",
      "Whisper (encoder)",
      "MusicGen",
      "CTRL",
      "Speech2Text",
    ],
  },
  papers: [{ title: "Attention Is All You Need", arxiv: "1706.03762", year: 2017 }],
  repositories: ["tensorflow/tensor2tensor", "facebookresearch/fairseq", "facebookresearch/XLM", "marian-nmt/marian"],
  domain: () => ({ kind: "any" }),
  takesPositionIds: () => true,
  cellsAreIndependent: true,
  learnedArrays: [],
  terms: (params, scene) => buildAbsoluteTerms(scene, buildInput(params)),
  valueParts: (params, scene) => absoluteValueParts(scene, buildInput(params)),
  positionTable: (params, scene) => {
    const spec = readSinusoidSpec(params);
    return {
      rows: shiftedFactor(sinusoidFactor(spec), scene.shift),
      column: (index) => sinusoidColumnName(spec, index),
    };
  },
  frequencies: (params) => sinusoidFrequencies(readSinusoidSpec(params)),
  summary: (params) => [
    l10n.t("sinusoidal"),
    ...countPart(params, "usable_positions", (end) => l10n.t("{0} positions", end)),
  ],
  derived: (params) => ({ frequencies: sinusoidFrequencies(readSinusoidSpec(params)) }),
};
