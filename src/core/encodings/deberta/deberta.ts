import * as l10n from "@vscode/l10n";
import type { Params } from "../../spec.ts";
import { learnedTermName } from "../../terms/learned.ts";
import { constantProductProfile } from "../../terms/linear.ts";
import type { Rounding } from "../../terms/precision.ts";
import { buildRelativeKeyTerm, buildRelativeQueryTerm } from "../../terms/relative.ts";
import type { Scene } from "../../terms/scene.ts";
import type { ProductTerm, RelativeIndex, Term } from "../../terms/term.ts";
import type { ParamProblem } from "../../util/errors.ts";
import type { BucketRule, Encoding } from "../encoding.ts";
import { checkHeadsDivide, hiddenSizeParameters, resolveHiddenSize } from "../support/parameters.ts";
import { getNumber, getString } from "../support/schema.ts";
import { debertaBucket } from "./buckets.ts";
import { debertaExplanation, debertaFormulas, debertaParameters } from "./text.ts";
import {
  debertaHeadDim,
  debertaMaxDistance,
  debertaTableSpan,
  hasPositionTerm,
  projectContent,
  projectDistanceTable,
} from "./weights.ts";

/** Distance i − j as the model looks it up: unchanged in v1, bucketed in v2 and v3. */
export function bucketedDistance(params: Params, delta: number, round?: Rounding): number {
  const buckets = getNumber(params, "position_buckets");
  if (getNumber(params, "version") === 1 || buckets <= 0) return delta;
  return debertaBucket(delta, buckets, debertaMaxDistance(params), round);
}

/** Row of `rel_embeddings` for a distance. For a text of n tokens, v1 uses the middle 2·min(n, max) rows. */
function buildRowIndex(params: Params, scene: Scene): Extract<RelativeIndex, { of: "delta" }> {
  const fullSpan = debertaTableSpan(params);
  const textLength = Math.max(scene.queryLength, scene.keyLength);
  const span = getNumber(params, "version") === 1 ? Math.min(textLength, fullSpan) : fullSpan;
  return {
    of: "delta",
    at: (delta) => fullSpan - span + Math.min(Math.max(bucketedDistance(params, delta) + span, 0), 2 * span - 1),
  };
}

/** Scale of every term: 1/√(head_dim · (1 + number of position terms)). */
function debertaScale(params: Params): number {
  const termCount = 1 + Number(hasPositionTerm(params, "c2p")) + Number(hasPositionTerm(params, "p2c"));
  return 1 / Math.sqrt(debertaHeadDim(params) * termCount);
}

function terms(params: Params, scene: Scene): readonly Term[] {
  const query = projectContent(params, scene, "query");
  const key = projectContent(params, scene, "key");
  const scale = debertaScale(params);
  const index = buildRowIndex(params, scene);
  const constant = scene.content.constant && scene.inputs.hidden_states === undefined;
  const content: ProductTerm = {
    kind: "product",
    id: "content",
    role: "content_content",
    name: { en: "content · content", zh: "内容 · 内容" },
    scale,
    query,
    key,
    ...(constant ? { profile: constantProductProfile(query, key) } : {}),
  };
  const shared = { scale, index, constant };
  const c2p = () =>
    buildRelativeQueryTerm({
      ...shared,
      id: "content_position",
      role: "content_position",
      name: learnedTermName({ en: "content → position (c2p)", zh: "内容 → 位置（c2p）" }, scene.inputs),
      query,
      table: projectDistanceTable(params, scene, "key"),
    });
  const p2c = () =>
    buildRelativeKeyTerm({
      ...shared,
      id: "position_content",
      role: "position_content",
      name: learnedTermName({ en: "position → content (p2c)", zh: "位置 → 内容（p2c）" }, scene.inputs),
      key,
      table: projectDistanceTable(params, scene, "query"),
    });
  return [
    content,
    ...(hasPositionTerm(params, "c2p") ? [c2p()] : []),
    ...(hasPositionTerm(params, "p2c") ? [p2c()] : []),
  ];
}

/** The row before v1's offset for short texts: bucket + span, clamped to the table. */
function resolveBuckets(params: Params): BucketRule {
  const span = debertaTableSpan(params);
  const inBuckets = getNumber(params, "version") > 1 && getNumber(params, "position_buckets") > 0;
  return {
    kind: inBuckets ? "deberta" : "clip",
    row: (delta, round) => Math.min(Math.max(bucketedDistance(params, delta, round) + span, 0), 2 * span - 1),
    rowCount: 2 * span,
    lastDistance: inBuckets ? debertaMaxDistance(params) : span,
    usesFloat32Log: inBuckets,
  };
}

