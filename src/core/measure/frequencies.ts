import { toBfloat16 } from "../terms/precision.ts";

/** Tokens per full turn of a pair, 2π/ω; Infinity for pairs that do not turn. */
export function wavelengths(inverseFrequencies: readonly number[]): number[] {
  return inverseFrequencies.map((frequency) => (frequency > 0 ? (2 * Math.PI) / frequency : Number.POSITIVE_INFINITY));
}

/** How many pairs complete at least one turn within `length` positions: the others meet new angles beyond it. */
export function pairsPastOneTurn(inverseFrequencies: readonly number[], length: number): number {
  return wavelengths(inverseFrequencies).filter((wavelength) => wavelength <= length).length;
}

/** The first position that bfloat16 cannot tell from its predecessor; undefined below `length`. */
export function firstBfloat16Collision(length: number): number | undefined {
  for (let position = 1; position < length; position++) {
    if (toBfloat16(position) === toBfloat16(position - 1)) return position;
  }
  return undefined;
}

/** How many different values the positions 0 … length − 1 have in bfloat16. */
export function distinctBfloat16(length: number): number {
  const seen = new Set<number>();
  for (let position = 0; position < length; position++) seen.add(toBfloat16(position));
  return seen.size;
}
