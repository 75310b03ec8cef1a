import type { Explanation, Formula, Parameter } from "../encoding.ts";
import { TOKENS_UNIT } from "../support/parameters.ts";

const SCORES_TEX = "\\mathrm{logit}_{ij} &= \\frac{x_i W_Q \\cdot x_j W_K + P_{ij}}{\\sqrt{2d}}";
const POSITIONS_TEX =
  "P_{ij} &= p_i U_Q \\cdot p_j U_K, \\quad P_{0j} = \\theta_1, \\quad P_{i0} = \\theta_2 \\ (i > 0)";
const SCORES_TEXT = "logit(i, j) = (x_i W_Q · x_j W_K + P(i, j)) / √(2d)";
const POSITIONS_TEXT = "P(i, j) = p_i U_Q · p_j U_K, but θ1 in the row of [CLS] (i = 0) and θ2 in its column (j = 0)";

export const tupeFormulas = {
  /** TUPE-A. */
  absolute: {
    id: "tupe",
    tex: `\\begin{aligned}${SCORES_TEX} \\\\ ${POSITIONS_TEX}\\end{aligned}`,
    text: `${SCORES_TEXT},  ${POSITIONS_TEXT}`,
  },
  /** TUPE-R. */
  relative: {
    id: "tupe_relative",
    tex: `\\begin{aligned}${SCORES_TEX} + b_{h,\\,B_{ij}} \\\\ ${POSITIONS_TEX}\\end{aligned}`,
    text: `${SCORES_TEXT} + b[h, B(i, j)] with T5's buckets,  ${POSITIONS_TEXT}`,
  },
} satisfies Record<string, Formula>;

export const tupeParameters: readonly Parameter[] = [
  {
    name: "max_seq_len",
    unit: TOKENS_UNIT,
    aliases: ["max_position_embeddings"],
    kind: "integer",
    default: 512,
    min: 1,
    max: 1_000_000,
    slider: { min: 16, max: 2048, scale: "log" },
    help: {
      en: "Positions in the table; one extra row serves the [CLS] resets.",
      zh: "位置表的长度；另有一行用于 [CLS] 的重置。",
    },
  },
  {
    name: "attn_scale_factor",
    kind: "number",
    default: 2,
    above: 0,
    max: 64,
    help: {
      en: "Both products are divided by √(this · d), because two are added.",
      zh: "两个乘积相加，因此都除以 √(该值 · d)。",
    },
  },
  {
    name: "layer_norm_eps",
    kind: "number",
    default: 1e-5,
    min: 0,
    max: 1,
    help: { en: "ε of the LayerNorm on the position table.", zh: "位置表上 LayerNorm 的 ε。" },
  },
  {
    name: "rel_pos",
    kind: "boolean",
    default: false,
    help: { en: "TUPE-R: add T5's bucket bias as well.", zh: "TUPE-R：再加上 T5 的分桶偏置。" },
  },
  {
    name: "rel_pos_bins",
    aliases: ["num_buckets"],
    kind: "integer",
    default: 32,
    min: 4,
    max: 65_536,
    slider: { min: 4, max: 128, step: 2, scale: "linear" },
    help: {
      en: "Buckets of that bias; one extra row belongs to the [CLS] column.",
      zh: "该偏置的桶数；另有一行属于 [CLS] 列。",
    },
    when: (params) => params.rel_pos === true,
  },
  {
    name: "max_rel_pos",
    unit: TOKENS_UNIT,
    aliases: ["max_distance"],
    kind: "integer",
    default: 128,
    min: 2,
    max: 1_000_000_000,
    slider: { min: 16, max: 1024, scale: "log" },
    help: { en: "All distances from this on share the last bucket.", zh: "从该距离起共用最后一个桶。" },
    when: (params) => params.rel_pos === true,
  },
];

export const tupeExplanation: Explanation = {
  summary: {
    en: "Decouples content and position, like T5. Positions are compared through projections of their own; [CLS], which represents the whole text, is excluded.",
    zh: "与 T5 的想法相同：内容与位置解耦。位置之间用独立的投影相乘；代表整句的 [CLS] 则不受位置影响。",
  },
  extrapolation: {
    en: "The untied term is a learned table and ends with it. TUPE-R's bucket bias could continue, but not alone.",
    zh: "独立投影的部分是可学习的表，到表尾为止。TUPE-R 的分桶偏置可以继续，但不能单独使用。",
  },
  strengths: {
    en: "No mixed terms between words and positions; computed once for all layers; [CLS] can attend anywhere.",
    zh: "没有词与位置的交叉项，各层只需算一次；[CLS] 可以关注任何位置。",
  },
  weaknesses: {
    en: "Absolute, so it has a maximum length and is not shift-invariant; TUPE-R's bucket bias does not change that. A matrix as large as the scores must be added in every layer.",
    zh: "属于绝对编码，因此长度有上限，也不满足平移不变，TUPE-R 的分桶偏置改变不了这一点；每层都要加上一个分数大小的矩阵。",
  },
  pitfalls: {
    en: "The comment in the repository swaps the two resets. The code writes the column first and then the row, so [CLS]–[CLS] takes the row's value. Token i uses row i + 1 of the table: rows 0 and 1 serve the resets.",
    zh: "仓库注释把两个重置的作用写反了；代码先写列、再写行，因此 [CLS]–[CLS] 取行的值。第 i 个词元用表的第 i + 1 行：第 0、1 行用于重置。",
  },
  models: ["TUPE-A", "TUPE-R (BERT-size pre-training)"],
};
