import { exampleArithmetic, examplePositions } from "../../../src/core/terms/example.ts";
import { significant } from "../../state/format.ts";
import type { Cell } from "../../state/viewport.ts";
import { type ExampleKind, type ExampleToken, exampleOf, THETA } from "./model.ts";

function digits(value: number): string {
  return significant(Number(value.toFixed(3)), 4);
}

function vector(values: readonly number[]): string {
  return `[${values.map(digits).join(", ")}]`;
}

/** What a vector becomes before it enters the product: nothing, x + p, or x turned by its position. */
function making(
  kind: ExampleKind,
  { vector: x }: ExampleToken,
  at: number,
  made: readonly number[],
  name: string,
): string[] {
  if (kind === "absolute") {
    const p = examplePositions(at + 1)[at] ?? [];
    return [`${name} = ${vector(x)} + ${vector(p)} = ${vector(made)}`];
  }
  if (kind === "rope") return [`${name} = R(${at + 1}·θ) ${vector(x)} = ${vector(made)}`];
  return [];
}

/** How one score comes about, in digits, line by line: the two vectors, the products of their parts, what is added. */
export function arithmetic(
  kind: ExampleKind,
  tokens: readonly ExampleToken[],
  { row, column }: Cell,
): readonly string[] {
  const example = exampleOf(kind, tokens);
  const [query, key] = [example.vectors[row] ?? [], example.vectors[column] ?? []];
  const [asking, answering] = [tokens[row], tokens[column]];
  if (asking === undefined || answering === undefined) return [];
  const bias = kind === "bias" ? ` + b(|${row + 1} − ${column + 1}|)` : "";
  const lines = [
    ...making(kind, asking, row, query, "q"),
    ...making(kind, answering, column, key, "k"),
    `${vector(query)} · ${vector(key)}${bias} = ${exampleArithmetic(example, row, column)}`,
  ];
  return kind === "rope" ? [...lines, onlyDifference(asking, answering, { row, column })] : lines;
}

/** RoPE's score from the unturned vectors and the difference of positions alone. */
function onlyDifference(
  { vector: [a = 0, b = 0] }: ExampleToken,
  { vector: [c = 0, d = 0] }: ExampleToken,
  at: Cell,
): string {
  const angle = (at.row - at.column) * THETA;
  const [along, across] = [a * c + b * d, a * d - b * c];
  const value = along * Math.cos(angle) + across * Math.sin(angle);
  const turn = `${at.row + 1} − ${at.column + 1} = ${digits(at.row - at.column)}`;
  return `θ = ${THETA}, ${turn}: ${digits(along)}·cos(${digits(angle)}) + ${bracket(across)}·sin(${digits(angle)}) = ${digits(value)}`;
}

function bracket(value: number): string {
  return value < 0 ? `(${digits(value)})` : digits(value);
}
