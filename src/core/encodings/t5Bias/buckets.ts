import { type Rounding, toFloat32 } from "../../terms/precision.ts";
import type { BucketRule } from "../encoding.ts";

/** T5's distance buckets, bit-identical to torch's float32 arithmetic. */

export interface T5BucketSpec {
  readonly numBuckets: number;
  readonly maxDistance: number;
  /** Encoder: half of the buckets for keys before the query, half for keys after it. */
  readonly bidirectional: boolean;
}

/**
 * Bucket of a relative position (Raffel et al. 2020; transformers models/t5, _relative_position_bucket).
 * @param relative position of the KEY minus that of the QUERY
 * @param round float32 (default) as in torch; float64 gives other buckets at a few distances for unusual settings
 */
export function t5Bucket(spec: T5BucketSpec, relative: number, round: Rounding = toFloat32): number {
  if (!spec.bidirectional) return oneSidedBucket(spec.numBuckets, spec.maxDistance, Math.max(-relative, 0), round);
  const half = Math.floor(spec.numBuckets / 2);
  const bucket = oneSidedBucket(half, spec.maxDistance, Math.abs(relative), round);
  return relative > 0 ? half + bucket : bucket;
}

/** Distances below ⌊n/2⌋ have their own bucket; larger ones share buckets on a logarithmic scale up to maxDistance. */
function oneSidedBucket(bucketCount: number, maxDistance: number, distance: number, round: Rounding): number {
  const exact = Math.floor(bucketCount / 2);
  if (distance < exact) return distance;
  const ratio = round(round(Math.log(round(distance / exact))) / round(Math.log(maxDistance / exact)));
  return Math.min(bucketCount - 1, exact + Math.trunc(round(ratio * (bucketCount - exact))));
}

export function buildT5BucketRule(spec: T5BucketSpec): BucketRule {
  return {
    kind: "t5",
    row: (delta, round) => t5Bucket(spec, -delta, round),
    rowCount: spec.numBuckets,
    lastDistance: spec.maxDistance,
    usesFloat32Log: true,
  };
}

/** Number of distances with their own bucket; maxDistance must exceed it. */
export function exactDistanceCount(spec: Pick<T5BucketSpec, "numBuckets" | "bidirectional">): number {
  return Math.floor((spec.bidirectional ? Math.floor(spec.numBuckets / 2) : spec.numBuckets) / 2);
}

export interface BucketStart {
  readonly bucket: number;
  /** Smallest distance in the bucket. */
  readonly from: number;
  /** Whether the key is at or before the query, or after it. */
  readonly key: "before" | "after";
}

/** Where each bucket begins. Buckets increase with the distance, so each start is found by bisection. */
export function findBucketStarts(spec: T5BucketSpec): BucketStart[] {
  const side = (key: "before" | "after"): BucketStart[] => {
    const sign = key === "after" ? 1 : -1;
    const starts: BucketStart[] = [];
    for (let from = key === "after" ? 1 : 0; from <= spec.maxDistance; ) {
      const bucket = t5Bucket(spec, sign * from);
      starts.push({ bucket, from, key });
      from = findFirstDifferent((distance) => t5Bucket(spec, sign * distance) !== bucket, from, spec.maxDistance + 1);
    }
    return starts;
  };
  return spec.bidirectional ? [...side("before"), ...side("after")] : side("before");
}

/** Smallest distance above `from` for which `differs` is true, or `end`. */
function findFirstDifferent(differs: (distance: number) => boolean, from: number, end: number): number {
  let low = from + 1;
  let high = end;
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if (differs(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}
