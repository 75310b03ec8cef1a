import { bucketedDistance } from "../encodings/deberta/deberta.ts";
import { debertaMaxDistance, debertaTableSpan } from "../encodings/deberta/weights.ts";
import type { Encoding } from "../encodings/encoding.ts";
import { keepFloat64, type Rounding, t5Bucket } from "../encodings/t5Bias/buckets.ts";
import type { Params } from "../spec.ts";

/** How an encoding shares its learned vectors or scalars among distances. */
export interface BucketRule {
  readonly kind: "t5" | "deberta" | "clip";
  /** Table row for δ = i − j. */
  readonly row: (delta: number, round?: Rounding) => number;
  /** Number of rows of the table. */
  readonly rowCount: number;
  /** From this |δ| on, all distances share one row per side. */
  readonly lastDistance: number;
  /** Rows are computed from a float32 logarithm, as in torch. */
  readonly usesFloat32Log: boolean;
}

function numberOrZero(params: Params, name: string): number {
  const value = params[name];
  return typeof value === "number" ? value : 0;
}

function buildT5Rule(params: Params, names: { readonly buckets: string; readonly distance: string }): BucketRule {
  const spec = {
    numBuckets: numberOrZero(params, names.buckets),
    maxDistance: numberOrZero(params, names.distance),
    bidirectional: params.bidirectional !== false,
  };
  return {
    kind: "t5",
    row: (delta, round) => t5Bucket(spec, -delta, round),
    rowCount: spec.numBuckets,
    lastDistance: spec.maxDistance,
    usesFloat32Log: true,
  };
}

/** DeBERTa's row before v1's offset for short texts: bucket + span, clamped to the table. */
function buildDebertaRule(params: Params): BucketRule {
  const span = debertaTableSpan(params);
  const inBuckets = numberOrZero(params, "version") > 1 && numberOrZero(params, "position_buckets") > 0;
  return {
    kind: inBuckets ? "deberta" : "clip",
    row: (delta, round) => Math.min(Math.max(bucketedDistance(params, delta, round) + span, 0), 2 * span - 1),
    rowCount: 2 * span,
    lastDistance: inBuckets ? debertaMaxDistance(params) : span,
    usesFloat32Log: inBuckets,
  };
}

function buildClipRule({ bucketByDistance }: Encoding, params: Params): BucketRule | null {
  if (bucketByDistance === undefined) return null;
  const middle = numberOrZero(params, "max_relative_position");
  const optional = (name: string, fallback: number) =>
    typeof params[name] === "number" ? numberOrZero(params, name) : fallback;
  const left = optional("left_max_position_embeddings", middle);
  const right = optional("right_max_position_embeddings", left);
  return {
    kind: "clip",
    row: bucketByDistance(params),
    rowCount: left + right + 1,
    lastDistance: Math.max(left, right),
    usesFloat32Log: false,
  };
}

/** @returns null if the encoding gives every distance its own value or does not use distances */
export function resolveBucketRule(encoding: Encoding, params: Params): BucketRule | null {
  switch (encoding.id) {
    case "t5_bias":
      return buildT5Rule(params, { buckets: "num_buckets", distance: "max_distance" });
    case "tupe":
      return params.rel_pos === true ? buildT5Rule(params, { buckets: "rel_pos_bins", distance: "max_rel_pos" }) : null;
    case "deberta":
      return buildDebertaRule(params);
    case "shaw":
      return buildClipRule(encoding, params);
    default:
      return null;
  }
}

/** Consecutive distances that share a row. */
export interface BucketRun {
  readonly bucket: number;
  readonly from: number;
  /** Inclusive. */
  readonly to: number;
}

/** Lists the runs over δ = from … to. */
export function listBucketRuns(rule: BucketRule, from: number, to: number): BucketRun[] {
  const runs: { bucket: number; from: number; to: number }[] = [];
  for (let delta = from; delta <= to; delta++) {
    const bucket = rule.row(delta);
    const last = runs.at(-1);
    if (last?.bucket === bucket) last.to = delta;
    else runs.push({ bucket, from: delta, to: delta });
  }
  return runs;
}

/** Distances whose row would differ in float64. */
export function findRoundingDifferences(rule: BucketRule, from: number, to: number): number[] {
  if (!rule.usesFloat32Log) return [];
  const distances: number[] = [];
  for (let delta = from; delta <= to; delta++)
    if (rule.row(delta) !== rule.row(delta, keepFloat64)) distances.push(delta);
  return distances;
}
