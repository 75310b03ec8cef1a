import { float32, type Rounding } from "../t5Bias/buckets.ts";

/**
 * DeBERTa-v2's bucket of a distance, with its sign (transformers models/deberta_v2, make_log_bucket_position):
 * |d| ≤ buckets/2 stays, further ones are the ceiling of a logarithm. There is no cap here; the clamp of the table's
 * index does that.
 * @param distance position of the query minus that of the key
 * @param round float32 (default) as torch; float64 differs at a few distances
 */
export function debertaBucket(
  distance: number,
  buckets: number,
  maxPosition: number,
  round: Rounding = float32,
): number {
  const middle = Math.floor(buckets / 2);
  const far = Math.abs(distance);
  if (far <= middle) return distance;
  const ratio = round(round(Math.log(round(far / middle))) / round(Math.log(round((maxPosition - 1) / middle))));
  return Math.sign(distance) * (Math.ceil(round(ratio * (middle - 1))) + middle);
}
