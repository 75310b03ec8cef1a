import * as l10n from "@vscode/l10n";
import type { Params } from "../../spec.ts";
import { buildContentTerm } from "../../terms/contentTerm.ts";
import { indexRange } from "../../terms/engine.ts";
import {
  exampleValue,
  learnedTermName,
  readLearnedMatrix,
  readLearnedVector,
  usesExampleValues,
} from "../../terms/learned.ts";
import { dotProduct, evaluateRow, layerNorm, linear, makeFactor, shiftedFactor } from "../../terms/linear.ts";
import type { Scene } from "../../terms/scene.ts";
import type { BiasTerm, Factor, ProductTerm, Term } from "../../terms/term.ts";
import type { ParamProblem } from "../../util/errors.ts";
import type { Encoding } from "../encoding.ts";
import { ADDS_BIAS } from "../support/effects.ts";
import { headDim, numHeads } from "../support/parameters.ts";
import { getNumber } from "../support/schema.ts";
import { buildT5BucketRule, exactDistanceCount, type T5BucketSpec, t5Bucket } from "../t5Bias/buckets.ts";
import { tupeExplanation, tupeFormulas, tupeParameters } from "./text.ts";

/** Scale of content and position terms: 1/√(attn_scale_factor · head_dim). */
export function tupeScale(params: Params): number {
  return 1 / Math.sqrt(getNumber(params, "attn_scale_factor") * getNumber(params, "head_dim"));
}

/**
 * P W_Q or P W_K of one head by ROW of the position table, where P is the LayerNorm of the table. Token i has row i +
 * 1.
 */
export function projectPositionTable(params: Params, scene: Scene, part: "query" | "key"): Factor {
  const dim = getNumber(params, "head_dim");
  const modelDim = dim * getNumber(params, "num_heads");
  const { inputs, head } = scene;
  const rows = getNumber(params, "max_seq_len") + 1;
  const from = (part === "query" ? 0 : modelDim) + head * dim;
  if (usesExampleValues(inputs)) return exampleProjectedTable(dim, head, part, rows);
  const table = readLearnedMatrix(inputs, ["position_embeddings"], rows, modelDim, () => 0);
  const weight = readLearnedVector(inputs, ["pos_ln_weight"], modelDim, () => 1);
  const bias = readLearnedVector(inputs, ["pos_ln_bias"], modelDim, () => 0);
  const projection = readLearnedMatrix(inputs, ["pos_proj_weight"], 2 * modelDim, modelDim, () => 0);
  const offset = readLearnedVector(inputs, ["pos_proj_bias"], 2 * modelDim, () => 0);
  const headColumns = indexRange(from, from + dim);
  const eps = getNumber(params, "layer_norm_eps");
  return makeFactor(dim, (row) =>
    linear(
      headColumns.map((n) => projection(n)),
      headColumns.map((n) => offset[n] ?? 0),
      layerNorm(table(row), weight, bias, eps),
    ),
  );
}

/** Neighbouring rows are similar, as in trained tables. */
function exampleProjectedTable(dim: number, head: number, part: "query" | "key", rows: number): Factor {
  return makeFactor(dim, (row) =>
    Array.from({ length: dim }, (_, c) => {
      const wavelength = rows / 2 ** (2 * Math.abs(exampleValue(50, head, Math.floor(c / 2))));
      const wave = Math.cos((2 * Math.PI * row) / wavelength - (c % 2 === 0 ? 0 : Math.PI / 2));
      return wave + exampleValue(part === "query" ? 51 : 52, row, c, 0.2);
    }),
  );
}

/** θ₁ = ⟨P_0 W_Q, P_0 W_K⟩ for the [CLS] row, θ₂ = ⟨P_1 W_Q, P_1 W_K⟩ for its column, before the scale. */
export function computeClsResets(query: Factor, key: Factor): { readonly fromCls: number; readonly toCls: number } {
  return {
    fromCls: dotProduct(evaluateRow(query, 0), evaluateRow(key, 0)),
    toCls: dotProduct(evaluateRow(query, 1), evaluateRow(key, 1)),
  };
}

/**
 * T5's bucket, except that TUPE-R gives the [CLS] column the last row of the table and the [CLS] row the unused one.
 */
export function tupeBucket(params: Params, i: number, j: number): number {
  const spec = readBucketSpec(params);
  if (i === 0) return Math.floor(spec.numBuckets / 2);
  if (j === 0) return spec.numBuckets;
  return t5Bucket(spec, j - i);
}

function readBucketSpec(params: Params): T5BucketSpec {
  return {
    numBuckets: getNumber(params, "rel_pos_bins"),
    maxDistance: getNumber(params, "max_rel_pos"),
    bidirectional: true,
  };
}

function buildBucketTerm(params: Params, scene: Scene): BiasTerm {
  const bins = getNumber(params, "rel_pos_bins");
  const heads = getNumber(params, "num_heads");
  const row = readLearnedMatrix(scene.inputs, ["relative_attention_bias"], bins + 1, heads, (bucket, head) =>
    exampleValue(53, bucket, head, 0.5),
  );
  const offset = scene.keyLength - scene.queryLength;
  const column = indexRange(0, bins + 1).map((bucket) => row(bucket)[scene.head] ?? 0);
  return {
    kind: "bias",
    id: "relative",
    role: "position_position",
    name: learnedTermName({ en: "bucket bias", zh: "分桶偏置" }, scene.inputs),
    scale: 1,
    value: (i, j) => column[tupeBucket(params, i + offset, j)] ?? 0,
  };
}