function rules(params: Params): readonly ParamProblem[] {
  const problems = [...checkHeadsDivide(params)];
  const buckets = getNumber(params, "position_buckets");
  const maxDistance = debertaMaxDistance(params);
  if (getNumber(params, "version") > 1 && buckets > 0 && maxDistance - 1 <= Math.floor(buckets / 2)) {
    const rule = l10n.t("must be greater than ⌊position_buckets / 2⌋ + 1 = {0}", Math.floor(buckets / 2) + 1);
    problems.push({ param: "max_relative_positions", value: maxDistance, rule });
  }
  if (buckets === 1)
    problems.push({ param: "position_buckets", value: buckets, rule: l10n.t("must be at least {0}", 2) });
  return problems;
}

/** Learned arrays that these parameters need; v1 and v2 name them differently. */
function requiredArrays(params: Params): readonly (readonly string[])[] {
  const names = ["rel_embeddings"];
  const first = getNumber(params, "version") === 1;
  const shared = params.share_att_key === true;
  if (hasPositionTerm(params, "c2p")) names.push(first ? "pos_proj" : shared ? "key_proj" : "pos_key_proj");
  if (hasPositionTerm(params, "p2c")) names.push(first ? "pos_q_proj" : shared ? "query_proj" : "pos_query_proj");
  return names.map((name) => [name]);
}

/** DeBERTa: disentangled attention, the two middle terms of the expansion. */
export const deberta: Encoding = {
  id: "deberta",
  name: { en: "DeBERTa", zh: "DeBERTa" },
  gloss: { en: "disentangled attention", zh: "解耦注意力" },
  aliases: ["disentangled attention", "c2p", "p2c", "rel_embeddings", "make_log_bucket_position", "relative_attention"],
  classification: {
    kind: "relative",
    actsOn: "scores",
    trained: "trained",
    trainedParameters: (params) => {
      const hidden = resolveHiddenSize(params);
      const ownProjections = getNumber(params, "version") === 1 || params.share_att_key !== true;
      const types = Number(hasPositionTerm(params, "c2p")) + Number(hasPositionTerm(params, "p2c"));
      return 2 * debertaTableSpan(params) * hidden + (ownProjections ? types * hidden * hidden : 0);
    },
  },
  effect: {
    content_content: "kept",
    content_position: "changed",
    position_content: "changed",
    position_position: "dropped",
  },
  expansion: {
    terms: {
      content_position: {
        id: "deberta_term_xp",
        tex: "x_i W_Q\\,W_{K,r}^{\\top} \\mathbf{R}_{\\delta(i,j)}^{\\top}",
        text: "x_i W_Q · R[δ(i, j)] W_{K,r}",
      },
      position_content: {
        id: "deberta_term_px",
        tex: "\\mathbf{R}_{\\delta(j,i)} W_{Q,r}\\,W_K^{\\top} x_j^{\\top}",
        text: "R[δ(j, i)] W_{Q,r} · x_j W_K",
      },
    },
    steps: {
      en: "The opposite of T5: both middle terms stay, pⱼ as R of the distance from query to key and pᵢ as R of the reverse distance (as in the paper), each with its own projection. The last term, without a word, is dropped.",
      zh: "与 T5 相反：保留中间两项，pⱼ 换成查询到键的距离向量 R，pᵢ 换成反向距离的 R（按论文写法），各有自己的投影；与词无关的最后一项去掉。",
    },
  },
  parameters: [...hiddenSizeParameters(4, 16), ...debertaParameters],
  rules,
  formulas: Object.values(debertaFormulas),
  formula: (params) => (getString(params, "pos_att_type") === "c2p" ? debertaFormulas.c2p : debertaFormulas.both),
  explanation: debertaExplanation,
  papers: [
    { title: "DeBERTa: Decoding-enhanced BERT with Disentangled Attention", arxiv: "2006.03654", year: 2020 },
    { title: "DeBERTaV3: Improving DeBERTa using ELECTRA-Style Pre-Training", arxiv: "2111.09543", year: 2021 },
  ],
  repositories: ["microsoft/DeBERTa"],
  domain: () => ({ kind: "any" }),
  cellsAreIndependent: true,
  learnedArrays: ["rel_embeddings"],
  requiredArrays,
  terms,
  buckets: resolveBuckets,
};
