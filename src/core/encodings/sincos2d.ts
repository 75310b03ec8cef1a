import * as l10n from "@vscode/l10n";
import type { Params } from "../spec.ts";
import { type AbsoluteInput, absoluteValueParts, buildAbsoluteTerms } from "../terms/absolute.ts";
import { indexRange } from "../terms/engine.ts";
import { makeFactor, shiftedFactor } from "../terms/linear.ts";
import type { Factor } from "../terms/term.ts";
import type { ParamProblem } from "../util/errors.ts";
import type { Encoding, Formula } from "./encoding.ts";
import { ADDED_TO_INPUT } from "./support/effects.ts";
import { type GridShape, patchDomain } from "./support/grid.ts";
import { checkHeadsDivide, hiddenSizeParameters, PATCHES_UNIT, resolveHiddenSize } from "./support/parameters.ts";
import { getNumber, getString, optionalNumber } from "./support/schema.ts";

/** The given height and width, defaulting to MAE's square `grid_size`. */
function resolveGridShape(params: Params): GridShape {
  const side = getNumber(params, "grid_size");
  return { height: optionalNumber(params, "height") ?? side, width: optionalNumber(params, "width") ?? side };
}

function countClassTokens(params: Params): number {
  return params.cls_token === true ? 1 : 0;
}

function sincos2dFrequencies(params: Params): number[] {
  const quarter = resolveHiddenSize(params) / 4;
  return indexRange(0, quarter).map((k) => 1 / getNumber(params, "base") ** (k / quarter));
}

/** Row and column of a patch. OmDet and old DETR ports number patches down the columns. */
function patchRowAndColumn(params: Params, patch: number): { readonly row: number; readonly column: number } {
  const { height, width } = resolveGridShape(params);
  if (getString(params, "variant") === "omdet_w_major")
    return { row: patch % height, column: Math.floor(patch / height) };
  return { row: Math.floor(patch / width), column: patch % width };
}

/**
 * Embedding by token, [hidden_size]: four quarters of sines and cosines of the two coordinates. MAE and OmDet put the
 * column (w) first, AIMv2 and RT-DETR the row (h). The class token's row is zero.
 */
export function sincos2dFactor(params: Params): Factor {
  const omega = sincos2dFrequencies(params);
  const first = countClassTokens(params);
  const rowFirst = getString(params, "variant") === "h_first";
  return makeFactor(resolveHiddenSize(params), (token) => {
    if (token < first) return [];
    const { row, column } = patchRowAndColumn(params, token - first);
    const axes = rowFirst ? [row, column] : [column, row];
    return axes.flatMap((p) => [...omega.map((w) => Math.sin(p * w)), ...omega.map((w) => Math.cos(p * w))]);
  });
}

export function buildInput(params: Params): AbsoluteInput {
  return {
    hiddenSize: resolveHiddenSize(params),
    numHeads: getNumber(params, "num_heads"),
    position: sincos2dFactor(params),
  };
}

export function tokenCount(params: Params): number {
  const { height, width } = resolveGridShape(params);
  return height * width + countClassTokens(params);
}

function rules(params: Params): readonly ParamProblem[] {
  const dim = resolveHiddenSize(params);
  const quarters = dim % 4 === 0 ? [] : [{ param: "hidden_size", value: dim, rule: l10n.t("must be divisible by 4") }];
  return [...quarters, ...checkHeadsDivide(params)];
}

function columnName(params: Params, index: number): string {
  const quarter = resolveHiddenSize(params) / 4;
  const quarterIndex = Math.floor(index / quarter);
  const rowFirst = getString(params, "variant") === "h_first";
  const axis = quarterIndex < 2 === rowFirst ? "y" : "x";
  return `${quarterIndex % 2 === 0 ? "sin" : "cos"} ${axis}·ω${index % quarter}`;
}

const formula: Formula = {
  id: "sincos_2d",
  tex: "\\begin{aligned}PE_{(y,x)} &= \\big[\\sin x\\omega,\\ \\cos x\\omega,\\ \\sin y\\omega,\\ \\cos y\\omega\\big] \\\\ \\omega_k &= 10000^{-k/(d/4)}\\end{aligned}",
  text: "PE(y, x) = [sin(x·ω), cos(x·ω), sin(y·ω), cos(y·ω)],  ω_k = 10000^(−k / (d/4))",
};

const rowFirstFormula: Formula = {
  id: "sincos_2d_h_first",
  tex: "\\begin{aligned}PE_{(y,x)} &= \\big[\\sin y\\omega,\\ \\cos y\\omega,\\ \\sin x\\omega,\\ \\cos x\\omega\\big] \\\\ \\omega_k &= 10000^{-k/(d/4)}\\end{aligned}",
  text: "PE(y, x) = [sin(y·ω), cos(y·ω), sin(x·ω), cos(x·ω)],  ω_k = 10000^(−k / (d/4))",
};

const optionalSide = { kind: "integer", default: null, optional: true, min: 1, max: 512 } as const;

