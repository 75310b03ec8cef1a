import { group } from "d3-array";
import { type Indices, termMatrix } from "../../src/core/terms/engine.ts";
import { visibleKeys } from "../../src/core/terms/region.ts";
import type { Attention, Factor, GatedTerm, ProductTerm, Region, Term } from "../../src/core/terms/term.ts";
import { type FactorRows, freshRows } from "./factorRows.ts";
import { type Diagonals, diagonalsOf, type Grid, indexAt, profilePays } from "./grid.ts";
import { type RelativePart, relativePart } from "./relative.ts";
import type { Source } from "./renderer.ts";

/** Products with one region, as one product of longer vectors. The scale is in the query's rows. */
export interface ProductPart {
  readonly region: Region | undefined;
  readonly dim: number;
  /** [rows.count][dim] */
  readonly query: Float64Array;
  /** [columns.count][dim] */
  readonly key: Float64Array;
}

/**
 * What a picture needs, evaluated in float64 for the visible positions and nowhere else. A cell's value is
 *
 *     profile[slot] + Σ products + Σ relatives + cells[k][l]
 *
 * Both painters work from this.
 */
export interface Plan {
  readonly grid: Grid;
  readonly diagonals: Diagonals;
  /** By slot of the diagonal. */
  readonly profile: Float64Array | null;
  readonly products: readonly ProductPart[];
  readonly relatives: readonly RelativePart[];
  /** [rows.count][columns.count] */
  readonly cells: Float64Array | null;
  /** Samples that a row may see, [rows.count][4]: two half-open ranges of columns. null: all. */
  readonly ranges: Int32Array | null;
  /** ln Σ exp of each row's visible logits: the picture shows weights. */
  readonly normalisers: Float64Array | null;
}

export type AttentionSource = Extract<Source, { kind: "attention" }>;

/** The terms that a picture adds up. */
export function shownTerms({ attention, show }: AttentionSource): readonly Term[] {
  if (show.of === "logits") return attention.terms.filter((term) => !show.hidden.includes(term.id));
  return show.of === "term" ? attention.terms.filter((term) => term.id === show.id) : attention.terms;
}

/** Whether a term's value in its region is a function of δ alone. */
export function isProfile(term: Term): term is Term & { profile: (delta: number) => number } {
  return term.profile !== undefined && term.region?.query === undefined && term.region?.key === undefined;
}

function holdsAt(region: Region | undefined, delta: number): boolean {
  return (
    delta >= (region?.deltaFrom ?? Number.NEGATIVE_INFINITY) && delta < (region?.deltaTo ?? Number.POSITIVE_INFINITY)
  );
}

/** Σ scale · profile(δ) over the terms that hold at δ. */
export function profileSum(
  terms: readonly (Term & { profile: (delta: number) => number })[],
): (delta: number) => number {
  return (delta) => {
    let sum = 0;
    for (const term of terms) if (holdsAt(term.region, delta)) sum += term.scale * term.profile(delta);
    return sum;
  };
}

function profileOf(terms: readonly Term[], diagonals: Diagonals): Float64Array | null {
  const value = profileSum(terms.filter(isProfile));
  if (terms.length === 0) return null;
  return Float64Array.from({ length: diagonals.count }, (_, slot) =>
    value(diagonals.deltaFirst + slot * diagonals.unit),
  );
}

export function samples(axis: Grid["rows"]): Indices {
  return Array.from({ length: axis.count }, (_, n) => indexAt(axis, n));
}

function productParts(terms: readonly ProductTerm[], grid: Grid, rowsOf: FactorRows): ProductPart[] {
  const groups = group(terms, (term) => JSON.stringify(term.region ?? null));
  return [...groups.values()].map((alike) => ({
    region: alike[0]?.region,
    dim: alike.reduce((sum, term) => sum + term.query.dim, 0),
    query: sideBySide(
      alike.map((term) => ({ factor: term.query, scale: term.scale })),
      grid.rows,
      rowsOf,
    ),
    key: sideBySide(
      alike.map((term) => ({ factor: term.key, scale: 1 })),
      grid.columns,
      rowsOf,
    ),
  }));
}

interface ScaledFactor {
  readonly factor: Factor;
  readonly scale: number;
}

