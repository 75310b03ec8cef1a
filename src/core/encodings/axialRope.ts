import * as l10n from "@vscode/l10n";
import type { Params } from "../spec.ts";
import type { ParamProblem } from "../util/errors.ts";
import type { Encoding, Formula, Parameter } from "./encoding.ts";
import { axialDomain, axialPatchGrid, buildAxialTable, buildAxialTerm } from "./rope/axial.ts";
import { hasAxesDims, readAxesDims, resolveAxialPairs } from "./rope/grid.ts";
import { gridSideParameters, ropeTheta, rotaryHeadDim } from "./rope/parameters.ts";
import { TRANSFORMS_CONTENT } from "./support/effects.ts";
import { ROTATED_TERM, ROTATION_STEPS } from "./support/expansion.ts";
import { numHeads } from "./support/parameters.ts";
import { getNumber, optionalNumber, optionalNumbers } from "./support/schema.ts";

const formula: Formula = {
  id: "axial_rope",
  tex: "\\begin{aligned}q_i' \\cdot k_j' &= \\sum_{k} \\mathrm{Re}\\left[ q_k\\, \\bar{k}_k\\, e^{\\,\\mathrm{i}\\,(a_i - a_j)\\,\\omega_k} \\right] \\\\ a &= h\\ \\text{in row pairs}, \\quad w\\ \\text{in column pairs}\\end{aligned}",
  text: "q′(i) · k′(j) = Σ over pairs of Re[q_k · k_k* · e^(i(a_i − a_j)ω_k)], with a the row for half of the pairs and the column for the others",
};

function rules(params: Params): ParamProblem[] {
  const headDim = getNumber(params, "head_dim");
  const size = optionalNumbers(params, "image_size");
  const patch = optionalNumber(params, "patch_size") ?? 1;
  const problems: ParamProblem[] = [];
  const dims = readAxesDims(params);
  if (dims !== undefined) problems.push(...axesRules(params, dims, headDim));
  else if (headDim % 4 !== 0) {
    const rule = l10n.t("must be a multiple of 4: half of the pairs rotate by row, half by column");
    problems.push({ param: "head_dim", value: headDim, rule });
  }
  const axisDim = optionalNumber(params, "rope_dim");
  if (axisDim !== undefined && axisDim !== headDim / 2) {
    problems.push({ param: "rope_dim", value: axisDim, rule: l10n.t("must be head_dim / 2 = {0}", headDim / 2) });
  }
  if (size !== undefined && (size.length === 0 || size.length > 2)) {
    problems.push({ param: "image_size", value: size, rule: l10n.t("must be one number, or height and width") });
  } else if (size?.some((length) => length % patch !== 0)) {
    problems.push({ param: "image_size", value: size, rule: l10n.t("must be a multiple of patch_size = {0}", patch) });
  }
  return problems;
}

/** The axes share the head; each rotates whole pairs. */
function axesRules(params: Params, dims: readonly number[], headDim: number): ParamProblem[] {
  const problems: ParamProblem[] = [];
  if (dims.length === 0 || dims.length > 8 || dims.some((dim) => !Number.isInteger(dim) || dim < 0 || dim % 2 !== 0))
    problems.push({ param: "axes_dims", value: dims, rule: l10n.t("must be even numbers, one for each axis") });
  else if (dims.reduce((sum, dim) => sum + dim, 0) !== headDim)
    problems.push({ param: "axes_dims", value: dims, rule: l10n.t("must add up to head_dim = {0}", headDim) });
  const thetas = optionalNumbers(params, "axes_theta");
  if (thetas !== undefined && (thetas.length !== dims.length || thetas.some((theta) => theta <= 0)))
    problems.push({ param: "axes_theta", value: thetas, rule: l10n.t("must be positive, one for each axis") });
  return problems;
}

