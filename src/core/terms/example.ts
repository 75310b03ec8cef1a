/**
 * The worked example: three tokens with vectors small enough to follow by hand, q = k = x, without projection or scale.
 * Scores without positions, with an absolute position vector, with a bias by distance, and with RoPE's rotation, each
 * with its arithmetic.
 */

import { dotProduct } from "./linear.ts";

type Matrix = readonly (readonly number[])[];

export const EXAMPLE_TOKENS: readonly string[] = ["I", "like", "apples"];

/** Vectors of the three tokens; longer sentences repeat them. */
export const EXAMPLE_VECTORS: Matrix = [
  [1, 0],
  [0, 1],
  [1, 1],
];

export type ExampleKind = "none" | "absolute" | "bias" | "rope";

export interface WorkedExample {
  readonly kind: ExampleKind;
  /** Vectors in the product: x, x + p, or x rotated by its position, [tokens][dim]. */
  readonly vectors: Matrix;
  /** Added to the products, [tokens][tokens]; absent without a bias. */
  readonly bias?: Matrix;
  /** [query][key] */
  readonly scores: Matrix;
  /** Softmax of each row, without a mask. */
  readonly probs: Matrix;
}

function softmax(row: readonly number[]): number[] {
  const max = Math.max(...row);
  const powers = row.map((value) => Math.exp(value - max));
  const sum = powers.reduce((total, value) => total + value, 0);
  return powers.map((value) => value / sum);
}

function dotProducts(queries: Matrix, keys: Matrix): number[][] {
  return queries.map((q) => keys.map((k) => dotProduct(q, k)));
}

function scoreExample(kind: ExampleKind, vectors: Matrix, bias?: Matrix): WorkedExample {
  const scores = dotProducts(vectors, vectors).map((row, i) => row.map((value, j) => value + (bias?.[i]?.[j] ?? 0)));
  return { kind, vectors, ...(bias === undefined ? {} : { bias }), scores, probs: scores.map(softmax) };
}

/** Vectors of `count` tokens. */
export function exampleVectors(count: number): number[][] {
  return Array.from({ length: count }, (_, n) => [...(EXAMPLE_VECTORS[n % EXAMPLE_VECTORS.length] ?? [])]);
}

/** Position vectors [0.1, 0.2], [0.2, 0.3], … of `count` tokens; the first has position 1 + shift. */
export function examplePositions(count: number, shift = 0): number[][] {
  return Array.from({ length: count }, (_, n) => [(n + shift + 1) / 10, (n + shift + 2) / 10]);
}

/** x · x, which does not depend on the order of the tokens. */
export function exampleWithoutPositions(x: Matrix): WorkedExample {
  return scoreExample("none", x);
}

/** (x + p) · (x + p). */
export function exampleAbsolute(x: Matrix, p: Matrix): WorkedExample {
  return scoreExample(
    "absolute",
    x.map((row, n) => row.map((value, c) => value + (p[n]?.[c] ?? 0))),
  );
}

/** The four products of the expansion, which sum to the scores of `exampleAbsolute`. */
export function exampleFourTerms(x: Matrix, p: Matrix) {
  return {
    content_content: dotProducts(x, x),
    content_position: dotProducts(x, p),
    position_content: dotProducts(p, x),
    position_position: dotProducts(p, p),
  };
}

/** Bias by |i − j|; the last value applies to all larger distances. */
export const EXAMPLE_BIAS: readonly number[] = [0, 2, -1];

/** x · x + b(|i − j|), as in T5. */
export function exampleDistanceBias(x: Matrix, byDistance: readonly number[]): WorkedExample {
  const last = byDistance.length - 1;
  const bias = x.map((_, i) => x.map((__, j) => byDistance[Math.min(Math.abs(i - j), last)] ?? 0));
  return scoreExample("bias", x, bias);
}

/**
 * x rotated by position · θ in the plane; the default positions are 1, 2, 3, … Scores depend only on differences of
 * positions.
 */
export function exampleRope(x: Matrix, theta: number, positions = x.map((_, n) => n + 1)): WorkedExample {
  const rotated = x.map((row, n) => {
    const angle = (positions[n] ?? 0) * theta;
    const [a = 0, b = 0] = row;
    return [a * Math.cos(angle) - b * Math.sin(angle), a * Math.sin(angle) + b * Math.cos(angle)];
  });
  return scoreExample("rope", rotated);
}

function formatFactor(value: number): string {
  const text = Number(value.toFixed(3)).toString();
  return value < 0 ? `(${text.replace("-", "−")})` : text;
}

/** The arithmetic of a score: "1·0.2 + 0·1.3 + 2 = 2.2". */
export function exampleArithmetic(example: WorkedExample, i: number, j: number): string {
  const query = example.vectors[i] ?? [];
  const key = example.vectors[j] ?? [];
  const parts = query.map((value, c) => `${formatFactor(value)}·${formatFactor(key[c] ?? 0)}`);
  const bias = example.bias?.[i]?.[j];
  if (bias !== undefined) parts.push(formatFactor(bias));
  const score = example.scores[i]?.[j] ?? 0;
  return `${parts.join(" + ")} = ${formatFactor(score).replace(/[()]/g, "")}`;
}