function sideBySide(parts: readonly ScaledFactor[], axis: Grid["rows"], rowsOf: FactorRows): Float64Array {
  const only = parts.length === 1 ? parts[0] : undefined;
  if (only !== undefined && only.scale === 1) return rowsOf(only.factor, axis);
  const dim = parts.reduce((sum, part) => sum + part.factor.dim, 0);
  const out = new Float64Array(axis.count * dim);
  let at = 0;
  for (const { factor, scale } of parts) {
    const rows = rowsOf(factor, axis);
    for (let n = 0; n < axis.count; n++) {
      for (let c = 0; c < factor.dim; c++) out[n * dim + at + c] = scale * (rows[n * factor.dim + c] ?? 0);
    }
    at += factor.dim;
  }
  return out;
}

export function addScaled(sum: Float64Array, values: Float64Array, scale: number): void {
  for (let n = 0; n < sum.length; n++) sum[n] = (sum[n] ?? 0) + scale * (values[n] ?? 0);
}

/** Terms that are neither profile nor product nor gathered by δ: cell by cell, on the CPU. */
function cellSum(attention: Attention, terms: readonly Term[], grid: Grid): Float64Array | null {
  if (terms.length === 0) return null;
  const sum = new Float64Array(grid.rows.count * grid.columns.count);
  const rows = samples(grid.rows);
  const columns = samples(grid.columns);
  for (const term of terms) {
    addScaled(sum, termMatrix(attention, term, rows, columns), term.scale);
  }
  return sum;
}

/** Ranges of samples that each row may see; null when every row sees every column. */
export function rangesOf(attention: Attention, { rows, columns }: Grid): Int32Array | null {
  const ranges = new Int32Array(rows.count * 4);
  let masked = false;
  const sample = (key: number) =>
    Math.min(columns.count, Math.max(0, Math.ceil((key - columns.first) / columns.stride)));
  for (let k = 0; k < rows.count; k++) {
    const keys = visibleKeys(attention, indexAt(rows, k));
    for (const [n, range] of keys.entries()) ranges.set([sample(range.from), sample(range.to)], k * 4 + n * 2);
    masked ||= !keys.some((range) => sample(range.from) === 0 && sample(range.to) === columns.count);
  }
  return masked ? ranges : null;
}

export interface PlanOptions {
  /** ln Σ exp of the grid's rows, when weights are shown. */
  readonly normalisers?: Float64Array;
  /** Rows of factors that outlive this plan. */
  readonly factorRows?: FactorRows;
}

export type UngatedTerm = Exclude<Term, GatedTerm>;

export function isUngated(term: Term): term is UngatedTerm {
  return term.kind !== "gated";
}

/** @param terms those that are added up */
export function planTerms(
  attention: Attention,
  terms: readonly UngatedTerm[],
  grid: Grid,
  options: PlanOptions = {},
): Plan {
  const rowsOf = options.factorRows ?? freshRows;
  const diagonals = diagonalsOf(grid, attention.deltaOffset);
  const byDelta = profilePays(grid, diagonals);
  const rest: Term[] = [];
  const profiles: Term[] = [];
  const products: ProductTerm[] = [];
  const relatives: RelativePart[] = [];
  for (const term of terms) {
    const relative = byDelta && !isProfile(term) ? relativePart(term, grid, diagonals, rowsOf) : null;
    if (byDelta && isProfile(term)) profiles.push(term);
    else if (term.kind === "product") products.push(term);
    else if (relative !== null) relatives.push(relative);
    else rest.push(term);
  }
  return {
    grid,
    diagonals,
    profile: profileOf(profiles, diagonals),
    products: productParts(products, grid, rowsOf),
    relatives,
    cells: cellSum(attention, rest, grid),
    ranges: rangesOf(attention, grid),
    normalisers: options.normalisers ?? null,
  };
}

/** A position table: rows are positions, columns dimensions. */
export function planTable(rows: Factor, grid: Grid): Plan {
  const values = freshRows(rows, grid.rows);
  const { count } = grid.columns;
  const cells = new Float64Array(grid.rows.count * count);
  for (let k = 0; k < grid.rows.count; k++) {
    for (let l = 0; l < count; l++) cells[k * count + l] = values[k * rows.dim + indexAt(grid.columns, l)] ?? 0;
  }
  return {
    grid,
    diagonals: diagonalsOf(grid, 0),
    profile: null,
    products: [],
    relatives: [],
    cells,
    ranges: null,
    normalisers: null,
  };
}
