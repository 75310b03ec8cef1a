import { logitMatrix } from "../../src/core/terms/engine.ts";
import { inRegion } from "../../src/core/terms/region.ts";
import type { Attention, Term } from "../../src/core/terms/term.ts";

/** Whether a term and its region depend only on δ. */
function isDistanceTerm({ profile, region }: Term): boolean {
  return profile !== undefined && region?.query === undefined && region?.key === undefined;
}

/** Whether every logit depends only on δ and can be computed without a row. */
export function dependsOnlyOnDistance({ terms }: Attention): boolean {
  return terms.every(isDistanceTerm);
}

/** The logit at a distance, from the terms' closed forms. */
export function distanceLogit({ terms }: Attention, delta: number): number {
  let sum = 0;
  for (const { region, profile, scale } of terms) {
    if (inRegion(region, 0, 0, delta)) sum += scale * (profile?.(delta) ?? 0);
  }
  return sum;
}

/** The logits of a query at these distances. */
export function rowLogits(attention: Attention, row: number, deltas: readonly number[]): Float64Array {
  const keys = deltas.map((delta) => row + attention.deltaOffset - delta);
  return logitMatrix(attention, [row], keys);
}
