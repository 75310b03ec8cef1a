import { cachedFunction, dotProduct, evaluateRow } from "./linear.ts";
import type { Factor, RelativeKeyTerm, RelativeQueryTerm } from "./term.ts";

/** The general q · r and k · r terms: a query's or key's vector times a vector of the distance. */

type RelativeTermInput<T> = Omit<T, "kind" | "profile"> & {
  /** All rows of the vectors are equal, so the value depends on δ alone. */
  readonly constant: boolean;
};

/** ⟨A(i), R[index]⟩ (Shaw et al. 2018, equation 4). */
export function buildRelativeQueryTerm({ constant, ...term }: RelativeTermInput<RelativeQueryTerm>): RelativeQueryTerm {
  return { ...term, kind: "relative_query", ...constantVectorProfile(constant, term.query, term) };
}

/** ⟨B(j), R[index]⟩ (DeBERTa's position-to-content). */
export function buildRelativeKeyTerm({ constant, ...term }: RelativeTermInput<RelativeKeyTerm>): RelativeKeyTerm {
  return { ...term, kind: "relative_key", ...constantVectorProfile(constant, term.key, term) };
}

function constantVectorProfile(
  constant: boolean,
  vectors: Factor,
  { table, index }: Pick<RelativeQueryTerm, "table" | "index">,
): { profile?: (delta: number) => number } {
  if (!constant || index.of !== "delta") return {};
  const vector = evaluateRow(vectors, 0);
  const product = cachedFunction(table.dotWith?.(vector) ?? ((row) => dotProduct(vector, evaluateRow(table, row))));
  return { profile: (delta) => product(index.at(delta)) };
}

/** Row of a clipped distance (Shaw) in a table of left + 1 + right rows. */
export function clippedTableRow(relative: number, left: number, right: number): number {
  return Math.min(Math.max(relative, -left), right) + left;
}
