import type { Params } from "../spec.ts";
import { buildContentTerm } from "../terms/contentTerm.ts";
import { exampleValue, learnedTermName, readLearnedMatrix } from "../terms/learned.ts";
import type { Scene } from "../terms/scene.ts";
import type { BiasTerm } from "../terms/term.ts";
import type { Encoding, Formula } from "./encoding.ts";
import { ADDS_BIAS } from "./support/effects.ts";
import {
  cacheRows,
  checkGridShape,
  type GridShape,
  gridShapeParameter,
  offsetTableRow,
  patchDomain,
  readGridShape,
} from "./support/grid.ts";
import { firstStageHeads, headDim } from "./support/parameters.ts";
import { getNumber, getString } from "./support/schema.ts";

function hasClassToken(params: Params): boolean {
  return getString(params, "variant") === "beit";
}

function countOffsets(grid: GridShape): number {
  return (2 * grid.height - 1) * (2 * grid.width - 1);
}

function countBiasRows(params: Params): number {
  return countOffsets(readGridShape(params, "window_size")) + (hasClassToken(params) ? 3 : 0);
}

/**
 * Row of the bias table for a pair of tokens. BEiT's class token comes first and has three rows at the end of the
 * table: class → patch, patch → class, class → class (transformers models/beit).
 */
export function biasRow(params: Params, query: number, key: number): number {
  const grid = readGridShape(params, "window_size");
  if (!hasClassToken(params)) return offsetTableRow(grid, query, key);
  const firstClassRow = countOffsets(grid);
  if (query === 0) return key === 0 ? firstClassRow + 2 : firstClassRow;
  return key === 0 ? firstClassRow + 1 : offsetTableRow(grid, query - 1, key - 1);
}

/** Resembles trained tables: nearby patches are preferred, with another direction in each head. */
function exampleOffsetBias(params: Params, row: number, head: number): number {
  const grid = readGridShape(params, "window_size");
  if (row >= countOffsets(grid)) return exampleValue(80, row, head, 0.5);
  const width = 2 * grid.width - 1;
  const dy = Math.floor(row / width) - (grid.height - 1) - exampleValue(81, 0, head, 1);
  const dx = (row % width) - (grid.width - 1) - exampleValue(82, 0, head, 1);
  return 3 * Math.exp(-(dx * dx + dy * dy) / (2 * grid.width)) + exampleValue(83, row, head, 0.2);
}

function buildBiasTerm(params: Params, scene: Scene): BiasTerm {
  const rows = countBiasRows(params);
  const heads = getNumber(params, "num_heads");
  const row = readLearnedMatrix(scene.inputs, ["relative_position_bias_table"], rows, heads, (r, h) =>
    exampleOffsetBias(params, r, h),
  );
  const bias = cacheRows(rows, (r) => row(r)[scene.head] ?? 0);
  const first = scene.keyLength - scene.queryLength + scene.shift;
  return {
    kind: "bias",
    id: "bias",
    role: "position_position",
    name: learnedTermName({ en: "offset bias", zh: "相对偏移的偏置" }, scene.inputs),
    scale: 1,
    value: (i, j) => bias(biasRow(params, i + first, j + scene.shift)),
  };
}

const formula: Formula = {
  id: "swin_bias",
  tex: "\\begin{aligned}\\mathrm{logit}_{ij} &= \\frac{q_i \\cdot k_j}{\\sqrt{d}} + B_h[\\Delta y,\\ \\Delta x] \\\\ \\Delta y &= y_i - y_j + H - 1, \\qquad \\Delta x = x_i - x_j + W - 1\\end{aligned}",
  text: "logit(i, j) = q_i · k_j / √d + B_h[Δy, Δx],  Δy = y_i − y_j + H − 1,  Δx = x_i − x_j + W − 1",
};

