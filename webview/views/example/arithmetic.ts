import { exampleArithmetic } from "../../../src/core/terms/example.ts";
import { significant } from "../../state/format.ts";
import type { Cell } from "../../state/viewport.ts";
import { type ExampleKind, exampleOf, THETA } from "./model.ts";

function vector(values: readonly number[]): string {
  return `[${values.map((value) => significant(Number(value.toFixed(3)), 4)).join(", ")}]`;
}

/** How one score comes about, in digits: the two vectors as they enter the product, then the sum. */
export function arithmetic(kind: ExampleKind, tokens: readonly string[], { row, column }: Cell): string {
  const example = exampleOf(kind, tokens);
  const vectors = `${vector(example.vectors[row] ?? [])} · ${vector(example.vectors[column] ?? [])}`;
  const bias = kind === "bias" ? ` + b(${Math.abs(row - column)})` : "";
  const angle = kind === "rope" ? `  (θ = ${THETA}, ${column + 1} − ${row + 1})` : "";
  return `${vectors}${bias} = ${exampleArithmetic(example, row, column)}${angle}`;
}
