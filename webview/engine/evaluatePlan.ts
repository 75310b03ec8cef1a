import type { TermRegion } from "../../src/core/terms/term.ts";
import type { FigurePlan, ProductPart } from "./plan.ts";
import type { RelativePart } from "./relativePart.ts";
import { sampleIndex } from "./sampledGrid.ts";

/** Evaluates a plan on the CPU in float64: [rows.count][columns.count]. */

type RegionTest = (k: number, l: number) => boolean;

/** A test whether sample (k, l) lies in a region; null if the region is everything. */
function regionTest(region: TermRegion | undefined, { grid, diagonals }: FigurePlan): RegionTest | null {
  if (region === undefined) return null;
  const { deltaFrom = Number.NEGATIVE_INFINITY, deltaTo = Number.POSITIVE_INFINITY, query, key } = region;
  const { rows, columns } = grid;
  const { rowStep, columnStep, shift, deltaFirst, unit } = diagonals;
  return (k, l) => {
    const delta = deltaFirst + (k * rowStep - l * columnStep + shift) * unit;
    if (delta < deltaFrom || delta >= deltaTo) return false;
    if (query !== undefined && (query === "first") !== (sampleIndex(rows, k) === 0)) return false;
    return key === undefined || (key === "first") === (sampleIndex(columns, l) === 0);
  };
}

/** Σ a·b over one row of each. Four partial sums, because a single chain of additions makes the processor wait. */
function dotRows(a: Float64Array, aAt: number, b: Float64Array, bAt: number, dim: number): number {
  let s0 = 0;
  let s1 = 0;
  let s2 = 0;
  let s3 = 0;
  let c = 0;
  for (; c + 3 < dim; c += 4) {
    s0 += (a[aAt + c] ?? 0) * (b[bAt + c] ?? 0);
    s1 += (a[aAt + c + 1] ?? 0) * (b[bAt + c + 1] ?? 0);
    s2 += (a[aAt + c + 2] ?? 0) * (b[bAt + c + 2] ?? 0);
    s3 += (a[aAt + c + 3] ?? 0) * (b[bAt + c + 3] ?? 0);
  }
  for (; c < dim; c++) s0 += (a[aAt + c] ?? 0) * (b[bAt + c] ?? 0);
  return s0 + s1 + (s2 + s3);
}

function addProfile(out: Float64Array, profile: Float64Array, { grid, diagonals }: FigurePlan): void {
  const columns = grid.columns.count;
  for (let k = 0; k < grid.rows.count; k++) {
    const start = k * diagonals.rowStep + diagonals.shift;
    for (let l = 0; l < columns; l++) {
      const n = k * columns + l;
      out[n] = (out[n] ?? 0) + (profile[start - l * diagonals.columnStep] ?? 0);
    }
  }
}

/**
 * Adds the products of two rows and two columns. Each number is read once for two products, which takes a third of the
 * time.
 */
function addBlockOfFour(
  out: Float64Array,
  { query, key, dim }: ProductPart,
  columns: number,
  k: number,
  l: number,
): void {
  const row = k * dim;
  const column = l * dim;
  let s00 = 0;
  let s01 = 0;
  let s10 = 0;
  let s11 = 0;
  for (let c = 0; c < dim; c++) {
    const a0 = query[row + c] ?? 0;
    const a1 = query[row + dim + c] ?? 0;
    const b0 = key[column + c] ?? 0;
    const b1 = key[column + dim + c] ?? 0;
    s00 += a0 * b0;
    s01 += a0 * b1;
    s10 += a1 * b0;
    s11 += a1 * b1;
  }
  const n = k * columns + l;
  out[n] = (out[n] ?? 0) + s00;
  out[n + 1] = (out[n + 1] ?? 0) + s01;
  out[n + columns] = (out[n + columns] ?? 0) + s10;
  out[n + columns + 1] = (out[n + columns + 1] ?? 0) + s11;
}

function addProduct(out: Float64Array, part: ProductPart, plan: FigurePlan): void {
  const { query, key, dim, region } = part;
  const rows = plan.grid.rows.count;
  const columns = plan.grid.columns.count;
  const holds = regionTest(region, plan);
  const [pairedRows, pairedColumns] = holds === null ? [rows & ~1, columns & ~1] : [0, 0];
  for (let k = 0; k < pairedRows; k += 2) {
    for (let l = 0; l < pairedColumns; l += 2) addBlockOfFour(out, part, columns, k, l);
  }
  for (let k = 0; k < rows; k++) {
    for (let l = k < pairedRows ? pairedColumns : 0; l < columns; l++) {
      if (holds !== null && !holds(k, l)) continue;
      const n = k * columns + l;
      out[n] = (out[n] ?? 0) + dotRows(query, k * dim, key, l * dim, dim);
    }
  }
}

function addRelative(out: Float64Array, part: RelativePart, plan: FigurePlan): void {
  const { grid, diagonals } = plan;
  const { vectors, table, slots, dim } = part;
  const holds = regionTest(part.region, plan);
  for (let k = 0; k < grid.rows.count; k++) {
    for (let l = 0; l < grid.columns.count; l++) {
      if (holds !== null && !holds(k, l)) continue;
      const n = k * grid.columns.count + l;
      const slot = k * diagonals.rowStep - l * diagonals.columnStep + diagonals.shift;
      out[n] =
        (out[n] ?? 0) + dotRows(vectors, (part.side === "rows" ? k : l) * dim, table, (slots[slot] ?? 0) * dim, dim);
    }
  }
}

/** exp(logit − ln Σ exp), row by row. */
function normaliseRows(out: Float64Array, normalisers: Float64Array, columns: number): void {
  for (let n = 0; n < out.length; n++) {
    out[n] = Math.exp((out[n] ?? 0) - (normalisers[Math.floor(n / columns)] ?? 0));
  }
}

/** Values of all cells, including masked ones. */
export function evaluatePlan(plan: FigurePlan): Float64Array {
  const { rows, columns } = plan.grid;
  const out = plan.cells === null ? new Float64Array(rows.count * columns.count) : plan.cells.slice();
  if (plan.profile !== null) addProfile(out, plan.profile, plan);
  for (const part of plan.products) addProduct(out, part, plan);
  for (const part of plan.relatives) addRelative(out, part, plan);
  if (plan.normalisers !== null) normaliseRows(out, plan.normalisers, columns.count);
  return out;
}

/** 1 for each visible cell. */
export function cellVisibility({ ranges, grid }: FigurePlan): Uint8Array {
  const { rows, columns } = grid;
  const out = new Uint8Array(rows.count * columns.count);
  if (ranges === null) return out.fill(1);
  for (let k = 0; k < rows.count; k++) {
    for (let n = 0; n < 4; n += 2) {
      out.fill(1, k * columns.count + (ranges[k * 4 + n] ?? 0), k * columns.count + (ranges[k * 4 + n + 1] ?? 0));
    }
  }
  return out;
}
