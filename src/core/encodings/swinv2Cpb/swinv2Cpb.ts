import * as l10n from "@vscode/l10n";
import type { Params } from "../../spec.ts";
import { factorFromRows } from "../../terms/content.ts";
import { indexRange } from "../../terms/engine.ts";
import {
  exampleValue,
  findInputMatrix,
  findInputVector,
  learnedTermName,
  readLearnedMatrix,
  readLearnedVector,
} from "../../terms/learned.ts";
import { evaluateRow, linear, linearFactor, makeFactor } from "../../terms/linear.ts";
import { readMatrix } from "../../terms/read.ts";
import type { Scene } from "../../terms/scene.ts";
import type { BiasTerm, Factor, ProductTerm } from "../../terms/term.ts";
import type { ParamProblem } from "../../util/errors.ts";
import type { Encoding } from "../encoding.ts";
import {
  cacheRows,
  checkGridShape,
  type GridShape,
  offsetTableRow,
  patchDomain,
  readGridShape,
} from "../support/grid.ts";
import { getNumber } from "../support/schema.ts";
import { swinv2Explanation, swinv2Formula, swinv2Parameters } from "./text.ts";

/** Log-spaced coordinate of an offset: sign(x) · log2(|8x| + 1) / log2(8), x = offset / (window − 1). */
function logCoordinate(offset: number, window: number, pretrained: number): number {
  const x = (8 * offset) / ((pretrained > 0 ? pretrained : window) - 1);
  return (Math.sign(x) * Math.log2(Math.abs(x) + 1)) / 3;
}

/** Coordinates of every offset, rows first, [2h − 1][2w − 1][2] (transformers models/swinv2). */
export function coordinateTable(params: Params): number[][][] {
  const grid = readGridShape(params, "window_size");
  const trained = readGridShape(params, "pretrained_window_size");
  const axis = (size: number, pretrained: number) =>
    indexRange(-(size - 1), size).map((offset) => (size === 1 ? 0 : logCoordinate(offset, size, pretrained)));
  const columns = axis(grid.width, trained.width);
  return axis(grid.height, trained.height).map((y) => columns.map((x) => [y, x]));
}

/** 16 · sigmoid(MLP(coordinates)) of one head by row of the (2h − 1)(2w − 1) offsets; those that are asked for. */
function createOffsetBias(params: Params, scene: Scene): (row: number) => number {
  const hidden = getNumber(params, "cpb_hidden");
  const heads = getNumber(params, "num_heads");
  const { inputs, head } = scene;
  const w1 = readLearnedMatrix(inputs, ["cpb_w1"], hidden, 2, (n, c) => exampleValue(90, n, c));
  const b1 = readLearnedVector(inputs, ["cpb_b1"], hidden, (n) => exampleValue(91, n, 0, 0.5));
  const w2 = readLearnedMatrix(inputs, ["cpb_w2"], heads, hidden, (h, n) =>
    exampleValue(92, h, n, 2 / Math.sqrt(hidden)),
  );
  const first = indexRange(0, hidden).map((n) => w1(n));
  const output = [w2(head)];
  const coordinates = coordinateTable(params).flat();
  return cacheRows(coordinates.length, (row) => {
    const activated = linear(first, b1, coordinates[row] ?? []).map((value) => Math.max(value, 0));
    return 16 / (1 + Math.exp(-(linear(output, undefined, activated)[0] ?? 0)));
  });
}

/** x / max(|x|, 1e-12), as in torch's normalize. */
function normalisedFactor(factor: Factor): Factor {
  return makeFactor(factor.dim, (index) => {
    const row = evaluateRow(factor, index);
    const norm = Math.max(Math.hypot(...row), 1e-12);
    return row.map((value) => value / norm);
  });
}

/** q, k or v of one head, from `hidden_states` and the layer's projections if given. The key has no bias. */
export function projectHeadVectors(params: Params, scene: Scene, part: "query" | "key" | "value"): Factor {
  const dim = getNumber(params, "head_dim");
  const { inputs, head } = scene;
  const weight = findInputMatrix(inputs, part);
  if (weight === undefined || inputs.hidden_states === undefined) {
    return scene.content.rows(part === "query" ? "q" : part === "key" ? "k" : "v", head, dim);
  }
  const hidden = factorFromRows(readMatrix(inputs.hidden_states, "hidden_states"));
  return linearFactor(hidden, weight, findInputVector(inputs, `${part}_bias`), head * dim, dim);
}

