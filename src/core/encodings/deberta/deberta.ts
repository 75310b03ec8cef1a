import { t } from "@vscode/l10n";
import type { Params } from "../../spec.ts";
import { indexRange } from "../../terms/engine.ts";
import { learnedName } from "../../terms/learned.ts";
import { dotOf, rowOf } from "../../terms/linear.ts";
import { readVector } from "../../terms/read.ts";
import { relativeKey, relativeQuery } from "../../terms/relative.ts";
import type { ProductTerm, RelativeIndex, Term } from "../../terms/term.ts";
import type { ParamProblem } from "../../util/errors.ts";
import type { Encoding, GoldenCase, Scene } from "../encoding.ts";
import { type AttentionGolden, attentionGolden, paramsOf, sceneOf } from "../support/golden.ts";
import { headsDivide, modelWidth, widthParameters } from "../support/parameters.ts";
import { numberOf, stringOf } from "../support/schema.ts";
import { float64, type Rounding } from "../t5Bias/buckets.ts";
import { debertaBucket } from "./buckets.ts";
import { debertaExplanation, debertaFormulas, debertaParameters } from "./text.ts";
import { debertaHead, furthestDistance, hasType, projectedContent, projectedDistances, tableSpan } from "./weights.ts";

/** Distance i − j as the model looks it up: v1 as it is, v2 and v3 in buckets. */
export function debertaDistance(params: Params, delta: number, round?: Rounding): number {
  const buckets = numberOf(params, "position_buckets");
  if (numberOf(params, "version") === 1 || buckets <= 0) return delta;
  return debertaBucket(delta, buckets, furthestDistance(params), round);
}

/** Row of `rel_embeddings` for a distance; v1 uses the middle 2·min(n, max) rows for a text of n tokens. */
function rowIndex(params: Params, scene: Scene): Extract<RelativeIndex, { of: "delta" }> {
  const table = tableSpan(params);
  const longest = Math.max(scene.queryLength, scene.keyLength);
  const span = numberOf(params, "version") === 1 ? Math.min(longest, table) : table;
  return {
    of: "delta",
    at: (delta) => table - span + Math.min(Math.max(debertaDistance(params, delta) + span, 0), 2 * span - 1),
  };
}

/** 1/√(head_dim · (1 + number of position terms)), for every term. */
function scaleOf(params: Params): number {
  const parts = 1 + Number(hasType(params, "c2p")) + Number(hasType(params, "p2c"));
  return 1 / Math.sqrt(debertaHead(params) * parts);
}

function terms(params: Params, scene: Scene): readonly Term[] {
  const query = projectedContent(params, scene, "query");
  const key = projectedContent(params, scene, "key");
  const scale = scaleOf(params);
  const index = rowIndex(params, scene);
  const constant = scene.content.constant && scene.inputs.hidden_states === undefined;
  const product = constant ? dotOf(rowOf(query, 0), rowOf(key, 0)) : undefined;
  const content: ProductTerm = {
    kind: "product",
    id: "content",
    role: "content_content",
    name: { en: "content · content", zh: "内容 · 内容" },
    scale,
    query,
    key,
    ...(product === undefined ? {} : { profile: () => product }),
  };
  const shared = { scale, index, constant };
  const c2p = () =>
    relativeQuery({
      ...shared,
      id: "content_position",
      role: "content_position",
      name: learnedName({ en: "content → position (c2p)", zh: "内容 → 位置（c2p）" }, scene.inputs),
      query,
      table: projectedDistances(params, scene, "key"),
    });
  const p2c = () =>
    relativeKey({
      ...shared,
      id: "position_content",
      role: "position_content",
      name: learnedName({ en: "position → content (p2c)", zh: "位置 → 内容（p2c）" }, scene.inputs),
      key,
      table: projectedDistances(params, scene, "query"),
    });
  return [content, ...(hasType(params, "c2p") ? [c2p()] : []), ...(hasType(params, "p2c") ? [p2c()] : [])];
}

function rules(params: Params): readonly ParamProblem[] {
  const problems = [...headsDivide(params)];
  const buckets = numberOf(params, "position_buckets");
  const most = furthestDistance(params);
  if (numberOf(params, "version") > 1 && buckets > 0 && most - 1 <= Math.floor(buckets / 2)) {
    const rule = t("must be greater than ⌊position_buckets / 2⌋ + 1 = {0}", Math.floor(buckets / 2) + 1);
    problems.push({ param: "max_relative_positions", value: most, rule });
  }
  if (buckets === 1) problems.push({ param: "position_buckets", value: buckets, rule: t("must be at least {0}", 2) });
  return problems;
}

