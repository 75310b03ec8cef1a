import { logitMatrix } from "../../src/core/terms/engine.ts";
import { inRegion } from "../../src/core/terms/region.ts";
import type { Attention, Term } from "../../src/core/terms/term.ts";

/** Region bounds that look at more than δ. */
function byDelta({ profile, region }: Term): boolean {
  return profile !== undefined && region?.query === undefined && region?.key === undefined;
}

/** δ alone decides every logit: it can be had without a row. */
export function isClosed({ terms }: Attention): boolean {
  return terms.every(byDelta);
}

/** The logit at a distance, from the terms' closed forms. */
export function closedLogit({ terms }: Attention, delta: number): number {
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
