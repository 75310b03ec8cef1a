import type { Params } from "../spec.ts";
import type { Scene } from "../terms/scene.ts";
import type { Factor, ProductTerm } from "../terms/term.ts";
import type { Encoding, Formula } from "./encoding.ts";
import { rotaryPartFormulas } from "./rope/detailFormulas.ts";
import { unscaledFrequencies } from "./rope/frequencies.ts";
import { checkRopeParams } from "./rope/parameterRules.ts";
import { pairLayoutParameter, ropeTheta, rotaryHeadDim } from "./rope/parameters.ts";
import { resolvePositions } from "./rope/positions.ts";
import { readHeadRows } from "./rope/term.ts";
import { buildWindowTerm, unchangedPositions, windowedViewNotes } from "./rope/windowed.ts";
import { TRANSFORMS_CONTENT } from "./support/effects.ts";
import { ROTATED_TERM, ROTATION_STEPS } from "./support/expansion.ts";
import { numHeads, TOKENS_UNIT } from "./support/parameters.ts";
import { getNumber, optionalNumber } from "./support/schema.ts";

/** max(1, ln(position + 1)/ln(training_length)): sharpens the softmax of rows with more keys than in training. */
export function logNScale(position: number, trainingLength: number): number {
  return Math.max(1, Math.log(position + 1) / Math.log(trainingLength));
}

function scaleQueries(params: Params, scene: Scene, trainingLength: number): Factor {
  const rows = readHeadRows(scene, params, "q");
  const { query } = resolvePositions(scene);
  return {
    dim: rows.dim,
    write: (index, out, offset) => {
      rows.write(index, out, offset);
      const scale = logNScale(query(index), trainingLength);
      for (let c = offset; c < offset + rows.dim; c++) out[c] = (out[c] ?? 0) * scale;
    },
  };
}

function terms(params: Params, scene: Scene): ProductTerm[] {
  const window = getNumber(params, "window");
  const trainingLength = optionalNumber(params, "training_length");
  const queries = trainingLength === undefined ? {} : { query: scaleQueries(params, scene, trainingLength) };
  const far = { query: () => window, key: () => 0, distance: () => window };
  return [
    buildWindowTerm(params, scene, {
      id: "near",
      region: { deltaFrom: 0, deltaTo: window },
      positions: unchangedPositions(scene),
      ...queries,
    }),
    buildWindowTerm(params, scene, { id: "far", region: { deltaFrom: window }, positions: far, ...queries }),
  ];
}

const formula: Formula = {
  id: "rerope",
  tex: "\\mathrm{logit}_{ij} = \\frac{1}{\\sqrt{d}}\\, q_i^{\\top} R_{-\\min(i-j,\\, w)}\\, k_j, \\qquad j \\le i",
  text: "logit(i, j) = qᵢᵀ R(−min(i − j, w)) kⱼ / √d for j ≤ i",
};

/** ReRoPE: RoPE with distances clipped to a window. */
export const rerope: Encoding = {
  id: "rerope",
  name: { en: "ReRoPE", zh: "ReRoPE" },
  gloss: { en: "rectified RoPE", zh: "截断距离的 RoPE" },
  aliases: ["Rectified RoPE", "forward_with_rerope"],
  classification: { kind: "relative", actsOn: "query_key", trained: "fixed", trainedParameters: () => 0 },
  effect: TRANSFORMS_CONTENT,
  expansion: { terms: { content_content: ROTATED_TERM }, steps: ROTATION_STEPS },
  parameters: [
    { ...rotaryHeadDim, default: 64 },
    ropeTheta,
    {
      name: "window",
      kind: "integer",
      default: 512,
      min: 1,
      max: 1e9,
      slider: { min: 1, max: 8192, scale: "log" },
      unit: TOKENS_UNIT,
      help: {
        en: "Distances up to this are exact; larger ones count as this.",
        zh: "此距离以内按真实距离；更远的一律按此距离计算。",
      },
    },
    {
      name: "training_length",
      kind: "integer",
      default: null,
      optional: true,
      min: 2,
      max: 1e9,
      slider: { min: 128, max: 131_072, scale: "log" },
      unit: TOKENS_UNIT,
      help: {
        en: "Training context in the log-n factor max(1, ln(i + 1)/ln(length)) on queries. Not set: no factor.",
        zh: "查询上 log-n 系数 max(1, ln(i + 1)/ln(长度)) 所用的训练上下文。未设置时不加系数。",
      },
    },
    pairLayoutParameter,
    numHeads,
  ],
  rules: (params) => checkRopeParams({ ...params, rope_type: "default", partial_rotary_factor: 1 }),
  formulas: [formula],
  formula: () => formula,
  partFormulas: rotaryPartFormulas,
  explanation: {
    summary: {
      en: "RoPE within a window; keys farther away are rotated as if they were at the window's edge.",
      zh: "窗口内用 RoPE；更远的键一律按窗口边缘的距离旋转。",
    },
    extrapolation: {
      en: "If the window lies within the training context, no distance is unseen at any length, and no training is needed. The softmax still spreads over more keys; the log-n factor compensates for that.",
      zh: "只要窗口不超过训练上下文，无论文本多长都不会出现未见过的距离，且无需训练。但 softmax 仍会被更多的键摊薄，log-n 系数即为此而设。",
    },
    strengths: {
      en: "No fine-tuning; exact where it matters most, near the query.",
      zh: "无需微调；在最重要的近处保持精确。",
    },
    weaknesses: {
      en: "Two score matrices instead of one; order is lost beyond the window, so distant keys cannot be told apart by position.",
      zh: "要算两个分数矩阵；窗口之外失去次序，远处的键无法按位置区分。",
    },
    pitfalls: {
      en: "Causal only: future positions are not defined. Some texts use |i − j| ≤ w instead of |i − j| < w; at distance w both agree. The far product rotates the query by w and leaves the key unrotated.",
      zh: "只能用于因果注意力，未来位置没有定义。窗口判据有写 |i − j| < w 的，也有写 ≤ w 的，在距离 w 处两者一致。远处的乘积只把查询旋转 w，键不旋转。",
    },
    models: ["LLaMA (at inference)", "Vicuna (at inference)"],
  },
  papers: [
    {
      title: "Transformer升级之路：12、无限外推的ReRoPE？ (Su Jianlin)",
      url: "https://kexue.fm/archives/9708",
      year: 2023,
    },
  ],
  repositories: ["bojone/rerope"],
  domain: () => ({ kind: "any" }),
  cellsAreIndependent: true,
  learnedArrays: [],
  terms,
  rotation: { by: () => "position", scalable: false, keepsLength: true },
  frequencies: unscaledFrequencies,
  viewNotes: () => windowedViewNotes,
  derived: (params) => ({ inv_freq: unscaledFrequencies(params), attention_scaling: 1 }),
};
