import { t } from "@vscode/l10n";
import type { Params } from "../../spec.ts";
import { listFactor } from "../../terms/content.ts";
import { indexRange } from "../../terms/engine.ts";
import {
  exampleValue,
  learnedMatrix,
  learnedName,
  learnedVector,
  optionalMatrix,
  optionalVector,
} from "../../terms/learned.ts";
import { factorOf, linear, linearFactor, rowOf } from "../../terms/linear.ts";
import { readMatrix } from "../../terms/read.ts";
import type { BiasTerm, Factor, ProductTerm } from "../../terms/term.ts";
import type { ParamProblem } from "../../util/errors.ts";
import type { Encoding, GoldenCase, Scene } from "../encoding.ts";
import { attentionGolden, paramsOf, sceneOf } from "../support/golden.ts";
import { type Grid, gridDomain, gridOf, gridRule, offsetIndex } from "../support/grid.ts";
import { numberOf } from "../support/schema.ts";
import { swinv2Explanation, swinv2Formula, swinv2Parameters } from "./text.ts";

/** Log-spaced coordinate of an offset: sign(x) · log2(|8x| + 1) / log2(8), x = offset / (window − 1). */
function coordinate(offset: number, window: number, pretrained: number): number {
  const x = (8 * offset) / ((pretrained > 0 ? pretrained : window) - 1);
  return (Math.sign(x) * Math.log2(Math.abs(x) + 1)) / 3;
}

/** [2h − 1][2w − 1][2]: the coordinates of every offset, rows first (transformers models/swinv2). */
export function coordinateTable(params: Params): number[][][] {
  const grid = gridOf(params, "window_size");
  const trained = gridOf(params, "pretrained_window_size");
  const axis = (size: number, pretrained: number) =>
    indexRange(-(size - 1), size).map((offset) => (size === 1 ? 0 : coordinate(offset, size, pretrained)));
  return axis(grid.height, trained.height).map((y) => axis(grid.width, trained.width).map((x) => [y, x]));
}

/** 16 · sigmoid(MLP(coordinates)) of one head for each offset, [(2h − 1)(2w − 1)]. */
function offsetBias(params: Params, scene: Scene): number[] {
  const hidden = numberOf(params, "cpb_hidden");
  const heads = numberOf(params, "num_heads");
  const { inputs, head } = scene;
  const w1 = learnedMatrix(inputs, ["cpb_w1"], hidden, 2, (n, c) => exampleValue(90, n, c));
  const b1 = learnedVector(inputs, ["cpb_b1"], hidden, (n) => exampleValue(91, n, 0, 0.5));
  const w2 = learnedMatrix(inputs, ["cpb_w2"], heads, hidden, (h, n) => exampleValue(92, h, n, 2 / Math.sqrt(hidden)));
  const first = indexRange(0, hidden).map((n) => w1(n));
  return coordinateTable(params)
    .flat()
    .map((coordinates) => {
      const activated = linear(first, b1, coordinates).map((value) => Math.max(value, 0));
      return 16 / (1 + Math.exp(-(linear([w2(head)], undefined, activated)[0] ?? 0)));
    });
}

/** x / max(|x|, 1e-12), as torch's normalize. */
function normalised(factor: Factor): Factor {
  return factorOf(factor.dim, (index) => {
    const row = rowOf(factor, index);
    const norm = Math.max(Math.hypot(...row), 1e-12);
    return row.map((value) => value / norm);
  });
}

/** q, k or v of one head, from `hidden_states` and the layer's projections where given. The key has no bias. */
function headVectors(params: Params, scene: Scene, part: "query" | "key" | "value"): Factor {
  const dim = numberOf(params, "head_dim");
  const { inputs, head } = scene;
  const weight = optionalMatrix(inputs, part);
  if (weight === undefined || inputs.hidden_states === undefined) {
    return scene.content.rows(part === "query" ? "q" : part === "key" ? "k" : "v", head, dim);
  }
  const hidden = listFactor(readMatrix(inputs.hidden_states, "hidden_states"));
  return linearFactor(hidden, weight, optionalVector(inputs, `${part}_bias`), head * dim, dim);
}

/** exp(min(logit_scale, ln 100)): the temperature of a head. */
function temperature(params: Params, scene: Scene): number {
  const scales = learnedVector(scene.inputs, ["logit_scale"], numberOf(params, "num_heads"), () => Math.log(10));
  return Math.exp(Math.min(scales[scene.head] ?? 0, Math.log(100)));
}

