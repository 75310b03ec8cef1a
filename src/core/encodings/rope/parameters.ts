import type { Params } from "../../spec.ts";
import type { Parameter } from "../encoding.ts";
import { headDim, numHeads, PATCHES_UNIT, TOKENS_UNIT } from "../support/parameters.ts";
import { scalingParameters } from "./scalingParameters.ts";

/** Parameters of rotary encodings, in the order of the panel. */

export const ropeTheta: Parameter = {
  name: "rope_theta",
  aliases: ["base", "rotary_emb_base", "rope_freq_base"],
  kind: "number",
  default: 10_000,
  above: 0,
  max: 1e15,
  slider: { min: 100, max: 1e8, scale: "log" },
  help: {
    en: "Base θ of the frequencies θ^(−2k/d). With a larger base, low-frequency pairs rotate more slowly.",
    zh: "频率 θ^(−2k/d) 的底数 θ。底数越大，低频维度对旋转得越慢。",
  },
};

export const rotaryHeadDim: Parameter = {
  ...headDim,
  default: 128,
  slider: { min: 2, max: 256, step: 2, scale: "linear" },
};

export const pairLayoutParameter: Parameter = {
  name: "layout",
  when: (params) => params.rope_type !== "axial",
  kind: "choice",
  default: "half",
  normalise: (value) => (value === "rotate_half" || value === "neox" ? "half" : value),
  choices: [
    {
      value: "half",
      name: { en: "half", zh: "前后两半" },
      gloss: { en: "pairs (k, k + d/2): Llama in HF, NeoX, Qwen", zh: "维度对 (k, k + d/2)：HF 版 Llama、NeoX、Qwen" },
    },
    {
      value: "interleaved",
      name: { en: "interleaved", zh: "相邻交错" },
      gloss: { en: "pairs (2k, 2k + 1): RoFormer, GPT-J, GLM", zh: "维度对 (2k, 2k + 1)：RoFormer、GPT-J、GLM" },
    },
  ],
  help: {
    en: "Which two dimensions form a pair. Weights of one layout silently give wrong results with the other.",
    zh: "哪两个维度组成一对。用错配对方式不会报错，但数值全错。",
  },
};

export const tablePrecision: Parameter = {
  name: "table_precision",
  kind: "choice",
  default: "exact",
  choices: [
    { value: "exact", name: { en: "mathematical (float64)", zh: "数学值（float64）" } },
    { value: "float32", name: { en: "as in transformers (float32)", zh: "与 transformers 一致（float32）" } },
    { value: "bfloat16", name: { en: "cos and sin stored in bfloat16", zh: "cos/sin 以 bfloat16 保存" } },
  ],
  help: {
    en: "Number format of frequencies, angles and tables. In float32 an angle at position 1,000,000 is off by up to 0.06 rad.",
    zh: "频率、角度与表的数值格式。float32 下，位置 1,000,000 处角度误差可达 0.06 弧度。",
  },
};

export const maxPositions: Parameter = {
  name: "max_position_embeddings",
  kind: "integer",
  default: 4096,
  min: 1,
  max: 1e9,
  slider: { min: 128, max: 1_048_576, scale: "log" },
  unit: TOKENS_UNIT,
  help: {
    en: "Maximum context that the model is configured for. Dynamic NTK scales beyond it.",
    zh: "模型配置的最大上下文长度。动态 NTK 在超过它之后才缩放。",
  },
};

