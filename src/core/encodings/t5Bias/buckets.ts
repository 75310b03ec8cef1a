/** T5's buckets of distances, equal to the last bit to torch's float32 arithmetic. */

export interface T5Buckets {
  readonly numBuckets: number;
  readonly maxDistance: number;
  /** Encoder: half of the buckets for keys behind the query, half for keys before it. */
  readonly bidirectional: boolean;
}

/** Arithmetic of a bucket's logarithm: float32 is what models compute. */
export type Rounding = (value: number) => number;

export const float32: Rounding = Math.fround;
export const float64: Rounding = (value) => value;

/**
 * Bucket of a relative position (Raffel et al. 2020; transformers models/t5, _relative_position_bucket).
 * @param relative position of the KEY minus that of the QUERY
 * @param round float32 (default) as torch; float64 differs at a few distances for unusual settings
 */
export function t5Bucket(spec: T5Buckets, relative: number, round: Rounding = float32): number {
  if (!spec.bidirectional) return oneSidedBucket(spec.numBuckets, spec.maxDistance, Math.max(-relative, 0), round);
  const half = Math.floor(spec.numBuckets / 2);
  const bucket = oneSidedBucket(half, spec.maxDistance, Math.abs(relative), round);
  return relative > 0 ? half + bucket : bucket;
}

/** Distances below ⌊n/2⌋ have a bucket each; further ones share, on a logarithmic scale up to maxDistance. */
function oneSidedBucket(n: number, maxDistance: number, distance: number, round: Rounding): number {
  const exact = Math.floor(n / 2);
  if (distance < exact) return distance;
  const ratio = round(round(Math.log(round(distance / exact))) / round(Math.log(maxDistance / exact)));
  return Math.min(n - 1, exact + Math.trunc(round(ratio * (n - exact))));
}

/** Number of distances that have a bucket of their own: maxDistance must exceed it. */
export function exactDistances(spec: Pick<T5Buckets, "numBuckets" | "bidirectional">): number {
  return Math.floor((spec.bidirectional ? Math.floor(spec.numBuckets / 2) : spec.numBuckets) / 2);
}

export interface BucketStart {
  readonly bucket: number;
  /** Smallest distance that falls into the bucket. */
  readonly from: number;
  /** Whether the key stands before (or at) the query, or after it. */
  readonly key: "before" | "after";
}

/** Where each bucket begins. Buckets grow with distance, so each start is found by bisection. */
export function bucketStarts(spec: T5Buckets): BucketStart[] {
  const side = (key: "before" | "after"): BucketStart[] => {
    const sign = key === "after" ? 1 : -1;
    const starts: BucketStart[] = [];
    for (let from = key === "after" ? 1 : 0; from <= spec.maxDistance; ) {
      const bucket = t5Bucket(spec, sign * from);
      starts.push({ bucket, from, key });
      from = firstBeyond((distance) => t5Bucket(spec, sign * distance) !== bucket, from, spec.maxDistance + 1);
    }
    return starts;
  };
  return spec.bidirectional ? [...side("before"), ...side("after")] : side("before");
}

/** Smallest distance above `from` that differs, or `end`. */
function firstBeyond(differs: (distance: number) => boolean, from: number, end: number): number {
  let low = from + 1;
  let high = end;
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if (differs(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}
