import type { BucketRule } from "../encodings/encoding.ts";
import { keepFloat64 } from "../terms/precision.ts";

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
