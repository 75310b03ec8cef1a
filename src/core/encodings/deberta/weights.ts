import type { Params } from "../../spec.ts";
import { factorFromRows } from "../../terms/content.ts";
import { exampleValue, findInputVector, readLearnedMatrix, usesExampleValues } from "../../terms/learned.ts";
import { layerNorm, linearFactor, makeFactor } from "../../terms/linear.ts";
import { readMatrix } from "../../terms/read.ts";
import type { Scene } from "../../terms/scene.ts";
import type { Factor } from "../../terms/term.ts";
import { resolveHiddenSize } from "../support/parameters.ts";
import { getNumber, getString } from "../support/schema.ts";

/** DeBERTa's projections of the content and of the distance table, in the layouts of its versions. */

export type Projection = "query" | "key" | "value";

const IN_PROJ_ORDER: readonly Projection[] = ["query", "key", "value"];

export function hasPositionTerm(params: Params, type: "c2p" | "p2c"): boolean {
  return getString(params, "pos_att_type").split("|").includes(type);
}

/** hidden_size / num_heads. */
export function debertaHeadDim(params: Params): number {
  return resolveHiddenSize(params) / getNumber(params, "num_heads");
}

/** Largest distance with a row of its own on each side, before v1 limits it to the length of a short text. */
export function debertaTableSpan(params: Params): number {
  const buckets = getNumber(params, "position_buckets");
  return getNumber(params, "version") >= 2 && buckets > 0 ? buckets : debertaMaxDistance(params);
}

/** `max_relative_positions`, or the training context if it is below 1. */
export function debertaMaxDistance(params: Params): number {
  const maxRelativePositions = getNumber(params, "max_relative_positions");
  return maxRelativePositions < 1 ? getNumber(params, "max_position_embeddings") : maxRelativePositions;
}

/**
 * q, k or v of one head by index, from `hidden_states` and the projections if the inputs contain them: v1 `in_proj`
 * (rows of each head as [q|k|v]) with `q_bias` and `v_bias`; v2 `query_proj`, … with biases.
 */
export function projectContent(params: Params, scene: Scene, part: Projection): Factor {
  const dim = debertaHeadDim(params);
  const { inputs, head } = scene;
  const hiddenStates = inputs.hidden_states;
  if (hiddenStates === undefined)
    return scene.content.rows(part === "query" ? "q" : part === "key" ? "k" : "v", head, dim);
  const hidden = factorFromRows(readMatrix(hiddenStates, "hidden_states"));
  const weight = readProjectionMatrix(params, scene, getNumber(params, "version") === 1 ? "in_proj" : `${part}_proj`);
  if (getNumber(params, "version") === 1) {
    const from = head * 3 * dim + IN_PROJ_ORDER.indexOf(part) * dim;
    const bias = part === "key" ? undefined : findInputVector(inputs, part === "query" ? "q_bias" : "v_bias");
    const rows = weight.slice(from, from + dim);
    return linearFactor(hidden, rows, bias?.slice(head * dim, (head + 1) * dim));
  }
  return linearFactor(hidden, weight, findInputVector(inputs, `${part}_proj_bias`), head * dim, dim);
}

function readProjectionMatrix(params: Params, scene: Scene, name: string): number[][] {
  const hidden = resolveHiddenSize(params);
  const rows = name === "in_proj" ? 3 * hidden : hidden;
  const row = readLearnedMatrix(scene.inputs, [name], rows, hidden, () => 0);
  return Array.from({ length: rows }, (_, n) => [...row(n)]);
}

/** Rows of `rel_embeddings`; v3 normalises them (`norm_rel_ebd`). */
function readDistanceEmbeddings(params: Params, scene: Scene): Factor {
  const hidden = resolveHiddenSize(params);
  const span = debertaTableSpan(params);
  const row = readLearnedMatrix(scene.inputs, ["rel_embeddings"], 2 * span, hidden, () => 0);
  if (getString(params, "norm_rel_ebd") !== "layer_norm") return makeFactor(hidden, row);
  const weight = findInputVector(scene.inputs, "rel_layer_norm_weight") ?? [];
  const bias = findInputVector(scene.inputs, "rel_layer_norm_bias") ?? [];
  return makeFactor(hidden, (index) => layerNorm(row(index), weight, bias, getNumber(params, "layer_norm_eps")));
}

/** Names of the projection applied to distance vectors: v1 has separate ones, v2 may share those of the content. */
function distanceProjectionNames(params: Params, part: "query" | "key"): { weight: string; bias: string } {
  if (getNumber(params, "version") === 1) {
    return part === "key" ? { weight: "pos_proj", bias: "" } : { weight: "pos_q_proj", bias: "pos_q_proj_bias" };
  }
  const name = params.share_att_key === true ? `${part}_proj` : `pos_${part}_proj`;
  return { weight: name, bias: `${name}_bias` };
}

/** Kr or Qr of one head by row of `rel_embeddings`, [head_dim]. */
export function projectDistanceTable(params: Params, scene: Scene, part: "query" | "key"): Factor {
  const dim = debertaHeadDim(params);
  const { inputs, head } = scene;
  if (usesExampleValues(inputs)) return exampleDistances(params, head, part);
  const { weight, bias } = distanceProjectionNames(params, part);
  const matrix = readProjectionMatrix(params, scene, weight);
  const vector = bias === "" ? undefined : findInputVector(inputs, bias);
  return linearFactor(readDistanceEmbeddings(params, scene), matrix, vector, head * dim, dim);
}

function exampleDistances(params: Params, head: number, part: "query" | "key"): Factor {
  const dim = debertaHeadDim(params);
  const span = debertaTableSpan(params);
  const salt = part === "key" ? 40 : 41;
  return makeFactor(dim, (index) => {
    const near = Math.exp(-Math.abs(index - span) / (span / 8));
    return Array.from(
      { length: dim },
      (_, c) => exampleValue(salt, head, c, 0.5) * near + exampleValue(salt, (head + 1) * 65_536 + index, c, 0.1),
    );
  });
}
