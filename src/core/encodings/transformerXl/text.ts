import type { Explanation, Formula, Parameter } from "../encoding.ts";
import { optionalHiddenSize, TOKENS_UNIT } from "../support/parameters.ts";

export const xlFormulas = {
  xl: {
    id: "transformer_xl",
    tex: "\\sqrt{d}\\,\\mathrm{logit}_{ij} = q_i \\cdot k_j + q_i \\cdot W_r R_{i-j} + u \\cdot k_j + v \\cdot W_r R_{i-j}",
    text: "√d · logit(i, j) = q_i · k_j + q_i · W_r R(i−j) + u · k_j + v · W_r R(i−j)",
  },
  xlnet: {
    id: "transformer_xl_xlnet",
    tex: "\\begin{aligned}\\sqrt{d}\\,\\mathrm{logit}_{ij} ={}& (q_i + u) \\cdot k_j + (q_i + v) \\cdot W_r R_{i-j} \\\\ &+ (q_i + s) \\cdot \\mathrm{seg}_{ij}\\end{aligned}",
    text: "√d · logit(i, j) = (q_i + u) · k_j + (q_i + v) · W_r R(i−j) + (q_i + s) · seg(same or other segment)",
  },
} satisfies Record<string, Formula>;

export const xlParameters: readonly Parameter[] = [
  optionalHiddenSize,
  {
    name: "attn_type",
    kind: "choice",
    default: "original",
    choices: [
      { value: "original", name: { en: "Transformer-XL", zh: "Transformer-XL 原版" } },
      { value: "bi", name: { en: "XLNet, both directions", zh: "XLNet，双向" } },
      { value: "uni", name: { en: "XLNet, causal", zh: "XLNet，单向" } },
    ],
    help: {
      en: "Which distances the model prepares. In the causal forms, cells above the diagonal are undefined and must be masked.",
      zh: "模型预先准备哪些距离。单向写法中对角线以上没有定义，必须加掩码。",
    },
  },
  {
    name: "clamp_len",
    unit: TOKENS_UNIT,
    kind: "integer",
    default: -1,
    min: -1,
    max: 1_000_000_000,
    help: {
      en: "Clips the distance before the sinusoid is taken; −1: no clipping.",
      zh: "取正弦之前先把距离截断到此值；−1 表示不截断。",
    },
  },
  {
    name: "base",
    kind: "number",
    default: 10_000,
    above: 0,
    max: 1e12,
    slider: { min: 10, max: 1e6, scale: "log" },
    help: { en: "Base of the wavelengths.", zh: "波长的底数。" },
  },
];

export const xlExplanation: Explanation = {
  summary: {
    en: "Keeps all four terms of the expansion, with p_j replaced by a sinusoid of the distance and the query's own position by two trained vectors, u and v.",
    zh: "保留展开式的全部四项，但把 p_j 换成距离 i−j 的正弦向量，把查询自身的位置换成两个可训练向量 u、v。",
  },
  extrapolation: {
    en: "The sinusoid is defined at any distance and is not clipped, so memories longer than in training can be attached. The projection W_r was not trained on those distances, so quality degrades slowly.",
    zh: "正弦对任意距离都有定义，也不截断，因此可以接上比训练时更长的记忆；但投影 W_r 没有见过这些距离，效果会缓慢下降。",
  },
  strengths: {
    en: "Hidden states of earlier segments can be reused, because nothing in them depends on where the segment began. Unlike Shaw's encoding, it adds no position to the values.",
    zh: "表示中不含“段从何处开始”的信息，因此可以直接复用上一段的隐状态。与 Shaw 的编码不同，值向量上不再有位置。",
  },
  weaknesses: {
    en: "Every layer needs a second projection, a second product as large as the scores, and a row shift to align them.",
    zh: "每一层都多一次投影和一次与分数同样大小的乘积，还要做行移位来对齐。",
  },
  pitfalls: {
    en: "In the papers, u and v appear alone; some texts multiply them by W_Q. The sinusoid is all sines, then all cosines, and its frequencies use d_model, not d_head. XLNet prepares the distances klen … −qlen+1, Transformer-XL klen−1 … 0; in the latter, cells above the diagonal are leftovers of the next row and rely on the mask. clamp_len clips before the sinusoid.",
    zh: "论文中 u、v 单独出现，有些文章仍保留其后的 W_Q。正弦向量是先全部 sin、再全部 cos，频率用的是 d_model 而不是 d_head。XLNet 准备的距离是 klen…−qlen+1，Transformer-XL 是 klen−1…0；后者对角线以上的值是下一行的残余，只能靠掩码去掉。clamp_len 在取正弦之前截断。",
  },
  models: [
    "Transformer-XL",
    "XLNet",
    "Compressive Transformer",
    "Conformer (speech encoders)",
    "FastSpeech2-Conformer",
  ],
};
