import { inRegion, visibleKeys } from "../../src/core/terms/region.ts";
import type { Attention, GatedTerm, Term } from "../../src/core/terms/term.ts";
import { UserError } from "../../src/core/util/errors.ts";
import { evaluate } from "./evaluate.ts";
import { type Axis, axisOf, type Grid, indexAt } from "./grid.ts";
import {
  type AttentionSource,
  addScaled,
  isUngated,
  type Plan,
  type PlanOptions,
  planTable,
  planTerms,
  shownTerms,
} from "./plan.ts";
import type { Source } from "./renderer.ts";

/** Keys whose rows are held whole: beyond, a gated encoding is said to be out of reach. */
const LONGEST = 32768;

function isGated(term: Term): term is GatedTerm {
  return term.kind === "gated";
}

function allKeys(attention: Attention): Axis {
  if (attention.keyLength > LONGEST) {
    throw new UserError(`gated terms need whole rows: at most ${LONGEST} keys`);
  }
  return axisOf(0, attention.keyLength, attention.keyLength, attention.keyLength);
}

/** Scaled sum of the ungated terms over every key, masked cells −Infinity: [rows.count][keyLength]. */
export function ungatedRows(attention: Attention, rows: Axis): Float64Array {
  const { keyLength } = attention;
  const base = evaluate(planTerms(attention, attention.terms.filter(isUngated), { rows, columns: allKeys(attention) }));
  for (let k = 0; k < rows.count; k++) {
    const keys = visibleKeys(attention, indexAt(rows, k));
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
export function gatedRows(attention: Attention, terms: readonly GatedTerm[], rows: Axis): Float64Array {
  const base = ungatedRows(attention, rows);
  const { keyLength, deltaOffset } = attention;
  const out = new Float64Array(base.length);
  for (let k = 0; k < rows.count; k++) {
    const i = indexAt(rows, k);
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

function sampled(rows: Float64Array, keyLength: number, { rows: axis, columns }: Grid): Float64Array {
  const out = new Float64Array(axis.count * columns.count);
  for (let k = 0; k < axis.count; k++) {
    for (let l = 0; l < columns.count; l++) out[k * columns.count + l] = rows[k * keyLength + indexAt(columns, l)] ?? 0;
  }
  return out;
}

function planAttention(source: AttentionSource, grid: Grid, options: PlanOptions): Plan {
  const { attention } = source;
  const terms = shownTerms(source);
  const plan = planTerms(attention, terms.filter(isUngated), grid, options);
  const gated = terms.filter(isGated);
  if (gated.length === 0) return plan;
  const cells = sampled(gatedRows(attention, gated, grid.rows), attention.keyLength, grid);
  if (plan.cells !== null) addScaled(cells, plan.cells, 1);
  return { ...plan, cells };
}

/** Everything that a picture of this source needs. */
export function planOf(source: Source, grid: Grid, options: PlanOptions = {}): Plan {
  return source.kind === "table" ? planTable(source.rows, grid) : planAttention(source, grid, options);
}

/** Rows and columns of a source. */
export function extentOf(source: Source): { rows: number; columns: number } {
  if (source.kind === "table") return { rows: source.count, columns: source.rows.dim };
  return { rows: source.attention.queryLength, columns: source.attention.keyLength };
}
