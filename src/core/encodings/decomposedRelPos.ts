import type { Params } from "../spec.ts";
import { contentTerm } from "../terms/contentTerm.ts";
import { exampleValue, givenArray, learnedMatrix, learnedName } from "../terms/learned.ts";
import { factorOf } from "../terms/linear.ts";
import { readMatrix } from "../terms/read.ts";
import { relativeQuery } from "../terms/relative.ts";
import type { Factor, RelativeQueryTerm, Term } from "../terms/term.ts";
import type { Encoding, Formula, GoldenCase, Inputs, Scene } from "./encoding.ts";
import { attentionGolden, paramsOf } from "./support/golden.ts";
import { cellOf, gridDomain, gridOf, gridRule, pairParameter } from "./support/grid.ts";
import { accepted, headDim, numHeads } from "./support/parameters.ts";
import { numberOf } from "./support/schema.ts";
import { swinBias } from "./swinBias.ts";

/**
 * Rows of a table resized to another number by linear interpolation between row centres (torch interpolate,
 * align_corners false), as SAM does for images of another size.
 */
export function resizedRows(rows: readonly (readonly number[])[], count: number): number[][] {
  if (rows.length === count) return rows.map((row) => [...row]);
  const ratio = rows.length / count;
  return Array.from({ length: count }, (_, n) => {
    const source = Math.max((n + 0.5) * ratio - 0.5, 0);
    const low = Math.min(Math.floor(source), rows.length - 1);
    const part = source - low;
    const next = rows[Math.min(low + 1, rows.length - 1)] ?? [];
    return (rows[low] ?? []).map((value, c) => (1 - part) * value + part * (next[c] ?? 0));
  });
}

type Axis = "h" | "w";

/** Vectors of the offsets along one axis, [2·size − 1][head_dim]. */
function axisTable(params: Params, inputs: Inputs, axis: Axis): Factor {
  const dim = numberOf(params, "head_dim");
  const { height, width } = gridOf(params, "grid");
  const size = axis === "h" ? height : width;
  const name = `rel_pos_${axis}`;
  const given = givenArray(inputs, [name]);
  if (given !== undefined) {
    learnedMatrix(inputs, [name], null, dim, () => 0);
    const rows = resizedRows(readMatrix(given.value, name), 2 * size - 1);
    return factorOf(dim, (row) => rows[row] ?? []);
  }
  const salt = axis === "h" ? 100 : 101;
  const row = learnedMatrix(inputs, [name], null, dim, (r, c) => {
    const near = Math.exp(-Math.abs(r - size + 1) / (size / 4));
    return exampleValue(salt, 0, c, 0.3) * near + exampleValue(salt, r + 1, c, 0.05);
  });
  return factorOf(dim, row);
}

function axisTerm(params: Params, scene: Scene, axis: Axis): RelativeQueryTerm {
  const grid = gridOf(params, "grid");
  const first = scene.keyLength - scene.queryLength + scene.shift;
  const along = (token: number) => (axis === "h" ? cellOf(grid, token).row : cellOf(grid, token).column);
  const size = axis === "h" ? grid.height : grid.width;
  const name =
    axis === "h"
      ? { en: "query · row offset", zh: "查询 · 行偏移" }
      : { en: "query · column offset", zh: "查询 · 列偏移" };
  return relativeQuery({
    id: axis === "h" ? "rows" : "columns",
    role: "content_position",
    name: learnedName(name, scene.inputs),
    scale: 1,
    query: scene.content.rows("q", scene.head, numberOf(params, "head_dim")),
    table: axisTable(params, scene.inputs, axis),
    index: { of: "cell", at: (i, j) => along(i + first) - along(j + scene.shift) + size - 1 },
    constant: false,
  });
}

function terms(params: Params, scene: Scene): readonly Term[] {
  const content = contentTerm(scene, numberOf(params, "head_dim"));
  return [content, axisTerm(params, scene, "h"), axisTerm(params, scene, "w")];
}

/** The file holds BEiT's table too, which is `swin_bias` with a class token. */
function goldenCase(golden: GoldenCase): Readonly<Record<string, unknown>> {
  if (golden.params.variant === "beit") return swinBias.golden?.compute(golden) ?? {};
  const attention = attentionGolden(decomposedRelPos, paramsOf(decomposedRelPos, golden), golden);
  const rows = attention.terms("rows");
  const columns = attention.terms("columns");
  const bias = rows.map((m, h) => m.map((row, i) => row.map((value, j) => value + (columns[h]?.[i]?.[j] ?? 0))));
  return { ...attention, bias };
}

const formula: Formula = {
  id: "decomposed_rel_pos",
  tex: "\\mathrm{logit}_{ij} = \\frac{q_i \\cdot k_j}{\\sqrt{d}} + q_i \\cdot R^{h}_{y_i - y_j} + q_i \\cdot R^{w}_{x_i - x_j}",
  text: "logit(i, j) = q_i · k_j / √d + q_i · Rh[y_i − y_j] + q_i · Rw[x_i − x_j]",
};

/** ViTDet's and SAM's vectors of row and column offsets. */
export const decomposedRelPos: Encoding = {
  id: "decomposed_rel_pos",
  title: { en: "Decomposed relative positions (SAM, ViTDet)", zh: "行列分解的相对位置（SAM、ViTDet）" },
  aliases: ["rel_pos_h", "rel_pos_w", "use_rel_pos", "get_decomposed_rel_pos", "add_decomposed_rel_pos"],
  classification: {
    kind: "relative",
    acts: "scores",
    trained: "trained",
    trainedParameters: (params) => {
      const { height, width } = gridOf(params, "grid");
      return 2 * (height + width - 1) * numberOf(params, "head_dim");
    },
  },
  fate: {
    content_content: "kept",
    content_position: "changed",
    position_content: "dropped",
    position_position: "dropped",
  },
  parameters: [
    { ...numHeads, default: 4 },
    { ...headDim, default: 32 },
    pairParameter(
      "grid",
      [14, 14],
      { en: "Patches in the image or window, [height, width].", zh: "图像或窗口的块数 [高, 宽]。" },
      ["grid_size"],
    ),
    accepted("rel_pos_rows"),
    accepted("variant"),
  ],
  rules: (params) => gridRule(params, "grid"),
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
    const { height, width } = gridOf(params, "grid");
    return gridDomain(height * width);
  },
  local: true,
  learned: ["rel_pos_h", "rel_pos_w"],
  terms,
  grid: (params) => ({ ...gridOf(params, "grid"), classTokens: 0 }),
  golden: { files: ["vision_relative"], compute: goldenCase },
};