/** Temperature of a head: exp(min(logit_scale, ln 100)). */
export function headTemperature(params: Params, scene: Scene): number {
  const scales = readLearnedVector(scene.inputs, ["logit_scale"], getNumber(params, "num_heads"), () => Math.log(10));
  return Math.exp(Math.min(scales[scene.head] ?? 0, Math.log(100)));
}

function buildCosineTerm(params: Params, scene: Scene): ProductTerm {
  const constant = scene.content.constant && scene.inputs.hidden_states === undefined;
  return {
    kind: "product",
    id: "content",
    role: "content_content",
    name: learnedTermName({ en: "cosine similarity of contents", zh: "内容的余弦" }, scene.inputs),
    scale: headTemperature(params, scene),
    query: normalisedFactor(projectHeadVectors(params, scene, "query")),
    key: normalisedFactor(projectHeadVectors(params, scene, "key")),
    ...(constant ? { profile: () => 1 } : {}),
  };
}

function buildBiasTerm(params: Params, scene: Scene): BiasTerm {
  const bias = createOffsetBias(params, scene);
  const grid = readGridShape(params, "window_size");
  const first = scene.keyLength - scene.queryLength + scene.shift;
  return {
    kind: "bias",
    id: "bias",
    role: "position_position",
    name: learnedTermName({ en: "network of the offset", zh: "偏移的函数网络" }, scene.inputs),
    scale: 1,
    value: (i, j) => bias(offsetTableRow(grid, i + first, j + scene.shift)),
  };
}

/** A pre-training window of one patch would divide by zero. */
function checkPretrainedWindow(params: Params): readonly ParamProblem[] {
  const { height, width } = readGridShape(params, "pretrained_window_size");
  if (height !== 1 && width !== 1) return [];
  return [{ param: "pretrained_window_size", value: [height, width], rule: l10n.t("must be 0 or at least {0}", 2) }];
}

export function countPatches(grid: GridShape): number {
  return grid.height * grid.width;
}

/** Swin-V2: a network of the log-spaced offset, and cosine attention. */
export const swinv2Cpb: Encoding = {
  id: "swinv2_cpb",
  name: { en: "Swin-V2", zh: "Swin-V2" },
  gloss: { en: "continuous position bias", zh: "连续位置偏置" },
  aliases: ["continuous_position_bias_mlp", "cpb_mlp", "log-spaced coordinates", "logit_scale"],
  classification: {
    kind: "relative",
    actsOn: "scores",
    trained: "trained",
    trainedParameters: (params) => {
      const heads = getNumber(params, "num_heads");
      return getNumber(params, "cpb_hidden") * (3 + heads) + heads;
    },
  },
  effect: {
    content_content: "changed",
    content_position: "dropped",
    position_content: "dropped",
    position_position: "changed",
  },
  expansion: {
    terms: {
      content_content: {
        id: "swinv2_term_xx",
        tex: "\\mathbf{cos}(q_i,\\,k_j)\\,/\\,\\tau",
        text: "cos(q_i, k_j) / τ",
      },
    },
    steps: {
      en: "The first term became a cosine with a temperature. Both middle terms are dropped, and the last became a bias that a small network computes from the offset.",
      zh: "第一项换成带温度的余弦；去掉中间两项；最后一项换成由小网络按偏移算出的偏置。",
    },
  },
  parameters: swinv2Parameters,
  rules: (params) => [
    ...checkGridShape(params, "window_size"),
    ...checkGridShape(params, "pretrained_window_size", 0),
    ...checkPretrainedWindow(params),
  ],
  formulas: [swinv2Formula],
  formula: () => swinv2Formula,
  explanation: swinv2Explanation,
  papers: [{ title: "Swin Transformer V2: Scaling Up Capacity and Resolution", arxiv: "2111.09883", year: 2021 }],
  repositories: ["microsoft/Swin-Transformer"],
  domain: (params) => patchDomain(countPatches(readGridShape(params, "window_size"))),
  cellsAreIndependent: true,
  learnedArrays: ["cpb_w1", "cpb_b1", "cpb_w2", "logit_scale"],
  terms: (params, scene) => [buildCosineTerm(params, scene), buildBiasTerm(params, scene)],
  patchGrid: (params) => ({ ...readGridShape(params, "window_size"), classTokens: 0 }),
};
