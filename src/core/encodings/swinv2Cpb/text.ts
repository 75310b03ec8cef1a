import type { Explanation, Formula, Parameter } from "../encoding.ts";
import { gridShapeParameter } from "../support/grid.ts";
import { firstStageHeads, headDim } from "../support/parameters.ts";

export const swinv2Formula: Formula = {
  id: "swinv2_cpb",
  tex: "\\begin{aligned}\\mathrm{logit}_{ij} &= \\tau_h \\cos(q_i, k_j) + 16\\,\\sigma\\big(\\mathrm{MLP}_h(\\Delta y, \\Delta x)\\big) \\\\ \\Delta &= \\mathrm{sign}(o)\\,\\frac{\\log_2(1 + 8|o|)}{\\log_2 8}, \\qquad o = \\frac{\\text{offset}}{\\text{window} - 1}\\end{aligned}",
  text: "logit(i, j) = τ_h · cos(q_i, k_j) + 16 · σ(MLP_h(Δy', Δx')),  Δ' = sign(o) · log2(1 + 8·|o|) / log2 8,  o = offset / (window − 1)",
};

export const swinv2Parameters: readonly Parameter[] = [
  firstStageHeads,
  { ...headDim, default: 32 },
  gridShapeParameter("window_size", [8, 8], {
    en: "Patches per window, [height, width].",
    zh: "窗口内的图像块数 [高, 宽]。",
  }),
  gridShapeParameter("pretrained_window_size", [0, 0], {
    en: "Pre-training window size, by which offsets are normalised; 0: the current window.",
    zh: "预训练时的窗口，偏移按它归一化；0 表示就用当前窗口。",
  }),
  {
    name: "cpb_hidden",
    kind: "integer",
    default: 512,
    min: 1,
    max: 4096,
    slider: { min: 4, max: 1024, scale: "log" },
    help: { en: "Number of hidden units of the network.", zh: "网络的隐藏单元数。" },
  },
];

export const swinv2Explanation: Explanation = {
  summary: {
    en: "Replaces Swin's table with a small network of the offset in logarithmic coordinates, so a window trained at 8 can be used at 24; contents are compared by cosine similarity.",
    zh: "把 Swin 的偏置表换成偏移的小网络，坐标取对数，使窗口为 8 时训练的模型可以用于 24；内容之间用余弦相似度比较。",
  },
  extrapolation: {
    en: "The logarithm shrinks the extrapolation: from window 8 to 16, raw coordinates exceed the trained range by 1.14 times that range, logarithmic ones by 0.33 times. Offsets are divided by the PRE-TRAINED window, so trained offsets keep their values.",
    zh: "对数缩小了外推幅度：窗口从 8 到 16，线性坐标要超出训练范围 1.14 倍，对数坐标只超出 0.33 倍。偏移按预训练的窗口归一化，因此训练过的偏移保持原值。",
  },
  strengths: {
    en: "One set of weights for any window size. The cosine with a trained temperature keeps a few extreme pixels from dominating deep, large models.",
    zh: "一套权重适用于任意窗口；带可学习温度的余弦相似度，使很深很大的模型不会被少数像素主导。",
  },
  weaknesses: {
    en: "The network runs for every offset (cacheable per window size), and its bias is squashed into 0 … 16.",
    zh: "每个偏移都要过一遍网络（同一窗口大小可缓存），偏置被压在 0…16 之间。",
  },
  pitfalls: {
    en: "The bias is 16·σ(·), not the raw output of the network. The temperature is exp(min(logit_scale, ln 100)) and multiplies the cosine; there is no 1/√d. The key projection has no bias. transformers adds the mask of shifted windows twice.",
    zh: "偏置是 16·σ(·)，不是网络的直接输出。温度为 exp(min(logit_scale, ln 100))，乘在余弦上，没有 1/√d。键的投影没有偏置。transformers 会把移位窗口的掩码加两次。",
  },
  models: ["Swin Transformer V2", "Swin2SR"],
};