function terms(params: Params, scene: Scene): readonly Term[] {
  const scale = tupeScale(params);
  const query = projectPositionTable(params, scene, "query");
  const key = projectPositionTable(params, scene, "key");
  const { fromCls, toCls } = computeClsResets(query, key);
  const offset = scene.keyLength - scene.queryLength;
  const position: ProductTerm = {
    kind: "product",
    id: "position",
    role: "position_position",
    name: learnedTermName({ en: "untied position · position", zh: "独立投影的 位置 · 位置" }, scene.inputs),
    scale,
    query: shiftedFactor(query, 1 + offset + scene.shift),
    key: shiftedFactor(key, 1 + scene.shift),
    // With a cache, the first query is not [CLS], but the first key still is.
    region: offset === 0 ? { query: "rest", key: "rest" } : { key: "rest" },
  };
  const buildResetTerm = (id: string, en: string, zh: string, value: number, region: BiasTerm["region"]): BiasTerm => ({
    kind: "bias",
    id,
    role: "position_position",
    name: learnedTermName({ en, zh }, scene.inputs),
    scale,
    value: () => value,
    ...(region === undefined ? {} : { region }),
  });
  return [
    buildContentTerm(scene, getNumber(params, "head_dim"), scale),
    position,
    ...(offset === 0 ? [buildResetTerm("cls_row", "[CLS] row", "[CLS] 行", fromCls, { query: "first" })] : []),
    buildResetTerm(
      "cls_column",
      "[CLS] column",
      "[CLS] 列",
      toCls,
      offset === 0 ? { query: "rest", key: "first" } : { key: "first" },
    ),
    ...(params.rel_pos === true ? [buildBucketTerm(params, scene)] : []),
  ];
}

function rules(params: Params): readonly ParamProblem[] {
  if (params.rel_pos !== true) return [];
  const exact = exactDistanceCount({ numBuckets: getNumber(params, "rel_pos_bins"), bidirectional: true });
  const maxDistance = getNumber(params, "max_rel_pos");
  if (maxDistance > exact) return [];
  const rule = l10n.t("must be greater than {0}, the number of distances with their own bucket", exact);
  return [{ param: "max_rel_pos", value: maxDistance, rule }];
}

/** TUPE: positions have their own projections, and [CLS] is excluded from them. */
export const tupe: Encoding = {
  id: "tupe",
  name: { en: "TUPE", zh: "TUPE" },
  gloss: { en: "untied positional encoding", zh: "位置与内容各用投影" },
  aliases: ["untied positional encoding", "TUPE-A", "TUPE-R", "untie_cls"],
  classification: {
    kind: "absolute",
    actsOn: "scores",
    trained: "trained",
    trainedParameters: (params) => {
      const heads = getNumber(params, "num_heads");
      const model = heads * getNumber(params, "head_dim");
      const table = (getNumber(params, "max_seq_len") + 1) * model + 2 * model;
      const relative = params.rel_pos === true ? (getNumber(params, "rel_pos_bins") + 1) * heads : 0;
      return table + 2 * model * (model + 1) + relative;
    },
  },
  effect: ADDS_BIAS,
  expansion: {
    terms: {
      position_position: {
        id: "tupe_term_pp",
        tex: "p_i\\,\\mathbf{U}_Q \\mathbf{U}_K^{\\top} p_j^{\\top}",
        text: "p_i U_Q · p_j U_K",
      },
    },
    steps: {
      en: "As in T5, both middle terms are dropped. The last keeps its p's, but with projections of their own, U_Q and U_K, and without [CLS].",
      zh: "与 T5 一样去掉中间两项；最后一项保留 p，但用自己的投影 U_Q、U_K，且不含 [CLS]。",
    },
  },
  parameters: [{ ...numHeads, default: 4 }, { ...headDim, default: 32 }, ...tupeParameters],
  rules,
  formulas: Object.values(tupeFormulas),
  formula: (params) => (params.rel_pos === true ? tupeFormulas.relative : tupeFormulas.absolute),
  explanation: tupeExplanation,
  papers: [{ title: "Rethinking Positional Encoding in Language Pre-training", arxiv: "2006.15595", year: 2020 }],
  repositories: ["guolinke/TUPE"],
  domain: (params) => ({
    kind: "table",
    size: getNumber(params, "max_seq_len"),
    reason: {
      en: "The position term is a learned table; only the relative part could continue.",
      zh: "位置部分是可学习的表；只有相对部分可以继续。",
    },
  }),
  cellsAreIndependent: true,
  buckets: (params) => (params.rel_pos === true ? buildT5BucketRule(readBucketSpec(params)) : undefined),
  viewNotes: () => ({
    table: {
      en: "TUPE does not add position vectors to the tokens: only products of positions enter the scores. See the Bias view.",
      zh: "TUPE 不把位置向量加到词元上：只有位置之间的内积进入分数。请看“偏置”视图。",
    },
    buckets: {
      en: "Without rel_pos, TUPE has no buckets: it encodes positions, not distances. See the Bias view.",
      zh: "未启用 rel_pos 时，TUPE 没有分桶：它编码的是位置而不是距离。请看“偏置”视图。",
    },
  }),
  learnedArrays: ["position_embeddings", "pos_ln_weight", "pos_ln_bias", "pos_proj_weight", "pos_proj_bias"],
  terms,
};
