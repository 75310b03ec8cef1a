import type { Factor, Term, TermRegion } from "../../src/core/terms/term.ts";
import type { ComputeFactorRows } from "./factorRows.ts";
import type { Diagonals, SampledGrid } from "./sampledGrid.ts";

/** ⟨vector, R[index(δ)]⟩: every vector times every table row that the visible diagonals use, gathered by diagonal. */
export interface RelativePart {
  readonly region: TermRegion | undefined;
  /** Whose vectors: the rows' (query) or the columns' (key). */
  readonly side: "rows" | "columns";
  readonly dim: number;
  /** [count of that axis][dim], scaled */
  readonly vectors: Float64Array;
  /** [tableRows][dim] */
  readonly table: Float64Array;
  readonly tableRows: number;
  /** Row of `table` for each slot of the diagonals. */
  readonly slots: Int32Array;
}

/** Collects each used table row once. */
function gatherTable(table: Factor, at: (delta: number) => number, diagonals: Diagonals) {
  const local = new Map<number, number>();
  const slots = Int32Array.from({ length: diagonals.count }, (_, slot) => {
    const index = at(diagonals.deltaFirst + slot * diagonals.unit);
    const known = local.get(index) ?? local.size;
    local.set(index, known);
    return known;
  });
  const rows = new Float64Array(local.size * table.dim);
  for (const [index, n] of local) table.write(index, rows, n * table.dim);
  return { slots, rows, count: local.size };
}

/** null for terms of other kinds, and for indices that are not functions of δ. */
export function relativePart(
  term: Term,
  grid: SampledGrid,
  diagonals: Diagonals,
  rowsOf: ComputeFactorRows,
): RelativePart | null {
  if (term.kind !== "relative_query" && term.kind !== "relative_key") return null;
  if (term.index.of !== "delta") return null;
  const table = gatherTable(term.table, term.index.at, diagonals);
  const side = term.kind === "relative_query" ? "rows" : "columns";
  const vectors = term.kind === "relative_query" ? rowsOf(term.query, grid.rows) : rowsOf(term.key, grid.columns);
  return {
    region: term.region,
    side,
    dim: term.table.dim,
    vectors: vectors.map((value) => value * term.scale),
    table: table.rows,
    tableRows: table.count,
    slots: table.slots,
  };
}
