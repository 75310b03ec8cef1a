import type { ParamValue } from "../../spec.ts";
import type { Explanation, Formula, Parameter } from "../encoding.ts";
import { TOKENS_UNIT, unusedParameter } from "../support/parameters.ts";

export const debertaFormulas = {
  both: {
    id: "deberta",
    tex: "\\begin{aligned}\\mathrm{logit}_{ij} &= \\frac{q_i \\cdot k_j + q_i \\cdot K^r_{\\delta(i,j)} + k_j \\cdot Q^r_{\\delta(i,j)}}{\\sqrt{3d}} \\\\ \\delta(i,j) &= \\mathrm{clamp}(\\beta(i-j) + k,\\ 0,\\ 2k-1)\\end{aligned}",
    text: "logit(i, j) = (q_i · k_j + q_i · Kr[δ(i, j)] + k_j · Qr[δ(i, j)]) / √(3d),  δ(i, j) = clamp(β(i − j) + k, 0, 2k − 1)",
  },
  c2p: {
    id: "deberta_c2p",
    tex: "\\begin{aligned}\\mathrm{logit}_{ij} &= \\frac{q_i \\cdot k_j + q_i \\cdot K^r_{\\delta(i,j)}}{\\sqrt{2d}} \\\\ \\delta(i,j) &= \\mathrm{clamp}(\\beta(i-j) + k,\\ 0,\\ 2k-1)\\end{aligned}",
    text: "logit(i, j) = (q_i · k_j + q_i · Kr[δ(i, j)]) / √(2d),  δ(i, j) = clamp(β(i − j) + k, 0, 2k − 1)",
  },
} satisfies Record<string, Formula>;

/** `["p2c", "c2p"]`, `"p2c|c2p"` → `c2p|p2c`. */
function sortPositionTypes(value: ParamValue): ParamValue {
  const list = Array.isArray(value) ? value.map(String) : typeof value === "string" ? value.split("|") : undefined;
  if (list === undefined) return value;
  return list
    .map((type) => type.trim().toLowerCase())
    .sort()
    .join("|");
}

export const debertaParameters: readonly Parameter[] = [
  {
    name: "version",
    kind: "integer",
    default: 2,
    min: 1,
    max: 3,
    slider: { min: 1, max: 3, step: 1, scale: "linear" },
    help: {
      en: "1: one row per distance. 2 and 3: logarithmic buckets; 3 differs only in its pre-training task.",
      zh: "1：每个距离一行。2 与 3：对数分桶；3 只是换了预训练任务。",
    },
  },
  {
    name: "max_relative_positions",
    unit: TOKENS_UNIT,
    kind: "integer",
    default: -1,
    min: -1,
    max: 1_000_000,
    slider: { min: 256, max: 2048, scale: "log" },
    help: {
      en: "Distances beyond this share a row; −1: use max_position_embeddings.",
      zh: "超过该距离的共用一行；−1 表示取 max_position_embeddings。",
    },
  },
  {
    name: "max_position_embeddings",
    unit: TOKENS_UNIT,
    kind: "integer",
    default: 512,
    min: 2,
    max: 1_000_000,
    slider: { min: 256, max: 2048, scale: "log" },
    help: { en: "Training context of the model.", zh: "模型的训练上下文。" },
    when: (params) => params.max_relative_positions === -1,
  },
  {
    name: "position_buckets",
    aliases: ["num_buckets"],
    kind: "integer",
    default: 256,
    min: -1,
    max: 65_536,
    slider: { min: 2, max: 512, step: 2, scale: "log" },
    help: {
      en: "Number of buckets on each side, half exact and half logarithmic; −1: no buckets.",
      zh: "每一侧的桶数：一半精确、一半对数；−1 表示不分桶。",
    },
    when: (params) => params.version !== 1,
  },
  {
    name: "pos_att_type",
    kind: "choice",
    default: "c2p|p2c",
    choices: [
      { value: "c2p|p2c", name: { en: "c2p and p2c", zh: "c2p 与 p2c" } },
      { value: "c2p", name: { en: "c2p only", zh: "只有 c2p" } },
      { value: "p2c", name: { en: "p2c only", zh: "只有 p2c" } },
    ],
    normalise: sortPositionTypes,
    help: {
      en: "Content-to-position (q · Kr), position-to-content (k · Qr), or both.",
      zh: "内容到位置（q·Kr）、位置到内容（k·Qr），或两者都有。",
    },
  },
  {
    name: "share_att_key",
    kind: "boolean",
    default: true,
    help: {
      en: "Project distance vectors with the content's own W_Q and W_K (v2, v3).",
      zh: "距离向量与内容共用 W_Q、W_K（v2、v3）。",
    },
    when: (params) => params.version !== 1,
  },
  {
    name: "norm_rel_ebd",
    kind: "choice",
    default: "none",
    choices: [
      { value: "none", name: { en: "none", zh: "不处理" } },
      { value: "layer_norm", name: { en: "LayerNorm (v3)", zh: "LayerNorm（v3）" } },
    ],
    help: {
      en: "Normalisation of the distance vectors before they are projected.",
      zh: "投影之前对距离向量的处理。",
    },
    when: (params) => params.version !== 1,
  },
  {
    name: "layer_norm_eps",
    kind: "number",
    default: 1e-7,
    min: 0,
    max: 1,
    help: { en: "ε of this LayerNorm.", zh: "该 LayerNorm 的 ε。" },
    when: (params) => params.norm_rel_ebd === "layer_norm",
  },
  unusedParameter("scale_factor"),
];

export const debertaExplanation: Explanation = {
  summary: {
    en: "The opposite of T5: keeps the two middle terms of the expansion, with distance vectors in place of positions, and drops the last term.",
    zh: "与 T5 相反：保留展开式中间的两个交叉项，其中的位置换成距离向量，去掉最后的位置·位置项。",
  },
  extrapolation: {
    en: "Distances beyond the span share the outermost row, so inputs of any length work. The buckets of v2 are exact nearby and logarithmic farther away: 256 rows per side reach distance 512.",
    zh: "超出范围的距离共用最外一行，因此任意长度都能运行。v2 的分桶近处精确、远处取对数，每侧 256 行即可覆盖 512。",
  },
  strengths: {
    en: "The content of the query and of the key both determine what a distance means; strong on language-understanding tasks.",
    zh: "同一个距离意味着什么，由查询与键的内容共同决定；在理解类任务上效果好。",
  },
  weaknesses: {
    en: "Three products instead of one, each with a gather over the distances; no fused kernel supports it.",
    zh: "一次乘积变成三次，每次还要按距离取数；没有合适的融合内核。",
  },
  pitfalls: {
    en: "The paper writes δ(j, i) in the position-to-content term; the code uses δ(i, j) in both. All terms are divided by √(3d), not √d. The bucket is the ceiling of a float32 logarithm and is not capped; clamping the index limits it. In v1, in_proj stores q, k and v of each head together, and only q and v have a bias.",
    zh: "论文在“位置到内容”项里写 δ(j, i)，代码两处都用 δ(i, j)。所有项都除以 √(3d) 而不是 √d。分桶是 float32 对数取上整，本身不设上限，由下标截断来限制。v1 的 in_proj 按头把 q、k、v 放在一起，而且只有 q、v 带偏置。",
  },
  models: ["DeBERTa", "DeBERTa-v2", "DeBERTa-v3", "mDeBERTa", "SEW-D"],
};
