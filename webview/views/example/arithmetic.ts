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
  position: number,
  made: readonly number[],
  name: string,
): string[] {
  if (kind === "absolute") {
    const p = examplePositions(1, position - 1)[0] ?? [];
    return [`${name} = ${vector(x)} + ${vector(p)} = ${vector(made)}`];
  }
  if (kind === "rope") return [`${name} = R(${position}·θ) ${vector(x)} = ${vector(made)}`];
  return [];
}

/** How one score comes about, in digits, line by line: the two vectors, the products of their parts, what is added. */
export function arithmetic(
  kind: ExampleKind,
  tokens: readonly ExampleToken[],
  { row, column }: Cell,
  shift = 0,
): readonly string[] {
  const example = exampleOf(kind, tokens, shift);
  const [m, n] = [row + 1 + shift, column + 1 + shift];
  const [query, key] = [example.vectors[row] ?? [], example.vectors[column] ?? []];
  const [asking, answering] = [tokens[row], tokens[column]];
  if (asking === undefined || answering === undefined) return [];
  const bias = kind === "bias" ? ` + b(|${m} − ${n}|)` : "";
  const lines = [
    ...making(kind, asking, m, query, "q"),
    ...making(kind, answering, n, key, "k"),
    `${vector(query)} · ${vector(key)}${bias} = ${exampleArithmetic(example, row, column)}`,
  ];
  return kind === "rope" ? [...lines, onlyDifference(asking, answering, m, n)] : lines;
}

/** RoPE's score from the unturned vectors and the difference of positions alone. */
function onlyDifference(
  { vector: [a = 0, b = 0] }: ExampleToken,
  { vector: [c = 0, d = 0] }: ExampleToken,
  m: number,
  n: number,
): string {
  const angle = (m - n) * THETA;
  const [along, across] = [a * c + b * d, a * d - b * c];
  const value = along * Math.cos(angle) + across * Math.sin(angle);
  const turn = `${m} − ${n} = ${digits(m - n)}`;
  return `θ = ${THETA}, ${turn}: ${digits(along)}·cos(${digits(angle)}) + ${bracket(across)}·sin(${digits(angle)}) = ${digits(value)}`;
}

function bracket(value: number): string {
  return value < 0 ? `(${digits(value)})` : digits(value);
}