const ropeType: Parameter = {
  name: "rope_type",
  aliases: ["type"],
  kind: "choice",
  default: "default",
  choices: [
    { value: "default", name: { en: "default", zh: "default" }, gloss: { en: "no scaling", zh: "不缩放" } },
    {
      value: "linear",
      name: { en: "linear", zh: "线性" },
      gloss: { en: "position interpolation (PI)", zh: "位置内插（PI）" },
    },
    { value: "ntk", name: { en: "NTK-aware", zh: "NTK 感知" }, gloss: { en: "larger base", zh: "增大底数" } },
    {
      value: "dynamic",
      name: { en: "dynamic NTK", zh: "动态 NTK" },
      gloss: { en: "base grows with the length", zh: "底数随长度增大" },
    },
    {
      value: "yarn",
      name: { en: "YaRN", zh: "YaRN" },
      gloss: { en: "interpolates low frequencies, sharpens scores", zh: "低频内插，锐化分数" },
    },
    {
      value: "longrope",
      name: { en: "LongRoPE", zh: "LongRoPE" },
      gloss: { en: "searched divisor for each pair", zh: "每个维度对各用搜索得到的除数" },
    },
    {
      value: "llama3",
      name: { en: "Llama 3.1", zh: "Llama 3.1" },
      gloss: { en: "scales by wavelength", zh: "按波长缩放" },
    },
    {
      value: "proportional",
      name: { en: "p-RoPE", zh: "p-RoPE" },
      gloss: { en: "rotates only the high-frequency pairs (Gemma 4)", zh: "只旋转高频维度对（Gemma 4）" },
    },
    {
      value: "axial",
      name: { en: "axial", zh: "轴向" },
      gloss: { en: "rows and columns of an image", zh: "图像的行与列" },
    },
  ],
  help: {
    en: "How the frequencies are changed to go beyond the training context.",
    zh: "为适应更长的上下文而改变频率的方式。",
  },
};

const partialRotaryFactor: Parameter = {
  name: "partial_rotary_factor",
  when: (params) => params.rope_type !== "axial",
  aliases: ["rotary_pct", "rope_pct"],
  kind: "number",
  default: 1,
  above: 0,
  max: 1,
  // Eighths give whole pairs for all common head sizes.
  slider: { min: 0.125, max: 1, step: 0.125, scale: "linear" },
  help: {
    en: "Fraction of the head that rotates; the rest carries no position.",
    zh: "每个头中参与旋转的比例；其余维度不带位置信息。",
  },
};

const rotaryDimension: Parameter = {
  name: "rotary_dim",
  kind: "integer",
  default: null,
  optional: true,
  min: 1,
  max: 4096,
  when: (params) => params.rope_type !== "proportional" && params.rope_type !== "axial",
  help: {
    en: "Number of head dimensions that rotate; if set, partial_rotary_factor is ignored.",
    zh: "每个头中旋转的维数；设置后不再读取 partial_rotary_factor。",
  },
};

const customFrequencies: Parameter = {
  name: "inv_freq",
  kind: "numbers",
  default: null,
  optional: true,
  help: {
    en: "Custom frequencies (trained θ), one per pair, in place of those of rope_type.",
    zh: "自定义频率（可训练的 θ），每个维度对一个，取代 rope_type 算出的频率。",
  },
};

const queryKeyDim: Parameter = {
  name: "qk_head_dim",
  kind: "integer",
  default: null,
  optional: true,
  min: 1,
  max: 65_536,
  help: {
    en: "The d in 1/√d, if it is not head_dim (MLA: rotated and unrotated parts together).",
    zh: "根号下的 d；仅当它不等于 head_dim 时设置（MLA 中为旋转部分与非旋转部分之和）。",
  },
};

/** Number of rows and columns of image patches. */
export function gridSideParameters(when: (params: Params) => boolean): Parameter[] {
  const side = (name: string, en: string, zh: string): Parameter => ({
    name,
    kind: "integer",
    default: 16,
    min: 1,
    max: 512,
    slider: { min: 1, max: 64, scale: "linear" },
    unit: PATCHES_UNIT,
    when,
    help: { en, zh },
  });
  return [
    side("grid_height", "Rows of patches.", "图像块的行数。"),
    side("grid_width", "Columns of patches.", "图像块的列数。"),
  ];
}

export const ropeParameters: readonly Parameter[] = [
  ropeType,
  ropeTheta,
  rotaryHeadDim,
  pairLayoutParameter,
  maxPositions,
  ...scalingParameters,
  ...gridSideParameters((params) => params.rope_type === "axial"),
  partialRotaryFactor,
  rotaryDimension,
  numHeads,
  queryKeyDim,
  customFrequencies,
  tablePrecision,
];
