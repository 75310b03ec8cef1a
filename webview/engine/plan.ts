import { group } from "d3-array";
import { type Indices, termMatrix } from "../../src/core/terms/engine.ts";
import { visibleKeys } from "../../src/core/terms/region.ts";
import type { Attention, Factor, GatedTerm, ProductTerm, Term, TermRegion } from "../../src/core/terms/term.ts";
import { type ComputeFactorRows, computeFactorRows } from "./factorRows.ts";
import { type RelativePart, relativePart } from "./relativePart.ts";
import type { FigureSource } from "./renderer.ts";
import { type Diagonals, isProfileWorthwhile, type SampledGrid, sampleIndex, visibleDiagonals } from "./sampledGrid.ts";

/** Products that share a region, combined into one product of longer vectors. The scale is in the query's rows. */
export interface ProductPart {
  readonly region: TermRegion | undefined;
  readonly dim: number;
  /** [rows.count][dim] */
  readonly query: Float64Array;
  /** [columns.count][dim] */
  readonly key: Float64Array;
}

/**
 * What a picture needs, evaluated in float64 for the visible positions only. A cell's value is
 *
 *     profile[slot] + Σ products + Σ relatives + cells[k][l]
 *
 * All painters work from this.
 */
export interface FigurePlan {
  readonly grid: SampledGrid;
  readonly diagonals: Diagonals;
  /** By slot of the diagonal. */
  readonly profile: Float64Array | null;
  readonly products: readonly ProductPart[];
  readonly relatives: readonly RelativePart[];
  /** [rows.count][columns.count] */
  readonly cells: Float64Array | null;
  /** Visible samples of each row, [rows.count][4]: two half-open ranges of columns. null: all. */
  readonly ranges: Int32Array | null;
  /** Set if the picture shows weights: ln Σ exp of each row's visible logits. */
  readonly normalisers: Float64Array | null;
}

type AttentionFigureSource = Extract<FigureSource, { kind: "attention" }>;

/** The terms that a picture adds up. */
export function termsToShow({ attention, show }: AttentionFigureSource): readonly Term[] {
  if (show.of === "logits") return attention.terms.filter((term) => !show.hidden.includes(term.id));
  return show.of === "term" ? attention.terms.filter((term) => term.id === show.id) : attention.terms;
}

/** Whether a term's value in its region is a function of δ alone. */
export function hasProfile(term: Term): term is Term & { profile: (delta: number) => number } {
  return term.profile !== undefined && term.region?.query === undefined && term.region?.key === undefined;
}

function isInRegion(region: TermRegion | undefined, delta: number): boolean {
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
    for (const term of terms) if (isInRegion(term.region, delta)) sum += term.scale * term.profile(delta);
    return sum;
  };
}

function evaluateProfile(terms: readonly Term[], diagonals: Diagonals): Float64Array | null {
  const value = profileSum(terms.filter(hasProfile));
  if (terms.length === 0) return null;
  return Float64Array.from({ length: diagonals.count }, (_, slot) =>
    value(diagonals.deltaFirst + slot * diagonals.unit),
  );
}

export function axisIndices(axis: SampledGrid["rows"]): Indices {
  return Array.from({ length: axis.count }, (_, n) => sampleIndex(axis, n));
}

function productParts(terms: readonly ProductTerm[], grid: SampledGrid, rowsOf: ComputeFactorRows): ProductPart[] {
  const groups = group(terms, (term) => JSON.stringify(term.region ?? null));
  return [...groups.values()].map((alike) => ({
    region: alike[0]?.region,
    dim: alike.reduce((sum, term) => sum + term.query.dim, 0),
    query: concatFactors(
      alike.map((term) => ({ factor: term.query, scale: term.scale })),
      grid.rows,
      rowsOf,
    ),
    key: concatFactors(
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

function concatFactors(
  parts: readonly ScaledFactor[],
  axis: SampledGrid["rows"],
  rowsOf: ComputeFactorRows,
): Float64Array {
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

/** Evaluates the remaining terms cell by cell on the CPU. */
function sumCells(attention: Attention, terms: readonly Term[], grid: SampledGrid): Float64Array | null {
  if (terms.length === 0) return null;
  const sum = new Float64Array(grid.rows.count * grid.columns.count);
  const rows = axisIndices(grid.rows);
  const columns = axisIndices(grid.columns);
  for (const term of terms) {
    addScaled(sum, termMatrix(attention, term, rows, columns), term.scale);
  }
  return sum;
}

/** Visible ranges of samples of each row; null if every row sees every column. */
export function visibleColumns(attention: Attention, { rows, columns }: SampledGrid): Int32Array | null {
  const ranges = new Int32Array(rows.count * 4);
  let masked = false;
  const sample = (key: number) =>
    Math.min(columns.count, Math.max(0, Math.ceil((key - columns.first) / columns.stride)));
  for (let k = 0; k < rows.count; k++) {
    const keys = visibleKeys(attention, sampleIndex(rows, k));
    for (const [n, range] of keys.entries()) ranges.set([sample(range.from), sample(range.to)], k * 4 + n * 2);
    masked ||= !keys.some((range) => sample(range.from) === 0 && sample(range.to) === columns.count);
  }
  return masked ? ranges : null;
}

export interface FigurePlanOptions {
  /** Normalisers of the grid's rows, to show weights. */
  readonly normalisers?: Float64Array;
  /** Cached rows of factors. */
  readonly factorRows?: ComputeFactorRows;
}

export type DirectTerm = Exclude<Term, GatedTerm>;

export function isUngated(term: Term): term is DirectTerm {
  return term.kind !== "gated";
}

/** @param terms the terms to add up */
export function planTerms(
  attention: Attention,
  terms: readonly DirectTerm[],
  grid: SampledGrid,
  options: FigurePlanOptions = {},
): FigurePlan {
  const rowsOf = options.factorRows ?? computeFactorRows;
  const diagonals = visibleDiagonals(grid, attention.deltaOffset);
  const byDelta = isProfileWorthwhile(grid, diagonals);
  const byCell: Term[] = [];
  const profiles: Term[] = [];
  const products: ProductTerm[] = [];
  const relatives: RelativePart[] = [];
  for (const term of terms) {
    const relative = byDelta && !hasProfile(term) ? relativePart(term, grid, diagonals, rowsOf) : null;
    if (byDelta && hasProfile(term)) profiles.push(term);
    else if (term.kind === "product") products.push(term);
    else if (relative !== null) relatives.push(relative);
    else byCell.push(term);
  }
  return {
    grid,
    diagonals,
    profile: evaluateProfile(profiles, diagonals),
    products: productParts(products, grid, rowsOf),
    relatives,
    cells: sumCells(attention, byCell, grid),
    ranges: visibleColumns(attention, grid),
    normalisers: options.normalisers ?? null,
  };
}

/** A position table: rows are positions, columns dimensions. */
export function planTable(rows: Factor, grid: SampledGrid): FigurePlan {
  const values = computeFactorRows(rows, grid.rows);
  const { count } = grid.columns;
  const cells = new Float64Array(grid.rows.count * count);
  for (let k = 0; k < grid.rows.count; k++) {
    for (let l = 0; l < count; l++) cells[k * count + l] = values[k * rows.dim + sampleIndex(grid.columns, l)] ?? 0;
  }
  return {
    grid,
    diagonals: visibleDiagonals(grid, 0),
    profile: null,
    products: [],
    relatives: [],
    cells,
    ranges: null,
    normalisers: null,
  };
}
