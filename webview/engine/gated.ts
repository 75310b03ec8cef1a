import { inRegion, visibleKeys } from "../../src/core/terms/region.ts";
import type { Attention, GatedTerm, Term } from "../../src/core/terms/term.ts";
import { UserError } from "../../src/core/util/errors.ts";
import { evaluatePlan } from "./evaluatePlan.ts";
import { isUngated, planTerms } from "./plan.ts";
import { type SampledAxis, type SampledGrid, sampleAxis, sampleIndex } from "./sampledGrid.ts";

/** Gated terms keep whole rows in memory; longer rows are refused. */
const MAX_GATED_KEYS = 32768;

function isGated(term: Term): term is GatedTerm {
  return term.kind === "gated";
}

function wholeKeyAxis(attention: Attention): SampledAxis {
  if (attention.keyLength > MAX_GATED_KEYS) {
    throw new UserError(`gated terms need whole rows: at most ${MAX_GATED_KEYS} keys`);
  }
  return sampleAxis(0, attention.keyLength, attention.keyLength, attention.keyLength);
}

/** Scaled sum of the ungated terms over every key, masked cells −Infinity: [rows.count][keyLength]. */
export function ungatedRows(attention: Attention, rows: SampledAxis): Float64Array {
  const { keyLength } = attention;
  const base = evaluatePlan(
    planTerms(attention, attention.terms.filter(isUngated), { rows, columns: wholeKeyAxis(attention) }),
  );
  for (let k = 0; k < rows.count; k++) {
    const keys = visibleKeys(attention, sampleIndex(rows, k));
    let from = k * keyLength;
    for (const range of keys) {
      base.fill(Number.NEGATIVE_INFINITY, from, k * keyLength + range.from);
      from = k * keyLength + range.to;
    }
    base.fill(Number.NEGATIVE_INFINITY, from, (k + 1) * keyLength);
  }
  return base;
}

/** Whole rows of the scaled gated terms, [rows.count][keyLength]. */
export function gatedRows(attention: Attention, terms: readonly GatedTerm[], rows: SampledAxis): Float64Array {
  const base = ungatedRows(attention, rows);
  const { keyLength, deltaOffset } = attention;
  const out = new Float64Array(base.length);
  for (let k = 0; k < rows.count; k++) {
    const i = sampleIndex(rows, k);
    const logits = base.slice(k * keyLength, (k + 1) * keyLength);
    for (const term of terms) {
      const values = term.row(i, logits);
      for (let j = 0; j < keyLength; j++) {
        const n = k * keyLength + j;
        if (inRegion(term.region, i, j, i - j + deltaOffset)) out[n] = (out[n] ?? 0) + term.scale * (values[j] ?? 0);
      }
    }
  }
  return out;
}

/** Scaled sum of the gated terms in a grid's cells, [rows.count][columns.count]; null if there are none. */
export function gatedCells(
  attention: Attention,
  terms: readonly Term[],
  { rows: axis, columns }: SampledGrid,
): Float64Array | null {
  const gated = terms.filter(isGated);
  if (gated.length === 0) return null;
  const rows = gatedRows(attention, gated, axis);
  const out = new Float64Array(axis.count * columns.count);
  for (let k = 0; k < axis.count; k++) {
    for (let l = 0; l < columns.count; l++)
      out[k * columns.count + l] = rows[k * attention.keyLength + sampleIndex(columns, l)] ?? 0;
  }
  return out;
}
