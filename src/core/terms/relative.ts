import { dotOf, keptValue, rowOf } from "./linear.ts";
import type { Factor, RelativeKeyTerm, RelativeQueryTerm } from "./term.ts";

/** The general q · r and k · r forms: a query's (or key's) vector times a vector of the distance. */

type Given<T> = Omit<T, "kind" | "profile"> & {
  /** Every row of the vectors is the same, so that δ alone decides the value. */
  readonly constant: boolean;
};

/** ⟨A(i), R[index]⟩ (Shaw et al. 2018, equation 4). */
export function relativeQuery({ constant, ...term }: Given<RelativeQueryTerm>): RelativeQueryTerm {
  return { ...term, kind: "relative_query", ...constantProfile(constant, term.query, term) };
}

/** ⟨B(j), R[index]⟩ (DeBERTa's position-to-content). */
export function relativeKey({ constant, ...term }: Given<RelativeKeyTerm>): RelativeKeyTerm {
  return { ...term, kind: "relative_key", ...constantProfile(constant, term.key, term) };
}

function constantProfile(
  constant: boolean,
  vectors: Factor,
  { table, index }: Pick<RelativeQueryTerm, "table" | "index">,
): { profile?: (delta: number) => number } {
  if (!constant || index.of !== "delta") return {};
  const vector = rowOf(vectors, 0);
  const product = keptValue(table.along?.(vector) ?? ((row) => dotOf(vector, rowOf(table, row))));
  return { profile: (delta) => product(index.at(delta)) };
}

/** Shaw's clip of a distance into a table of left + 1 + right rows. */
export function clippedIndex(relative: number, left: number, right: number): number {
  return Math.min(Math.max(relative, -left), right) + left;
}