/** Fixed sinusoids of the two coordinates of a patch. */
export const sincos2d: Encoding = {
  id: "sincos_2d",
  name: { en: "2-D sinusoidal", zh: "二维正弦编码" },
  gloss: { en: "fixed encoding of rows and columns", zh: "行与列的固定编码" },
  aliases: ["get_2d_sincos_pos_embed", "build_2d_sinusoidal_position_embedding", "ViT-MAE"],
  classification: { kind: "absolute", actsOn: "input", trained: "fixed", trainedParameters: () => 0 },
  effect: ADDED_TO_INPUT,
  parameters: [
    ...hiddenSizeParameters(1, 64, 2048, 4),
    {
      name: "grid_size",
      unit: PATCHES_UNIT,
      kind: "integer",
      default: 14,
      min: 1,
      max: 512,
      slider: { min: 2, max: 64, scale: "linear" },
      help: { en: "Patches per side of a square image.", zh: "正方形图像每边的块数。" },
      when: (params) => params.height === null || params.width === null,
    },
    {
      ...optionalSide,
      name: "height",
      unit: PATCHES_UNIT,
      help: { en: "Rows of patches, if not square.", zh: "块的行数（非正方形时）。" },
    },
    {
      ...optionalSide,
      name: "width",
      unit: PATCHES_UNIT,
      help: { en: "Columns of patches, if not square.", zh: "块的列数（非正方形时）。" },
    },
    {
      name: "cls_token",
      kind: "boolean",
      default: false,
      help: { en: "A class token comes first, with a row of zeros.", zh: "最前面有类别词元，其位置向量为零。" },
    },
    {
      name: "base",
      aliases: ["temperature"],
      kind: "number",
      default: 10_000,
      above: 0,
      max: 1e12,
      slider: { min: 10, max: 1e6, scale: "log" },
      help: { en: "Base of the wavelengths.", zh: "波长的底数。" },
    },
    {
      name: "variant",
      kind: "choice",
      default: "mae",
      choices: [
        { value: "mae", name: { en: "column first (MAE)", zh: "先列后行（MAE）" } },
        { value: "h_first", name: { en: "row first (AIMv2, RT-DETR)", zh: "先行后列（AIMv2、RT-DETR）" } },
        {
          value: "omdet_w_major",
          name: { en: "column first, patches along columns (OmDet)", zh: "先列后行，且按列编号（OmDet）" },
        },
      ],
      help: {
        en: "Which coordinate fills the first half, and how patches are numbered.",
        zh: "前一半维度放哪个坐标，以及图像块如何编号。",
      },
    },
  ],
  rules,
  formulas: [formula, rowFirstFormula],
  formula: (params) => (getString(params, "variant") === "h_first" ? rowFirstFormula : formula),
  explanation: {
    summary: {
      en: "Applies the sinusoidal encoding twice: half of the vector encodes the patch's column, half its row.",
      zh: "把正弦编码用两次：向量的一半表示图像块的列，另一半表示行。",
    },
    extrapolation: {
      en: "The formula holds for a larger grid, and in practice it is recomputed rather than extrapolated; patches outside the grid do not exist.",
      zh: "规则对更大的网格同样成立，实际使用时直接重新计算而不是外推；网格之外没有图像块。",
    },
    strengths: {
      en: "No parameters; the product of two patches falls with distance in either direction.",
      zh: "无需训练；两个图像块的内积随任一方向的距离而下降。",
    },
    weaknesses: {
      en: "Absolute; in the flattened order, consecutive patches across a row break are far apart.",
      zh: "属于绝对编码；按一维顺序看，换行处相邻的块显得很远。",
    },
    pitfalls: {
      en: "MAE's code names the halves the wrong way round: the first half is the column (w). AIMv2 and RT-DETR put the row first. Some DETR ports number the patches along columns. The three give different tables for the same image.",
      zh: "MAE 的代码把两半的名字写反了：前一半其实是列 (w)。AIMv2 与 RT-DETR 先放行。部分 DETR 移植版按列给块编号。同一张图，三种写法得到三张不同的表。",
    },
    models: ["ViT-MAE", "AIMv2", "RT-DETR", "D-FINE", "OmDet-Turbo", "MoCo v3"],
  },
  papers: [
    { title: "Masked Autoencoders Are Scalable Vision Learners", arxiv: "2111.06377", year: 2021 },
    { title: "An Empirical Study of Training Self-Supervised Vision Transformers", arxiv: "2104.02057", year: 2021 },
  ],
  repositories: ["facebookresearch/mae", "facebookresearch/moco-v3"],
  domain: (params) => patchDomain(tokenCount(params)),
  cellsAreIndependent: true,
  learnedArrays: [],
  terms: (params, scene) => buildAbsoluteTerms(scene, buildInput(params)),
  valueParts: (params, scene) => absoluteValueParts(scene, buildInput(params)),
  positionTable: (params, scene) => ({
    rows: shiftedFactor(sincos2dFactor(params), scene.shift),
    column: (index) => columnName(params, index),
  }),
  patchGrid: (params) => ({
    ...resolveGridShape(params),
    classTokens: countClassTokens(params),
    columnMajor: getString(params, "variant") === "omdet_w_major",
  }),
  frequencies: sincos2dFrequencies,
  derived: (params) => ({ frequencies: sincos2dFrequencies(params) }),
};
