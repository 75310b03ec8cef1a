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
  if (kind !== "rope") return lines;
  return [...lines, symbolicForm(queryToken, keyToken, m, n), relativeForm(queryToken, keyToken, m, n)];
}

/** A factor and a symbol: "", "−", "2 " before it; nothing for zero. */
function symbolicTerm(factor: number, symbol: string): string {
  if (factor === 0) return "";
  const size = Math.abs(factor) === 1 ? "" : `${shortDigits(Math.abs(factor))} `;
  return `${factor < 0 ? "−" : "+"}${size}${symbol}`;
}

/** "+a", "−b" → "a − b"; "0" if there is nothing to add. */
function joinTerms(terms: readonly string[]): string {
  const present = terms.filter((term) => term !== "");
  if (present.length === 0) return "0";
  return present
    .map((term, n) => {
      const [sign, rest] = [term.slice(0, 1), term.slice(1)];
      if (n === 0) return sign === "+" ? rest : `−${rest}`;
      return ` ${sign} ${rest}`;
    })
    .join("");
}

/** "mθ", "θ", "−2θ"; the sign is 0 for no angle. */
function multipleOfTheta(count: number): string {
  const size = Math.abs(count) === 1 ? "θ" : `${Math.abs(count)}θ`;
  return count < 0 ? `−${size}` : size;
}

/** A coordinate of R(pθ)(x, y) in symbols. */
function rotatedCoordinate(cosine: number, sine: number, position: number): string {
  const angle = multipleOfTheta(position);
  return joinTerms([symbolicTerm(cosine, `cos ${angle}`), symbolicTerm(sine, `sin ${angle}`)]);
}

/**
 * RoPE's score in symbols, before θ gets its value: for [1, 0] at 1 and [0, 1] at 2, cos θ·(−sin 2θ) + sin θ·cos 2θ =
 * −sin θ.
 */
export function symbolicForm(
  { vector: [a = 0, b = 0] }: Pick<ExampleToken, "vector">,
  { vector: [c = 0, d = 0] }: Pick<ExampleToken, "vector">,
  m: number,
  n: number,
): string {
  const inFactor = (text: string, isFirst: boolean) =>
    /[ ]/.test(text.replace(/(cos|sin) /g, "")) || (!isFirst && text.startsWith("−")) ? `(${text})` : text;
  const product = (left: string, right: string) =>
    left === "0" || right === "0" ? "" : `+${inFactor(left, true)}·${inFactor(right, false)}`;
  const x = product(rotatedCoordinate(a, -b, m), rotatedCoordinate(c, -d, n));
  const y = product(rotatedCoordinate(b, a, m), rotatedCoordinate(d, c, n));
  const [along, across, distance] = [a * c + b * d, a * d - b * c, m - n];
  // Cosine is even and sine is odd, so the angle is written without a sign.
  const angle = multipleOfTheta(Math.abs(distance));
  const result =
    distance === 0
      ? shortDigits(along)
      : joinTerms([symbolicTerm(along, `cos ${angle}`), symbolicTerm(Math.sign(distance) * across, `sin ${angle}`)]);
  return `q${subscript(m)}·k${subscript(n)} = ${joinTerms([x, y])} = ${result}`;
}

const SUBSCRIPTS = "₀₁₂₃₄₅₆₇₈₉";

function subscript(position: number): string {
  return String(position).replace(/\d/g, (digit) => SUBSCRIPTS[Number(digit)] ?? digit);
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
