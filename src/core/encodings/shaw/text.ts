import type { Explanation, Formula, Parameter } from "../encoding.ts";
import { TOKENS_UNIT } from "../support/parameters.ts";

export const shawFormulas = {
  shaw: {
    id: "shaw",
    tex: "\\begin{aligned}\\mathrm{logit}_{ij} &= \\frac{q_i \\cdot (k_j + a^K_{c(j-i)})}{\\sqrt{d}}, \\qquad c(x) = \\max(-k, \\min(k, x)) \\\\ z_i &= \\sum_j w_{ij}\\,(v_j + a^V_{c(j-i)})\\end{aligned}",
    text: "logit(i, j) = q_i · (k_j + aK[c(j − i)]) / √d,  z_i = Σ_j w_ij (v_j + aV[c(j − i)]),  c(x) = clip(x, −k, k)",
  },
  nezha: {
    id: "shaw_nezha",
    tex: "\\begin{aligned}\\mathrm{logit}_{ij} &= \\frac{q_i \\cdot (k_j + a_{c(j-i)})}{\\sqrt{d}}, \\qquad z_i = \\sum_j w_{ij}\\,(v_j + a_{c(j-i)}) \\\\ a_{x,2l} &= \\sin\\frac{x+k}{10000^{2l/d}}, \\qquad a_{x,2l+1} = \\cos\\frac{x+k}{10000^{2l/d}}\\end{aligned}",
    text: "logit(i, j) = q_i · (k_j + a[c(j − i)]) / √d,  a[x] = sinusoid of x + k, fixed; the same a on the values",
  },
  both: {
    id: "shaw_key_query",
    tex: "\\mathrm{logit}_{ij} = \\frac{q_i \\cdot k_j + q_i \\cdot r_{c(j-i)} + k_j \\cdot r_{c(j-i)}}{\\sqrt{d}}",
    text: "logit(i, j) = (q_i · k_j + q_i · r[c(j − i)] + k_j · r[c(j − i)]) / √d",
  },
} satisfies Record<string, Formula>;

export const shawParameters: readonly Parameter[] = [
  {
    name: "max_relative_position",
    unit: TOKENS_UNIT,
    aliases: ["max_relative_positions", "clipping_distance"],
    kind: "integer",
    default: 16,
    min: 0,
    max: 1_000_000,
    slider: { min: 1, max: 128, scale: "log" },
    help: {
      en: "Clipping distance k: all distances beyond it share a vector, so the table has 2k + 1 rows.",
      zh: "截断距离 k：更远的都共用同一向量，表有 2k + 1 行。",
    },
  },
  {
    name: "variant",
    kind: "choice",
    default: "shaw",
    choices: [
      { value: "shaw", name: { en: "trained table", zh: "可学习的表" } },
      { value: "nezha", name: { en: "fixed sinusoid (NEZHA)", zh: "固定正弦表（NEZHA）" } },
    ],
    help: { en: "Source of the distance vectors.", zh: "距离向量的来源。" },
  },
  {
    name: "use_values",
    kind: "boolean",
    default: true,
    help: { en: "Also add distance vectors to the values.", zh: "是否也把距离向量加到值上。" },
  },
  {
    name: "position_embeddings_type",
    aliases: ["position_embedding_type"],
    kind: "choice",
    default: null,
    optional: true,
    choices: [
      { value: "relative_key", name: { en: "keys only", zh: "只作用于键" } },
      { value: "relative_key_query", name: { en: "q · r and k · r", zh: "q·r 与 k·r 都有" } },
    ],
    help: {
      en: "The forms of BERT and Wav2Vec2-BERT, without vectors on the values; relative_key_query adds k · r (Huang et al. 2020).",
      zh: "BERT、Wav2Vec2-BERT 的写法：不作用于值；relative_key_query 另加 k·r 项（Huang 等，2020）。",
    },
  },
  {
    name: "left_max_position_embeddings",
    unit: TOKENS_UNIT,
    kind: "integer",
    default: null,
    optional: true,
    min: 0,
    max: 1_000_000,
    help: {
      en: "Clipping distance for keys before the query, if different (Wav2Vec2-BERT).",
      zh: "查询之前各键的截断距离，前后不同时使用（Wav2Vec2-BERT）。",
    },
  },
  {
    name: "right_max_position_embeddings",
    unit: TOKENS_UNIT,
    kind: "integer",
    default: null,
    optional: true,
    min: 0,
    max: 1_000_000,
    help: { en: "Clipping distance for keys after the query.", zh: "查询之后各键的截断距离。" },
  },
  {
    name: "base",
    kind: "number",
    default: 10_000,
    above: 0,
    max: 1e12,
    help: { en: "Base of NEZHA's sinusoid.", zh: "NEZHA 正弦表的底数。" },
    when: (params) => params.variant === "nezha",
  },
];

export const shawExplanation: Explanation = {
  summary: {
    en: "Drops the query's position and replaces the key's (and the value's) with a vector of the clipped distance.",
    zh: "去掉查询的位置项，把键（以及值）的位置换成截断距离所对应的向量。",
  },
  extrapolation: {
    en: "A finite table covers any length, since every distance beyond k is clipped to k: longer inputs use no new rows. Distances beyond k are indistinguishable.",
    zh: "超过 k 的距离一律截断为 k，因此有限的表可用于任意长度：更长的输入不会用到新的行。但 k 以外的远近已无法区分。",
  },
  strengths: {
    en: "Depends only on the distance, and the query decides how much a distance matters. Added to the values, it also passes relative positions on to the next layer.",
    zh: "只与距离有关，并且由查询决定某个距离有多重要；加在值上，还能让下一层知道信息来自何处。",
  },
  weaknesses: {
    en: "An extra product per cell, which plain attention kernels do not support; a sharp edge at the clipping distance.",
    zh: "每个格子多一次内积，普通注意力内核无法直接支持；在截断处有突变。",
  },
  pitfalls: {
    en: "Sign: Shaw clips j − i (one text writes j − i, another i − j). NEZHA uses the sinusoid of the shifted index 0 … 2k, not of the signed distance. Wav2Vec2-BERT clips at 64 to the left and 8 to the right, and leaves the values alone.",
    zh: "符号：Shaw 截断的是 j − i（有的文章写 j − i，有的写 i − j）。NEZHA 的正弦取自平移后的下标 0…2k，而不是带符号的距离。Wav2Vec2-BERT 左侧截断 64、右侧截断 8，且不作用于值。",
  },
  models: [
    "Transformer with relative positions (2018)",
    "NEZHA",
    "Music Transformer",
    "Wav2Vec2-BERT",
    "BERT with relative_key(_query)",
  ],
};
