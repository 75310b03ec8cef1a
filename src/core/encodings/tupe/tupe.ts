import { t } from "@vscode/l10n";
import type { Params } from "../../spec.ts";
import { contentTerm } from "../../terms/contentTerm.ts";
import { factorRows, indexRange } from "../../terms/engine.ts";
import { exampleValue, isExample, learnedMatrix, learnedName, learnedVector } from "../../terms/learned.ts";
import { dotOf, factorOf, layerNorm, linear, rowOf, shiftedFactor } from "../../terms/linear.ts";
import type { BiasTerm, Factor, ProductTerm, Term } from "../../terms/term.ts";
import type { ParamProblem } from "../../util/errors.ts";
import type { Encoding, GoldenCase, Scene } from "../encoding.ts";
import { attentionGolden, nested, paramsOf, sceneOf } from "../support/golden.ts";
import { headDim, numHeads } from "../support/parameters.ts";
import { numberOf } from "../support/schema.ts";
import { exactDistances, t5Bucket } from "../t5Bias/buckets.ts";
import { tupeExplanation, tupeFormula, tupeParameters } from "./text.ts";

/** 1/√(attn_scale_factor · head_dim), for content and position alike. */
function scaleOf(params: Params): number {
  return 1 / Math.sqrt(numberOf(params, "attn_scale_factor") * numberOf(params, "head_dim"));
}

/** P W_Q or P W_K of one head by ROW of the position table; P is LayerNorm of the table. Token i has row i + 1. */
function projectedTable(params: Params, scene: Scene, part: "query" | "key"): Factor {
  const dim = numberOf(params, "head_dim");
  const model = dim * numberOf(params, "num_heads");
  const { inputs, head } = scene;
  const rows = numberOf(params, "max_seq_len") + 1;
  const from = (part === "query" ? 0 : model) + head * dim;
  if (isExample(inputs)) return exampleTable(dim, head, part, rows);
  const table = learnedMatrix(inputs, ["position_embeddings"], rows, model, () => 0);
  const weight = learnedVector(inputs, ["pos_ln_weight"], model, () => 1);
  const bias = learnedVector(inputs, ["pos_ln_bias"], model, () => 0);
  const projection = learnedMatrix(inputs, ["pos_proj_weight"], 2 * model, model, () => 0);
  const offset = learnedVector(inputs, ["pos_proj_bias"], 2 * model, () => 0);
  const own = indexRange(from, from + dim);
  const eps = numberOf(params, "layer_norm_eps");
  return factorOf(dim, (row) =>
    linear(
      own.map((n) => projection(n)),
      own.map((n) => offset[n] ?? 0),
      layerNorm(table(row), weight, bias, eps),
    ),
  );
}

/** Neighbouring rows alike, as trained positions become. */
function exampleTable(dim: number, head: number, part: "query" | "key", rows: number): Factor {
  return factorOf(dim, (row) =>
    Array.from({ length: dim }, (_, c) => {
      const wavelength = rows / 2 ** (2 * Math.abs(exampleValue(50, head, Math.floor(c / 2))));
      const wave = Math.cos((2 * Math.PI * row) / wavelength - (c % 2 === 0 ? 0 : Math.PI / 2));
      return wave + exampleValue(part === "query" ? 51 : 52, row, c, 0.2);
    }),
  );
}

/** θ₁ = ⟨P_0 W_Q, P_0 W_K⟩ for the [CLS] row, θ₂ = ⟨P_1 W_Q, P_1 W_K⟩ for its column, before the scale. */
function resets(query: Factor, key: Factor): { readonly fromCls: number; readonly toCls: number } {
  return { fromCls: dotOf(rowOf(query, 0), rowOf(key, 0)), toCls: dotOf(rowOf(query, 1), rowOf(key, 1)) };
}

/** Bucket of TUPE-R: T5's, but the column of [CLS] has the last row of the table, and then its row the unused one. */
function relativeBucket(params: Params, i: number, j: number): number {
  const numBuckets = numberOf(params, "rel_pos_bins");
  if (i === 0) return Math.floor(numBuckets / 2);
  if (j === 0) return numBuckets;
  return t5Bucket({ numBuckets, maxDistance: numberOf(params, "max_rel_pos"), bidirectional: true }, j - i);
}

function relativeTerm(params: Params, scene: Scene): BiasTerm {
  const bins = numberOf(params, "rel_pos_bins");
  const heads = numberOf(params, "num_heads");
  const row = learnedMatrix(scene.inputs, ["relative_attention_bias"], bins + 1, heads, (bucket, head) =>
    exampleValue(53, bucket, head, 0.5),
  );
  const offset = scene.keyLength - scene.queryLength;
  const column = indexRange(0, bins + 1).map((bucket) => row(bucket)[scene.head] ?? 0);
  return {
    kind: "bias",
    id: "relative",
    role: "position_position",
    name: learnedName({ en: "bucket bias", zh: "分桶偏置" }, scene.inputs),
    scale: 1,
    value: (i, j) => column[relativeBucket(params, i + offset, j)] ?? 0,
  };
}

