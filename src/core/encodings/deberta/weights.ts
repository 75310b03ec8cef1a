import type { Params } from "../../spec.ts";
import { listFactor } from "../../terms/content.ts";
import { exampleValue, isExample, learnedMatrix, optionalVector } from "../../terms/learned.ts";
import { factorOf, layerNorm, linearFactor } from "../../terms/linear.ts";
import { readMatrix } from "../../terms/read.ts";
import type { Factor } from "../../terms/term.ts";
import type { Scene } from "../encoding.ts";
import { modelWidth } from "../support/parameters.ts";
import { numberOf, stringOf } from "../support/schema.ts";

/** DeBERTa's projections of content and of the table of distances, in the layouts of its versions. */

export type Projection = "query" | "key" | "value";

const PARTS: readonly Projection[] = ["query", "key", "value"];

export function hasType(params: Params, type: "c2p" | "p2c"): boolean {
  return stringOf(params, "pos_att_type").split("|").includes(type);
}

/** Head size of hidden_size / heads. */
export function debertaHead(params: Params): number {
  return modelWidth(params) / numberOf(params, "num_heads");
}

/** Distances on each side that the table tells apart, before the span of a short text limits them (v1). */
export function tableSpan(params: Params): number {
  const buckets = numberOf(params, "position_buckets");
  return numberOf(params, "version") >= 2 && buckets > 0 ? buckets : furthestDistance(params);
}

/** `max_relative_positions`; below 1 it means the trained length. */
export function furthestDistance(params: Params): number {
  const own = numberOf(params, "max_relative_positions");
  return own < 1 ? numberOf(params, "max_position_embeddings") : own;
}

/**
 * q, k or v of one head by index. From `hidden_states` and the projections where the inputs hold them:
 * v1 `in_proj` (rows of each head as [q|k|v]) with `q_bias`, `v_bias`; v2 `query_proj`, … with biases.
 */
export function projectedContent(params: Params, scene: Scene, part: Projection): Factor {
  const dim = debertaHead(params);
  const { inputs, head } = scene;
  const own = inputs.hidden_states;
  if (own === undefined) return scene.content.rows(part === "query" ? "q" : part === "key" ? "k" : "v", head, dim);
  const hidden = listFactor(readMatrix(own, "hidden_states"));
  const weight = requireMatrix(params, scene, numberOf(params, "version") === 1 ? "in_proj" : `${part}_proj`);
  if (numberOf(params, "version") === 1) {
    const from = head * 3 * dim + PARTS.indexOf(part) * dim;
    const bias = part === "key" ? undefined : optionalVector(inputs, part === "query" ? "q_bias" : "v_bias");
    const rows = weight.slice(from, from + dim);
    return linearFactor(hidden, rows, bias?.slice(head * dim, (head + 1) * dim));
  }
  return linearFactor(hidden, weight, optionalVector(inputs, `${part}_proj_bias`), head * dim, dim);
}

function requireMatrix(params: Params, scene: Scene, name: string): number[][] {
  const hidden = modelWidth(params);
  const rows = name === "in_proj" ? 3 * hidden : hidden;
  const row = learnedMatrix(scene.inputs, [name], rows, hidden, () => 0);
  return Array.from({ length: rows }, (_, n) => [...row(n)]);
}

/** Rows of `rel_embeddings`; v3 normalises them (`norm_rel_ebd`). */
function distanceEmbeddings(params: Params, scene: Scene): Factor {
  const hidden = modelWidth(params);
  const span = tableSpan(params);
  const row = learnedMatrix(scene.inputs, ["rel_embeddings"], 2 * span, hidden, () => 0);
  if (stringOf(params, "norm_rel_ebd") !== "layer_norm") return factorOf(hidden, row);
  const weight = optionalVector(scene.inputs, "rel_layer_norm_weight") ?? [];
  const bias = optionalVector(scene.inputs, "rel_layer_norm_bias") ?? [];
  return factorOf(hidden, (index) => layerNorm(row(index), weight, bias, numberOf(params, "layer_norm_eps")));
}

/** Names of the projection of distances: v1 has its own, v2 may share the content's. */
function distanceProjection(params: Params, part: "query" | "key"): { weight: string; bias: string } {
  if (numberOf(params, "version") === 1) {
    return part === "key" ? { weight: "pos_proj", bias: "" } : { weight: "pos_q_proj", bias: "pos_q_proj_bias" };
  }
  const name = params.share_att_key === true ? `${part}_proj` : `pos_${part}_proj`;
  return { weight: name, bias: `${name}_bias` };
}

/** Kr or Qr of one head by row of `rel_embeddings`, [head_dim]. */
export function projectedDistances(params: Params, scene: Scene, part: "query" | "key"): Factor {
  const dim = debertaHead(params);
  const { inputs, head } = scene;
  if (isExample(inputs)) return exampleDistances(params, head, part);
  const { weight, bias } = distanceProjection(params, part);
  const matrix = requireMatrix(params, scene, weight);
  const vector = bias === "" ? undefined : optionalVector(inputs, bias);
  return linearFactor(distanceEmbeddings(params, scene), matrix, vector, head * dim, dim);
}

function exampleDistances(params: Params, head: number, part: "query" | "key"): Factor {
  const dim = debertaHead(params);
  const span = tableSpan(params);
  const salt = part === "key" ? 40 : 41;
  return factorOf(dim, (index) => {
    const near = Math.exp(-Math.abs(index - span) / (span / 8));
    return Array.from(
      { length: dim },
      (_, c) => exampleValue(salt, head, c, 0.5) * near + exampleValue(salt, (head + 1) * 65_536 + index, c, 0.1),
    );
  });
}