/** Swin and BEiT: a trained bias for each 2-D offset within a window. */
export const swinBias: Encoding = {
  id: "swin_bias",
  name: { en: "Swin / BEiT", zh: "Swin / BEiT" },
  gloss: { en: "relative position bias in 2-D", zh: "二维偏移的偏置" },
  aliases: ["relative_position_bias_table", "relative_position_index", "BEiT relative position bias"],
  classification: {
    kind: "relative",
    actsOn: "scores",
    trained: "trained",
    trainedParameters: (params) => countBiasRows(params) * getNumber(params, "num_heads"),
  },
  effect: ADDS_BIAS,
  parameters: [
    firstStageHeads,
    { ...headDim, default: 32 },
    gridShapeParameter("window_size", [7, 7], {
      en: "Patches per window, [height, width].",
      zh: "窗口内的图像块数 [高, 宽]。",
    }),
    {
      name: "variant",
      kind: "choice",
      default: "swin",
      choices: [
        { value: "swin", name: { en: "patches only (Swin)", zh: "只有图像块（Swin）" } },
        { value: "beit", name: { en: "with a class token (BEiT)", zh: "带类别词元（BEiT）" } },
      ],
      help: {
        en: "BEiT puts a class token first, with three extra rows in the table.",
        zh: "BEiT 在最前面放类别词元，表中为它另加三行。",
      },
    },
  ],
  rules: (params) => checkGridShape(params, "window_size"),
  formulas: [formula],
  formula: () => formula,
  explanation: {
    summary: {
      en: "T5's idea in 2-D: one trained number per head for each row and column offset within a window.",
      zh: "T5 的想法推广到二维：窗口内每个行列偏移、每个头各有一个训练得到的数。",
    },
    extrapolation: {
      en: "The table covers the offsets of one window size. Larger windows need an interpolated table, which Swin-V2 replaced with a network of the offset.",
      zh: "表只覆盖一种窗口大小的偏移。更大的窗口要对表做插值，Swin-V2 因此改用偏移的函数网络。",
    },
    strengths: {
      en: "Translation-invariant within the window: the same offset has the same bias. A few hundred numbers per head.",
      zh: "窗口内平移不变：同样的偏移有同样的偏置。每个头只需几百个数。",
    },
    weaknesses: {
      en: "Tied to its window size; blind to content.",
      zh: "与窗口大小绑定；与内容无关。",
    },
    pitfalls: {
      en: "Offsets are query minus key, rows first. In BEiT, the class token's three rows come last: class → patch, patch → class, class → class. For non-square windows, transformers 5.18 reshapes BEiT's table as (width, height), which scrambles it.",
      zh: "偏移是查询减键，先行后列。BEiT 中类别词元的三行排在表尾：类→块、块→类、类→类。对非正方形窗口，transformers 5.18 把 BEiT 的表按 (宽, 高) 变形，会打乱顺序。",
    },
    models: ["Swin Transformer", "BEiT", "Data2Vec-Vision", "MaskFormer (Swin backbone)", "DPT-BEiT"],
  },
  papers: [
    {
      title: "Swin Transformer: Hierarchical Vision Transformer using Shifted Windows",
      arxiv: "2103.14030",
      year: 2021,
    },
    { title: "BEiT: BERT Pre-Training of Image Transformers", arxiv: "2106.08254", year: 2021 },
  ],
  repositories: ["microsoft/Swin-Transformer", "microsoft/unilm"],
  domain: (params) => {
    const { height, width } = readGridShape(params, "window_size");
    return patchDomain(height * width + (hasClassToken(params) ? 1 : 0));
  },
  cellsAreIndependent: true,
  learnedArrays: ["relative_position_bias_table"],
  terms: (params, scene) => [buildContentTerm(scene, getNumber(params, "head_dim")), buildBiasTerm(params, scene)],
  patchGrid: (params) => ({ ...readGridShape(params, "window_size"), classTokens: hasClassToken(params) ? 1 : 0 }),
};