/** Which arrays these parameters need: the names of v1 differ from those of v2. */
function learnedFor(params: Params): readonly (readonly string[])[] {
  const names = ["rel_embeddings"];
  const first = numberOf(params, "version") === 1;
  const shared = params.share_att_key === true;
  if (hasType(params, "c2p")) names.push(first ? "pos_proj" : shared ? "key_proj" : "pos_key_proj");
  if (hasType(params, "p2c")) names.push(first ? "pos_q_proj" : shared ? "query_proj" : "pos_query_proj");
  return names.map((name) => [name]);
}

/** Outputs of all heads side by side, [tokens][hidden]. */
function concatenated(heads: readonly (readonly (readonly number[])[])[] | undefined): number[][] {
  const first = heads?.[0] ?? [];
  return first.map((_, i) => (heads ?? []).flatMap((head) => head[i] ?? []));
}

function goldenCase(golden: GoldenCase): Record<string, unknown> {
  const { inputs } = golden;
  const version = golden.params.version ?? 2;
  const params = paramsOf(deberta, { params: { ...golden.params, version } });
  if (inputs.relative_position !== undefined) {
    const given = readVector(inputs.relative_position, "relative_position");
    const exact = (d: number) => debertaDistance(params, d, float64);
    return {
      bucket: given.map((d) => debertaDistance(params, d)),
      bucket_float64: given.map(exact),
      distances_where_float32_and_float64_differ: given.filter((d) => debertaDistance(params, d) !== exact(d)),
    };
  }
  const attention = attentionGolden(deberta, params, golden, (scene) => projectedContent(params, scene, "value"));
  const { keyLength, queryLength } = sceneOf(golden, 0);
  return {
    ...attention,
    ...positionTerms(params, attention),
    output: concatenated(attention.output),
    output_causal: concatenated(attention.output_causal),
    content_to_content: attention.terms("content"),
    relative_position: indexRange(0, queryLength).map((i) =>
      indexRange(0, keyLength).map((j) => debertaDistance(params, i - j)),
    ),
  };
}

function positionTerms(params: Params, attention: AttentionGolden): Record<string, unknown> {
  return {
    ...(hasType(params, "c2p") ? { content_to_position: attention.terms("content_position") } : {}),
    ...(hasType(params, "p2c") ? { position_to_content: attention.terms("position_content") } : {}),
  };
}

/** DeBERTa: disentangled attention, the two middle terms of the expansion. */
export const deberta: Encoding = {
  id: "deberta",
  title: { en: "DeBERTa — disentangled attention", zh: "DeBERTa——解耦注意力" },
  aliases: ["disentangled attention", "c2p", "p2c", "rel_embeddings", "make_log_bucket_position", "relative_attention"],
  classification: {
    kind: "relative",
    acts: "scores",
    trained: "trained",
    trainedParameters: (params) => {
      const hidden = modelWidth(params);
      const own = numberOf(params, "version") === 1 || params.share_att_key !== true;
      const types = Number(hasType(params, "c2p")) + Number(hasType(params, "p2c"));
      return 2 * tableSpan(params) * hidden + (own ? types * hidden * hidden : 0);
    },
  },
  fate: {
    content_content: "kept",
    content_position: "changed",
    position_content: "changed",
    position_position: "dropped",
  },
  parameters: [...widthParameters(4, 16), ...debertaParameters],
  rules,
  formulas: Object.values(debertaFormulas),
  formula: (params) => (stringOf(params, "pos_att_type") === "c2p" ? debertaFormulas.c2p : debertaFormulas.both),
  explanation: debertaExplanation,
  papers: [
    { title: "DeBERTa: Decoding-enhanced BERT with Disentangled Attention", arxiv: "2006.03654", year: 2020 },
    { title: "DeBERTaV3: Improving DeBERTa using ELECTRA-Style Pre-Training", arxiv: "2111.09543", year: 2021 },
  ],
  repositories: ["microsoft/DeBERTa"],
  domain: () => ({ kind: "any" }),
  local: true,
  learned: ["rel_embeddings"],
  learnedFor,
  terms,
  bucketOf: (params) => {
    const span = tableSpan(params);
    return (delta) => Math.min(Math.max(debertaDistance(params, delta) + span, 0), 2 * span - 1);
  },
  golden: { files: ["deberta"], compute: goldenCase },
};
