import type { Params } from "../spec.ts";
import { buildContentTerm } from "../terms/contentTerm.ts";
import { learnedTermName, readLearnedVector } from "../terms/learned.ts";
import type { Inputs, Scene } from "../terms/scene.ts";
import type { BiasTerm } from "../terms/term.ts";
import type { Encoding, Formula } from "./encoding.ts";
import { ADDS_BIAS } from "./support/effects.ts";
import { headDim, numHeads } from "./support/parameters.ts";
import { getNumber, getString } from "./support/schema.ts";

/**
 * Kernel of one head by distance d ≥ 0 (Chi et al. 2022, equations 4 and 5; chijames/KERPLE megatron/mpu/layers.py).
 * The trained p and a are clamped to at least eps, and p of the power kernel to at most 2.
 */
export function kerpleKernel(kernel: "log" | "power", p: number, a: number, eps: number): (distance: number) => number {
  const slope = Math.max(a, eps);
  if (kernel === "log") return (distance) => -Math.max(p, eps) * Math.log(1 + slope * distance);
  const power = Math.min(Math.max(p, eps), 2);
  return (distance) => -slope * distance ** power;
}

/** p and a of a head; the examples range from slow to fast decay across heads. */
export function readKernelParameters(params: Params, inputs: Inputs, head: number): readonly [number, number] {
  const heads = getNumber(params, "num_heads");
  const isLog = getString(params, "kernel") === "log";
  const spread = (h: number) => (h + 0.5) / heads;
  const p = readLearnedVector(inputs, ["bias_p"], heads, (h) => (isLog ? 4 * (1 - spread(h)) : 0.5 + spread(h)));
  const a = readLearnedVector(inputs, ["bias_a"], heads, (h) =>
    isLog ? 1 - 0.9 * spread(h) : 0.5 * 2 ** (-6 * spread(h)),
  );
  return [p[head] ?? 0, a[head] ?? 0];
}

function buildBiasTerm(params: Params, scene: Scene): BiasTerm {
  const [p, a] = readKernelParameters(params, scene.inputs, scene.head);
  const kernel = kerpleKernel(getString(params, "kernel") === "log" ? "log" : "power", p, a, getNumber(params, "eps"));
  const profile = (delta: number) => kernel(Math.max(delta, 0));
  const offset = scene.keyLength - scene.queryLength;
  return {
    kind: "bias",
    id: "bias",
    role: "position_position",
    name: learnedTermName({ en: "distance kernel", zh: "距离核" }, scene.inputs),
    scale: 1,
    profile,
    value: (i, j) => profile(i - j + offset),
  };
}

const logFormula: Formula = {
  id: "kerple_log",
  tex: "\\begin{aligned}\\mathrm{logit}_{ij} &= \\frac{q_i \\cdot k_j}{\\sqrt{d}} - p_h \\ln\\big(1 + a_h\\,(i-j)\\big) \\\\ p_h,\\ & a_h > 0\\ \\text{trained}\\end{aligned}",
  text: "logit(i, j) = q_i · k_j / √d − p_h · ln(1 + a_h · (i − j)),  p_h and a_h trained, positive",
};

const powerFormula: Formula = {
  id: "kerple_power",
  tex: "\\begin{aligned}\\mathrm{logit}_{ij} &= \\frac{q_i \\cdot k_j}{\\sqrt{d}} - a_h\\,(i-j)^{p_h} \\\\ a_h &> 0,\\ 0 < p_h \\le 2\\ \\text{trained}\\end{aligned}",
  text: "logit(i, j) = q_i · k_j / √d − a_h · (i − j)^p_h,  a_h > 0 and 0 < p_h ≤ 2 trained",
};

/** KERPLE: a trained kernel of the distance for each head. */
export const kerple: Encoding = {
  id: "kerple",
  name: { en: "KERPLE", zh: "KERPLE" },
  gloss: { en: "trained distance kernel", zh: "可学习的距离核" },
  aliases: ["kernelized relative positional embedding", "ParallelKerpleLog", "ParallelKerplePower"],
  classification: {
    kind: "relative",
    actsOn: "scores",
    trained: "trained",
    trainedParameters: (params) => 2 * getNumber(params, "num_heads"),
  },
  effect: ADDS_BIAS,
  parameters: [
    numHeads,
    headDim,
    {
      name: "kernel",
      kind: "choice",
      default: "log",
      choices: [
        { value: "log", name: { en: "logarithmic", zh: "对数核" } },
        { value: "power", name: { en: "power", zh: "幂核" } },
      ],
      help: { en: "Shape of the penalty; power with p = 1 is ALiBi.", zh: "惩罚的形状；幂核取 p = 1 即 ALiBi。" },
    },
    {
      name: "eps",
      kind: "number",
      default: 0.01,
      above: 0,
      max: 1,
      help: { en: "Lower bound of the trained p and a.", zh: "训练参数 p、a 的下限。" },
    },
  ],
  formulas: [logFormula, powerFormula],
  formula: (params) => (getString(params, "kernel") === "log" ? logFormula : powerFormula),
  explanation: {
    summary: {
      en: "Replaces ALiBi's fixed slope with a trained kernel of the distance, with two parameters per head.",
      zh: "把 ALiBi 的固定斜率换成可训练的距离核，每个头只有两个参数。",
    },
    extrapolation: {
      en: "Defined at every distance. The logarithmic kernel flattens, so distant tokens keep some weight; it extrapolates best in the paper.",
      zh: "对任意距离都有定义；对数核越远越平，远处的词元仍保有一定权重，论文中外推效果最好。",
    },
    strengths: {
      en: "The model learns how fast each head forgets. The kernel is conditionally positive definite; the constant that would make it positive definite cancels in the softmax.",
      zh: "每个头遗忘的快慢由模型自己学。它是条件正定核，softmax 的平移不变性使其等价于正定核。",
    },
    weaknesses: {
      en: "Still blind to content: distant tokens are penalised whatever they contain.",
      zh: "仍然与内容无关：无论说的是什么，远处一律被压低。",
    },
    pitfalls: {
      en: "The model clamps trained p and a to at least 0.01 and the power kernel's p to at most 2, so stored values outside these bounds are not the effective ones. The distance is max(i − j, 0): cells above the diagonal have distance 0 and need the mask.",
      zh: "训练得到的 p、a 以 0.01 为下限，幂核的 p 以 2 为上限：存下来的值越界时，起作用的是截断后的值。距离取 max(i − j, 0)：对角线以上距离为 0，需靠掩码去掉。",
    },
    models: ["KERPLE (GPT-NeoX code base)"],
  },
  papers: [
    {
      title: "KERPLE: Kernelized Relative Positional Embedding for Length Extrapolation",
      arxiv: "2205.09921",
      year: 2022,
    },
  ],
  repositories: ["chijames/KERPLE"],
  domain: () => ({ kind: "any" }),
  cellsAreIndependent: true,
  learnedArrays: ["bias_p", "bias_a"],
  terms: (params, scene) => [buildContentTerm(scene, getNumber(params, "head_dim")), buildBiasTerm(params, scene)],
};
