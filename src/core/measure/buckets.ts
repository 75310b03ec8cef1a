import { debertaDistance } from "../encodings/deberta/deberta.ts";
import { furthestDistance, tableSpan } from "../encodings/deberta/weights.ts";
import type { Encoding } from "../encodings/encoding.ts";
import { float64, type Rounding, t5Bucket } from "../encodings/t5Bias/buckets.ts";
import type { Params } from "../spec.ts";

/** How an encoding shares its trained vectors or numbers among distances. */
export interface BucketRule {
  readonly kind: "t5" | "deberta" | "clip";
  /** Row of the table for δ = i − j. */
  readonly at: (delta: number, round?: Rounding) => number;
  /** Rows of the table. */
  readonly rows: number;
  /** From this |δ| on nothing changes any more. */
  readonly last: number;
  /** Rows are told by a float32 logarithm, as torch computes it. */
  readonly rounded: boolean;
}

function whole(params: Params, name: string): number {
  const value = params[name];
  return typeof value === "number" ? value : 0;
}

function t5Rule(params: Params, names: { readonly buckets: string; readonly distance: string }): BucketRule {
  const spec = {
    numBuckets: whole(params, names.buckets),
    maxDistance: whole(params, names.distance),
    bidirectional: params.bidirectional !== false,
  };
  return {
    kind: "t5",
    at: (delta, round) => t5Bucket(spec, -delta, round),
    rows: spec.numBuckets,
    last: spec.maxDistance,
    rounded: true,
  };
}

/** DeBERTa's row before the text's own offset: bucket + span, held inside the table. */
function debertaRule(params: Params): BucketRule {
  const span = tableSpan(params);
  const inBuckets = whole(params, "version") > 1 && whole(params, "position_buckets") > 0;
  return {
    kind: inBuckets ? "deberta" : "clip",
    at: (delta, round) => Math.min(Math.max(debertaDistance(params, delta, round) + span, 0), 2 * span - 1),
    rows: 2 * span,
    last: inBuckets ? furthestDistance(params) : span,
    rounded: inBuckets,
  };
}

function clipRule({ bucketOf }: Encoding, params: Params): BucketRule | null {
  if (bucketOf === undefined) return null;
  const middle = whole(params, "max_relative_position");
  const optional = (name: string, other: number) => (typeof params[name] === "number" ? whole(params, name) : other);
  const left = optional("left_max_position_embeddings", middle);
  const right = optional("right_max_position_embeddings", left);
  return {
    kind: "clip",
    at: bucketOf(params),
    rows: left + right + 1,
    last: Math.max(left, right),
    rounded: false,
  };
}

/** @returns null for encodings that tell every distance apart, or know none */
export function bucketRule(encoding: Encoding, params: Params): BucketRule | null {
  switch (encoding.id) {
    case "t5_bias":
      return t5Rule(params, { buckets: "num_buckets", distance: "max_distance" });
    case "tupe":
      return params.rel_pos === true ? t5Rule(params, { buckets: "rel_pos_bins", distance: "max_rel_pos" }) : null;
    case "deberta":
      return debertaRule(params);
    case "shaw":
      return clipRule(encoding, params);
    default:
      return null;
  }
}

/** Neighbouring distances that share a row. */
export interface BucketRun {
  readonly bucket: number;
  readonly from: number;
  /** Inclusive. */
  readonly to: number;
}

/** Runs over δ = from … to. */
export function bucketRuns(rule: BucketRule, from: number, to: number): BucketRun[] {
  const runs: { bucket: number; from: number; to: number }[] = [];
  for (let delta = from; delta <= to; delta++) {
    const bucket = rule.at(delta);
    const last = runs.at(-1);
    if (last?.bucket === bucket) last.to = delta;
    else runs.push({ bucket, from: delta, to: delta });
  }
  return runs;
}

/** Distances whose row would be another one in float64. */
export function roundedElsewhere(rule: BucketRule, from: number, to: number): number[] {
  if (!rule.rounded) return [];
  const list: number[] = [];
  for (let delta = from; delta <= to; delta++) if (rule.at(delta) !== rule.at(delta, float64)) list.push(delta);
  return list;
}