function cosineTerm(params: Params, scene: Scene): ProductTerm {
  const constant = scene.content.constant && scene.inputs.hidden_states === undefined;
  return {
    kind: "product",
    id: "content",
    role: "content_content",
    name: learnedName({ en: "cosine similarity of contents", zh: "内容的余弦" }, scene.inputs),
    scale: temperature(params, scene),
    query: normalised(headVectors(params, scene, "query")),
    key: normalised(headVectors(params, scene, "key")),
    ...(constant ? { profile: () => 1 } : {}),
  };
}

function biasTerm(params: Params, scene: Scene): BiasTerm {
  const values = offsetBias(params, scene);
  const grid = gridOf(params, "window_size");
  const first = scene.keyLength - scene.queryLength + scene.shift;
  return {
    kind: "bias",
    id: "bias",
    role: "position_position",
    name: learnedName({ en: "network of the offset", zh: "偏移的函数网络" }, scene.inputs),
    scale: 1,
    value: (i, j) => values[offsetIndex(grid, i + first, j + scene.shift)] ?? 0,
  };
}

/** A pre-trained window of one patch has no offset to divide by. */
function trainedRule(params: Params): readonly ParamProblem[] {
  const { height, width } = gridOf(params, "pretrained_window_size");
  if (height !== 1 && width !== 1) return [];
  return [{ param: "pretrained_window_size", value: [height, width], rule: t("must be 0 or at least {0}", 2) }];
}

function tokensOf(grid: Grid): number {
  return grid.height * grid.width;
}

function goldenCase(golden: GoldenCase): Record<string, unknown> {
  const params = paramsOf(swinv2Cpb, golden);
  const attention = attentionGolden(swinv2Cpb, params, golden, (scene) => headVectors(params, scene, "value"));
  const grid = gridOf(params, "window_size");
  const tokens = indexRange(0, tokensOf(grid));
  const scaled = attention.terms("content");
  const output = attention.output ?? [];
  return {
    ...attention,
    output: tokens.map((i) => output.flatMap((head) => head[i] ?? [])),
    bias: attention.terms("bias"),
    cosine: scaled.map((matrix, head) => {
      const scale = temperature(params, sceneOf(golden, head));
      return matrix.map((row) => row.map((value) => value / scale));
    }),
    relative_coords_table: coordinateTable(params),
    relative_position_index: tokens.map((i) => tokens.map((j) => offsetIndex(grid, i, j))),
  };
}

/** Swin-V2: a network of the log-spaced offset, and cosine attention. */
export const swinv2Cpb: Encoding = {
  id: "swinv2_cpb",
  title: { en: "Swin-V2 — continuous position bias", zh: "Swin-V2——连续位置偏置" },
  aliases: ["continuous_position_bias_mlp", "cpb_mlp", "log-spaced coordinates", "logit_scale"],
  classification: {
    kind: "relative",
    acts: "scores",
    trained: "trained",
    trainedParameters: (params) => {
      const heads = numberOf(params, "num_heads");
      return numberOf(params, "cpb_hidden") * (3 + heads) + heads;
    },
  },
  fate: {
    content_content: "changed",
    content_position: "dropped",
    position_content: "dropped",
    position_position: "changed",
  },
  parameters: swinv2Parameters,
  rules: (params) => [
    ...gridRule(params, "window_size"),
    ...gridRule(params, "pretrained_window_size", 0),
    ...trainedRule(params),
  ],
  formulas: [swinv2Formula],
  formula: () => swinv2Formula,
  explanation: swinv2Explanation,
  papers: [{ title: "Swin Transformer V2: Scaling Up Capacity and Resolution", arxiv: "2111.09883", year: 2021 }],
  repositories: ["microsoft/Swin-Transformer"],
  domain: (params) => gridDomain(tokensOf(gridOf(params, "window_size"))),
  local: true,
  learned: ["cpb_w1", "cpb_b1", "cpb_w2", "logit_scale"],
  terms: (params, scene) => [cosineTerm(params, scene), biasTerm(params, scene)],
  grid: (params) => ({ ...gridOf(params, "window_size"), classTokens: 0 }),
  golden: { files: ["swinv2_cpb"], compute: goldenCase },
};
