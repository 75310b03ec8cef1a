import { type Rounding, toFloat32 } from "../../terms/precision.ts";

/**
 * DeBERTa-v2's signed bucket of a distance (transformers models/deberta_v2, make_log_bucket_position): distances up to
 * buckets/2 are exact, larger ones are rounded up on a logarithmic scale. Buckets are not capped here; the table index
 * is clamped later.
 * @param distance position of the query minus that of the key
 * @param round float32 (default) as in torch; float64 gives other buckets at a few distances
 */
export function debertaBucket(
  distance: number,
  buckets: number,
  maxDistance: number,
  round: Rounding = toFloat32,
): number {
  const middle = Math.floor(buckets / 2);
  const magnitude = Math.abs(distance);
  if (magnitude <= middle) return distance;
  const ratio = round(round(Math.log(round(magnitude / middle))) / round(Math.log(round((maxDistance - 1) / middle))));
  return Math.sign(distance) * (Math.ceil(round(ratio * (middle - 1))) + middle);
}