const variantParameter: Parameter = {
  name: "variant",
  kind: "choice",
  default: "qwen2_vl_vision",
  choices: [
    {
      value: "qwen2_vl_vision",
      name: { en: "Qwen2-VL vision", zh: "Qwen2-VL 视觉" },
      gloss: { en: "same frequencies for both axes, [h|w|h|w]", zh: "两轴同频率，[h|w|h|w]" },
    },
    {
      value: "pixtral",
      name: { en: "Pixtral", zh: "Pixtral" },
      gloss: { en: "even frequencies for rows, odd for columns", zh: "偶数频率给行，奇数频率给列" },
    },
    {
      value: "gemma4_vision",
      name: { en: "Gemma 4 vision", zh: "Gemma 4 视觉" },
      gloss: { en: "each half of the head on its own, [h|h|w|w]", zh: "头的两半各自旋转，[h|h|w|w]" },
    },
    {
      value: "llama4_vision",
      name: { en: "Llama 4 vision", zh: "Llama 4 视觉" },
      gloss: { en: "column first, coordinates from 1", zh: "先列后行，坐标从 1 开始" },
    },
    {
      value: "eva02",
      name: { en: "EVA-02", zh: "EVA-02" },
      gloss: { en: "interleaved pairs, rescaled positions", zh: "相邻交错，坐标按分辨率拉伸" },
    },
    {
      value: "dinov3",
      name: { en: "DINOv3", zh: "DINOv3" },
      gloss: { en: "patch centres in [−1, 1]", zh: "图像块中心，坐标在 [−1, 1]" },
    },
    {
      value: "axes",
      name: { en: "Diffusion transformer", zh: "扩散 Transformer" },
      gloss: { en: "own dimensions for each axis, interleaved pairs", zh: "各轴有自己的维数，相邻交错" },
    },
    {
      value: "axes_half",
      name: { en: "Diffusion transformer, half layout", zh: "扩散 Transformer，前后配对" },
      gloss: { en: "own dimensions for each axis, half layout", zh: "各轴有自己的维数，前后两半配对" },
    },
  ],
  help: {
    en: "How the model assigns frequencies to rows and columns, and how it defines coordinates.",
    zh: "频率如何分给行与列，以及坐标如何取值。",
  },
};

function optionalList(name: string, en: string, zh: string): Parameter {
  return { name, kind: "numbers", default: null, optional: true, min: 0, when: hasAxesDims, help: { en, zh } };
}

function optionalInteger(name: string, en: string, zh: string, when: (params: Params) => boolean): Parameter {
  return { name, kind: "integer", default: null, optional: true, min: 1, max: 1_000_000, when, help: { en, zh } };
}

const isEva02 = (params: Params) => params.variant === "eva02";

