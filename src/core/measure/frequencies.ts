import { wavelengths } from "../encodings/rope/frequencies.ts";
import { toBfloat16 } from "../terms/precision.ts";

/**
 * Number of pairs that complete at least one full rotation within `length` positions. The other pairs reach unseen
 * angles beyond it.
 */
export function countFullyRotatingPairs(inverseFrequencies: readonly number[], length: number): number {
  return wavelengths(inverseFrequencies).filter((wavelength) => wavelength <= length).length;
}

/** The first position with the same bfloat16 value as the previous one; undefined if there is none below `length`. */
export function firstBfloat16Collision(length: number): number | undefined {
  for (let position = 1; position < length; position++) {
    if (toBfloat16(position) === toBfloat16(position - 1)) return position;
  }
  return undefined;
}

/** Number of distinct bfloat16 values of the positions 0 … length − 1. */
export function countDistinctBfloat16(length: number): number {
  const seen = new Set<number>();
  for (let position = 0; position < length; position++) seen.add(toBfloat16(position));
  return seen.size;
}
