import type { Params } from "../spec.ts";
import { buildContentTerm } from "../terms/contentTerm.ts";
import { exampleValue, findInputArray, learnedTermName, readLearnedMatrix } from "../terms/learned.ts";
import { makeFactor } from "../terms/linear.ts";
import { readMatrix } from "../terms/read.ts";
import { buildRelativeQueryTerm } from "../terms/relative.ts";
import type { Inputs, Scene } from "../terms/scene.ts";
import type { Factor, RelativeQueryTerm, Term } from "../terms/term.ts";
import type { Encoding, Formula } from "./encoding.ts";
import { QUERY_BY_DISTANCE } from "./support/effects.ts";
import { checkGridShape, gridShapeParameter, patchDomain, readGridShape, rowAndColumn } from "./support/grid.ts";
import { headDim, numHeads, unusedParameter } from "./support/parameters.ts";
import { getNumber } from "./support/schema.ts";

/**
 * Resizes a table to another number of rows by linear interpolation between row centres (torch interpolate,
 * align_corners false), as SAM does for other image sizes.
 */
export function resizeRows(rows: readonly (readonly number[])[], count: number): number[][] {
  if (rows.length === count) return rows.map((row) => [...row]);
  const ratio = rows.length / count;
  return Array.from({ length: count }, (_, n) => {
    const source = Math.max((n + 0.5) * ratio - 0.5, 0);
    const low = Math.min(Math.floor(source), rows.length - 1);
    const fraction = source - low;
    const next = rows[Math.min(low + 1, rows.length - 1)] ?? [];
    return (rows[low] ?? []).map((value, c) => (1 - fraction) * value + fraction * (next[c] ?? 0));
  });
}

type GridAxis = "h" | "w";

/** Vectors of the offsets along one axis, [2·size − 1][head_dim]. */
function readAxisTable(params: Params, inputs: Inputs, axis: GridAxis): Factor {
  const dim = getNumber(params, "head_dim");
  const { height, width } = readGridShape(params, "grid");
  const size = axis === "h" ? height : width;
  const name = `rel_pos_${axis}`;
  const given = findInputArray(inputs, [name]);
  if (given !== undefined) {
    readLearnedMatrix(inputs, [name], null, dim, () => 0);
    const rows = resizeRows(readMatrix(given.value, name), 2 * size - 1);
    return makeFactor(dim, (row) => rows[row] ?? []);
  }
  const salt = axis === "h" ? 100 : 101;
  const row = readLearnedMatrix(inputs, [name], null, dim, (r, c) => {
    const near = Math.exp(-Math.abs(r - size + 1) / (size / 4));
    return exampleValue(salt, 0, c, 0.3) * near + exampleValue(salt, r + 1, c, 0.05);
  });
  return makeFactor(dim, row);
}

function buildAxisTerm(params: Params, scene: Scene, axis: GridAxis): RelativeQueryTerm {
  const grid = readGridShape(params, "grid");
  const first = scene.keyLength - scene.queryLength + scene.shift;
  const coordinate = (token: number) =>
    axis === "h" ? rowAndColumn(grid, token).row : rowAndColumn(grid, token).column;
  const size = axis === "h" ? grid.height : grid.width;
  const name =
    axis === "h"
      ? { en: "query · row offset", zh: "查询 · 行偏移" }
      : { en: "query · column offset", zh: "查询 · 列偏移" };
  return buildRelativeQueryTerm({
    id: axis === "h" ? "rows" : "columns",
    role: "content_position",
    name: learnedTermName(name, scene.inputs),
    scale: 1,
    query: scene.content.rows("q", scene.head, getNumber(params, "head_dim")),
    table: readAxisTable(params, scene.inputs, axis),
    index: { of: "cell", at: (i, j) => coordinate(i + first) - coordinate(j + scene.shift) + size - 1 },
    constant: false,
  });
}

function terms(params: Params, scene: Scene): readonly Term[] {
  const content = buildContentTerm(scene, getNumber(params, "head_dim"));
  return [content, buildAxisTerm(params, scene, "h"), buildAxisTerm(params, scene, "w")];
}