/** RoPE over the rows and columns of an image. */
export const axialRope: Encoding = {
  id: "axial_rope",
  name: { en: "Axial RoPE", zh: "轴向 RoPE" },
  gloss: { en: "rotation by image row and column", zh: "按图像的行与列旋转" },
  aliases: ["2D RoPE", "VisionRotaryEmbedding", "rope_2d", "rope_type axial", "二维旋转位置编码"],
  classification: { kind: "both", actsOn: "query_key", trained: "fixed", trainedParameters: () => 0 },
  effect: TRANSFORMS_CONTENT,
  expansion: { terms: { content_content: ROTATED_TERM }, steps: ROTATION_STEPS },
  parameters: [
    variantParameter,
    { ...rotaryHeadDim, default: 64, slider: { min: 4, max: 256, step: 4, scale: "linear" } },
    ropeTheta,
    optionalList(
      "axes_dims",
      "Head dimensions that each axis rotates: frame or text, row, column. Not set: half for rows, half for columns.",
      "各轴旋转的头维数：帧或文本、行、列；未设置时行列各占一半。",
    ),
    optionalList(
      "axes_theta",
      "Base of each axis, where they differ. Not set: rope_theta.",
      "各轴的基数（互不相同时）；未设置时即 rope_theta。",
    ),
    ...gridSideParameters((params) => params.image_size === null),
    {
      name: "image_size",
      kind: "numbers",
      normalise: (value) => (typeof value === "number" ? [value] : value),
      default: null,
      optional: true,
      min: 1,
      unit: { en: "pixels", zh: "像素" },
      help: {
        en: "Height and width of the image, or one number for a square; patch_size then determines the grid.",
        zh: "图像的高与宽；方形图像给一个数即可。此时由 patch_size 得出网格。",
      },
    },
    {
      name: "patch_size",
      kind: "integer",
      default: 16,
      min: 1,
      max: 4096,
      unit: { en: "pixels", zh: "像素" },
      when: (params) => params.image_size !== null,
      help: { en: "Side length of a patch.", zh: "图像块的边长。" },
    },
    optionalInteger(
      "rope_dim",
      "Head dimensions that each axis rotates; must be half of head_dim. Not set: half of head_dim.",
      "每个轴旋转的维数，必须是头维数的一半；未设置时即取一半。",
      isEva02,
    ),
    optionalInteger(
      "ft_seq_len",
      "Side length of the grid in use. Not set: that of the current grid.",
      "实际使用的网格边长；未设置时取当前网格。",
      isEva02,
    ),
    optionalInteger(
      "pt_seq_len",
      "Side length of the pre-training grid, to which positions are rescaled.",
      "预训练时的网格边长，坐标按它拉伸。",
      isEva02,
    ),
    {
      name: "num_prefix_tokens",
      kind: "integer",
      default: 0,
      min: 0,
      max: 1024,
      when: (params) => params.variant !== "llama4_vision",
      help: {
        en: "Class and register tokens before the patches; they are not rotated.",
        zh: "图像块之前的类别词元与寄存器词元，不参与旋转。",
      },
    },
    numHeads,
  ],
  rules,
  formulas: [formula],
  formula: () => formula,
  explanation: {
    summary: {
      en: "RoPE on images: half of the pairs rotate by the patch's row, half by its column, so scores depend only on the two differences.",
      zh: "图像上的 RoPE：一半维度对按图像块的行旋转，另一半按列旋转，分数只取决于行差与列差。",
    },
    extrapolation: {
      en: "Every row and column has an angle, so other resolutions work; beyond the training grid, low-frequency pairs reach unseen angles. EVA-02 rescales coordinates to the training grid and DINOv3 to [−1, 1]; both amount to position interpolation.",
      zh: "任意行列都有角度，因此可以换分辨率；超出训练网格时，低频维度对会转到未见过的角度。EVA-02 把坐标拉伸回训练网格，DINOv3 归一化到 [−1, 1]，都相当于位置内插。",
    },
    strengths: {
      en: "No table to interpolate, any aspect ratio, relative in both directions.",
      zh: "没有需要插值的表，适应任意长宽比，两个方向都是相对位置。",
    },
    weaknesses: {
      en: "Each axis gets only half of the pairs. The contributions of the two axes add up, so diagonals cannot be represented separately.",
      zh: "每个轴只用到一半维度对；两个轴的作用相加，无法单独表示对角方向。",
    },
    pitfalls: {
      en: "Implementations differ. Pixtral splits one list of frequencies between the axes; the others use the same list for both. Llama 4 counts coordinates from 1, puts the column first and its class token last. Gemma 4 rotates the two halves of the head separately and passes (x, y), so its first half is the column. On the flattened matrix, the relative pattern is blocks of diagonals, not a single diagonal.",
      zh: "各家做法互不相同：Pixtral 把一组频率分给两个轴，其余模型两轴共用同一组；Llama 4 坐标从 1 开始、先列后行，类别词元排在最后；Gemma 4 对头的两半分别旋转，且传入 (x, y)，前半对应列。展平成矩阵后，相对位置呈分块的对角条纹，而非单一对角线。",
    },
    models: [
      "Pixtral",
      "Qwen2-VL (vision)",
      "Qwen2.5-VL (vision)",
      "Llama 4 (vision)",
      "Gemma 4 (vision)",
      "EVA-02",
      "DINOv3",
      "SAM 2",
      "Flux",
      "HunyuanVideo",
      "Wan",
    ],
  },
  papers: [
    { title: "EVA-02: A Visual Representation for Neon Genesis", arxiv: "2303.11331", year: 2023 },
    { title: "Rotary Position Embedding for Vision Transformer", arxiv: "2403.13298", year: 2024 },
    { title: "Pixtral 12B", arxiv: "2410.07073", year: 2024 },
    { title: "DINOv3", arxiv: "2508.10104", year: 2025 },
  ],
  repositories: ["baaivision/EVA", "naver-ai/rope-vit", "facebookresearch/dinov3"],
  domain: axialDomain,
  patchGrid: axialPatchGrid,
  cellsAreIndependent: true,
  learnedArrays: [],
  terms: (params, scene) => [buildAxialTerm(params, scene)],
  positionTable: buildAxialTable,
  rotation: { by: () => "axes", scalable: false, keepsLength: true },
  frequencies: (params) => resolveAxialPairs(params).frequencies,
  derived: (params) => {
    const { frequencies, axes } = resolveAxialPairs(params);
    return { inv_freq: frequencies, axis: axes, attention_scaling: 1 };
  },
};