function terms(params: Params, scene: Scene): readonly Term[] {
  const scale = scaleOf(params);
  const query = projectedTable(params, scene, "query");
  const key = projectedTable(params, scene, "key");
  const { fromCls, toCls } = resets(query, key);
  const offset = scene.keyLength - scene.queryLength;
  const position: ProductTerm = {
    kind: "product",
    id: "position",
    role: "position_position",
    name: learnedName({ en: "untied position · position", zh: "独立投影的 位置 · 位置" }, scene.inputs),
    scale,
    query: shiftedFactor(query, 1 + offset + scene.shift),
    key: shiftedFactor(key, 1 + scene.shift),
    // With a cache the first query is not [CLS]; its key still is.
    region: offset === 0 ? { query: "rest", key: "rest" } : { key: "rest" },
  };
  const reset = (id: string, en: string, zh: string, value: number, region: BiasTerm["region"]): BiasTerm => ({
    kind: "bias",
    id,
    role: "position_position",
    name: learnedName({ en, zh }, scene.inputs),
    scale,
    value: () => value,
    ...(region === undefined ? {} : { region }),
  });
  return [
    contentTerm(scene, numberOf(params, "head_dim"), scale),
    position,
    ...(offset === 0 ? [reset("cls_row", "[CLS] row", "[CLS] 行", fromCls, { query: "first" })] : []),
    reset(
      "cls_column",
      "[CLS] column",
      "[CLS] 列",
      toCls,
      offset === 0 ? { query: "rest", key: "first" } : { key: "first" },
    ),
    ...(params.rel_pos === true ? [relativeTerm(params, scene)] : []),
  ];
}

function rules(params: Params): readonly ParamProblem[] {
  if (params.rel_pos !== true) return [];
  const exact = exactDistances({ numBuckets: numberOf(params, "rel_pos_bins"), bidirectional: true });
  const most = numberOf(params, "max_rel_pos");
  if (most > exact) return [];
  const rule = t("must be greater than {0}, the number of distances with their own bucket", exact);
  return [{ param: "max_rel_pos", value: most, rule }];
}

/** Scaled ⟨P_(i+1) W_Q, P_(j+1) W_K⟩ of every pair of tokens, before the [CLS] row and column are overwritten. */
function untiedScores(params: Params, scene: Scene): number[][] {
  const rows = indexRange(1, scene.queryLength + 1);
  const keys = indexRange(1, scene.keyLength + 1);
  const dim = numberOf(params, "head_dim");
  const q = nested(factorRows(projectedTable(params, scene, "query"), rows), dim);
  const k = nested(factorRows(projectedTable(params, scene, "key"), keys), dim);
  return q.map((a) => k.map((b) => scaleOf(params) * dotOf(a, b)));
}

function goldenCase(golden: GoldenCase): Record<string, unknown> {
  const params = paramsOf(tupe, golden);
  const scenes = indexRange(0, numberOf(params, "num_heads")).map((head) => sceneOf(golden, head));
  const attention = attentionGolden(tupe, params, golden);
  const sum = (ids: readonly string[]) =>
    ids
      .map((id) => attention.terms(id))
      .reduce((a, b) => a.map((m, h) => m.map((row, i) => row.map((value, j) => value + (b[h]?.[i]?.[j] ?? 0)))));
  const absolute = ["position", "cls_row", "cls_column"];
  const theta = scenes.map((scene) =>
    resets(projectedTable(params, scene, "query"), projectedTable(params, scene, "key")),
  );
  const tokens = indexRange(0, scenes[0]?.keyLength ?? 0);
  return {
    ...attention,
    untied_position_scores: scenes.map((scene) => untiedScores(params, scene)),
    theta_cls_to_others: theta.map(({ fromCls }) => scaleOf(params) * fromCls),
    theta_others_to_cls: theta.map(({ toCls }) => scaleOf(params) * toCls),
    absolute_bias: sum(absolute),
    bias: sum(params.rel_pos === true ? [...absolute, "relative"] : absolute),
    rel_bucket: tokens.map((i) => tokens.map((j) => relativeBucket(params, i, j))),
  };
}

/** TUPE: positions with projections of their own, and a [CLS] that stands outside them. */
export const tupe: Encoding = {
  id: "tupe",
  title: { en: "TUPE — untied positions", zh: "TUPE——位置与内容各用投影" },
  aliases: ["untied positional encoding", "TUPE-A", "TUPE-R", "untie_cls"],
  classification: {
    kind: "both",
    acts: "scores",
    trained: "trained",
    trainedParameters: (params) => {
      const heads = numberOf(params, "num_heads");
      const model = heads * numberOf(params, "head_dim");
      const table = (numberOf(params, "max_seq_len") + 1) * model + 2 * model;
      const relative = params.rel_pos === true ? (numberOf(params, "rel_pos_bins") + 1) * heads : 0;
      return table + 2 * model * (model + 1) + relative;
    },
  },
  fate: {
    content_content: "kept",
    content_position: "dropped",
    position_content: "dropped",
    position_position: "changed",
  },
  parameters: [{ ...numHeads, default: 4 }, { ...headDim, default: 32 }, ...tupeParameters],
  rules,
  formulas: [tupeFormula],
  formula: () => tupeFormula,
  explanation: tupeExplanation,
  papers: [{ title: "Rethinking Positional Encoding in Language Pre-training", arxiv: "2006.15595", year: 2020 }],
  repositories: ["guolinke/TUPE"],
  domain: (params) => ({
    kind: "table",
    size: numberOf(params, "max_seq_len"),
    reason: {
      en: "The position term is a learned table; only the relative part could continue.",
      zh: "位置部分是可学习的表；只有相对部分可以继续。",
    },
  }),
  local: true,
  learned: ["position_embeddings", "pos_ln_weight", "pos_ln_bias", "pos_proj_weight", "pos_proj_bias"],
  terms,
  golden: { files: ["tupe"], compute: goldenCase },
};