const formula: Formula = {
  id: "decomposed_rel_pos",
  tex: "\\mathrm{logit}_{ij} = \\frac{q_i \\cdot k_j}{\\sqrt{d}} + q_i \\cdot R^{h}_{y_i - y_j} + q_i \\cdot R^{w}_{x_i - x_j}",
  text: "logit(i, j) = q_i · k_j / √d + q_i · Rh[y_i − y_j] + q_i · Rw[x_i − x_j]",
};

/** ViTDet and SAM: learned vectors of row and column offsets. */
export const decomposedRelPos: Encoding = {
  id: "decomposed_rel_pos",
  name: { en: "SAM / ViTDet", zh: "SAM / ViTDet" },
  gloss: { en: "decomposed relative positions", zh: "行列分解的相对位置" },
  aliases: ["rel_pos_h", "rel_pos_w", "use_rel_pos", "get_decomposed_rel_pos", "add_decomposed_rel_pos"],
  classification: {
    kind: "relative",
    actsOn: "scores",
    trained: "trained",
    trainedParameters: (params) => {
      const { height, width } = readGridShape(params, "grid");
      return 2 * (height + width - 1) * getNumber(params, "head_dim");
    },
  },
  effect: QUERY_BY_DISTANCE,
  parameters: [
    { ...numHeads, default: 4 },
    { ...headDim, default: 32 },
    gridShapeParameter(
      "grid",
      [14, 14],
      { en: "Patches in the image or window, [height, width].", zh: "图像或窗口的块数 [高, 宽]。" },
      ["grid_size"],
    ),
    unusedParameter("rel_pos_rows"),
    unusedParameter("variant"),
  ],
  rules: (params) => checkGridShape(params, "grid"),
  formulas: [formula],
  formula: () => formula,
  explanation: {
    summary: {
      en: "Shaw's query · distance in two dimensions, split into one vector for the row offset and one for the column offset.",
      zh: "把 Shaw 的“查询 · 距离”推广到二维，并拆成行偏移与列偏移两个向量。",
    },
    extrapolation: {
      en: "Another image size needs a table of another length: the table is resized by linear interpolation, and offsets no longer correspond to whole patches.",
      zh: "图像尺寸改变时，表要按线性插值拉伸，偏移不再对应整数个图像块。",
    },
    strengths: {
      en: "H + W offsets instead of H · W, and the query determines what an offset means.",
      zh: "只需 H + W 个偏移而不是 H · W 个，并由查询决定偏移的含义。",
    },
    weaknesses: {
      en: "Two extra products per cell; diagonal structure can only be a sum of row and column terms.",
      zh: "每格多两次内积；对角方向的结构只能由行、列相加得到。",
    },
    pitfalls: {
      en: "The query in these terms is NOT divided by √d. Offsets are query minus key. Windowed layers have short tables, global layers long ones.",
      zh: "这两项里的查询不除以 √d。偏移是查询减键。窗口层的表短，全局层的表长。",
    },
    models: ["SAM", "ViTDet", "MViTv2", "SAM-HQ", "GOT-OCR2 (vision)"],
  },
  papers: [
    {
      title: "MViTv2: Improved Multiscale Vision Transformers for Classification and Detection",
      arxiv: "2112.01526",
      year: 2021,
    },
    { title: "Exploring Plain Vision Transformer Backbones for Object Detection", arxiv: "2203.16527", year: 2022 },
    { title: "Segment Anything", arxiv: "2304.02643", year: 2023 },
  ],
  repositories: ["facebookresearch/segment-anything", "facebookresearch/detectron2"],
  domain: (params) => {
    const { height, width } = readGridShape(params, "grid");
    return patchDomain(height * width);
  },
  cellsAreIndependent: true,
  learnedArrays: ["rel_pos_h", "rel_pos_w"],
  terms,
  patchGrid: (params) => ({ ...readGridShape(params, "grid"), classTokens: 0 }),
};
