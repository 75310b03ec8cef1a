import { exampleArithmetic, examplePositions } from "../../../src/core/terms/example.ts";
import type { MatrixCell } from "../../matrix/viewport.ts";
import { formatSignificant } from "../../ui/format.ts";
import { computeExample, type ExampleKind, type ExampleToken, THETA } from "./computeExample.ts";

function shortDigits(value: number): string {
  return formatSignificant(Number(value.toFixed(3)), 4);
}

function formatVector(values: readonly number[]): string {
  return `[${values.map(shortDigits).join(", ")}]`;
}

/** How a vector changes before the product: not at all, x + p, or x rotated by its position. */
function vectorSteps(
  kind: ExampleKind,
  { vector: x }: ExampleToken,
  position: number,
  result: readonly number[],
  name: string,
): string[] {
  if (kind === "absolute") {
    const p = examplePositions(1, position - 1)[0] ?? [];
    return [`${name} = ${formatVector(x)} + ${formatVector(p)} = ${formatVector(result)}`];
  }
  if (kind === "rope") return [`${name} = R(${position}·θ) ${formatVector(x)} = ${formatVector(result)}`];
  return [];
}

/** The computation of one score, line by line: the two vectors, their products, and what is added. */
export function scoreSteps(
  kind: ExampleKind,
  tokens: readonly ExampleToken[],
  { row, column }: MatrixCell,
  shift = 0,
): readonly string[] {
  const example = computeExample(kind, tokens, shift);
  const [m, n] = [row + 1 + shift, column + 1 + shift];
  const [query, key] = [example.vectors[row] ?? [], example.vectors[column] ?? []];
  const [queryToken, keyToken] = [tokens[row], tokens[column]];
  if (queryToken === undefined || keyToken === undefined) return [];
  const bias = kind === "bias" ? ` + b(|${m} − ${n}|)` : "";
  const lines = [
    ...vectorSteps(kind, queryToken, m, query, "q"),
    ...vectorSteps(kind, keyToken, n, key, "k"),
    `${formatVector(query)} · ${formatVector(key)}${bias} = ${exampleArithmetic(example, row, column)}`,
  ];
  return kind === "rope" ? [...lines, relativeForm(queryToken, keyToken, m, n)] : lines;
}

/** RoPE's score computed from the unrotated vectors and the difference of positions alone. */
function relativeForm(
  { vector: [a = 0, b = 0] }: ExampleToken,
  { vector: [c = 0, d = 0] }: ExampleToken,
  m: number,
  n: number,
): string {
  const angle = (m - n) * THETA;
  const [along, across] = [a * c + b * d, a * d - b * c];
  const value = along * Math.cos(angle) + across * Math.sin(angle);
  const difference = `${m} − ${n} = ${shortDigits(m - n)}`;
  return `θ = ${THETA}, ${difference}: ${shortDigits(along)}·cos(${shortDigits(angle)}) + ${bracketNegative(across)}·sin(${shortDigits(angle)}) = ${shortDigits(value)}`;
}

function bracketNegative(value: number): string {
  return value < 0 ? `(${shortDigits(value)})` : shortDigits(value);
}
