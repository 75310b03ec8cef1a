/**
 * The worked example: three tokens with vectors small enough to follow by hand, q = k = x, no projection and no
 * scale; the same scores without positions, with an absolute vector added, with a bias by distance, and turned as
 * RoPE turns. Every score comes with the arithmetic that led to it.
 */

import { dotOf } from "./linear.ts";

type Matrix = readonly (readonly number[])[];

export const EXAMPLE_TOKENS: readonly string[] = ["I", "like", "apples"];

/** Vectors of the three tokens; longer sentences go on cyclically. */
export const EXAMPLE_VECTORS: Matrix = [
  [1, 0],
  [0, 1],
  [1, 1],
];

export type ExampleKind = "none" | "absolute" | "bias" | "rope";

export interface WorkedExample {
  readonly kind: ExampleKind;
  /** What enters the product: x, x + p, or x turned by its position, [tokens][dim]. */
  readonly vectors: Matrix;
  /** Added to the products, [tokens][tokens]; absent where nothing is. */
  readonly bias?: Matrix;
  /** [query][key] */
  readonly scores: Matrix;
  /** softmax of each row, no mask. */
  readonly probs: Matrix;
}

function softmax(row: readonly number[]): number[] {
  const max = Math.max(...row);
  const powers = row.map((value) => Math.exp(value - max));
  const sum = powers.reduce((total, value) => total + value, 0);
  return powers.map((value) => value / sum);
}

function products(queries: Matrix, keys: Matrix): number[][] {
  return queries.map((q) => keys.map((k) => dotOf(q, k)));
}

function finish(kind: ExampleKind, vectors: Matrix, bias?: Matrix): WorkedExample {
  const scores = products(vectors, vectors).map((row, i) => row.map((value, j) => value + (bias?.[i]?.[j] ?? 0)));
  return { kind, vectors, ...(bias === undefined ? {} : { bias }), scores, probs: scores.map(softmax) };
}

/** Vectors of `count` tokens. */
export function exampleVectors(count: number): number[][] {
  return Array.from({ length: count }, (_, n) => [...(EXAMPLE_VECTORS[n % EXAMPLE_VECTORS.length] ?? [])]);
}

/** Position vectors [0.1, 0.2], [0.2, 0.3], … of `count` tokens, the first of them at position 1 + shift. */
export function examplePositions(count: number, shift = 0): number[][] {
  return Array.from({ length: count }, (_, n) => [(n + shift + 1) / 10, (n + shift + 2) / 10]);
}

/** x · x: the same numbers in any order of the tokens. */
export function exampleWithout(x: Matrix): WorkedExample {
  return finish("none", x);
}

/** (x + p) · (x + p). */
export function exampleAbsolute(x: Matrix, p: Matrix): WorkedExample {
  return finish(
    "absolute",
    x.map((row, n) => row.map((value, c) => value + (p[n]?.[c] ?? 0))),
  );
}

/** The four products of the expansion, which sum to the absolute example's scores. */
export function exampleFourTerms(x: Matrix, p: Matrix) {
  return {
    content_content: products(x, x),
    content_position: products(x, p),
    position_content: products(p, x),
    position_position: products(p, p),
  };
}

/** Bias by |i − j|; the last value holds from its distance on. */
export const EXAMPLE_BIAS: readonly number[] = [0, 2, -1];

/** x · x + b(|i − j|), in the manner of T5. */
export function exampleBias(x: Matrix, byDistance: readonly number[]): WorkedExample {
  const last = byDistance.length - 1;
  const bias = x.map((_, i) => x.map((__, j) => byDistance[Math.min(Math.abs(i - j), last)] ?? 0));
  return finish("bias", x, bias);
}

/** x turned by position · θ in the plane; positions 1, 2, 3, … unless given. Only differences of positions are left. */
export function exampleRope(x: Matrix, theta: number, positions = x.map((_, n) => n + 1)): WorkedExample {
  const turned = x.map((row, n) => {
    const angle = (positions[n] ?? 0) * theta;
    const [a = 0, b = 0] = row;
    return [a * Math.cos(angle) - b * Math.sin(angle), a * Math.sin(angle) + b * Math.cos(angle)];
  });
  return finish("rope", turned);
}

function short(value: number): string {
  const text = Number(value.toFixed(3)).toString();
  return value < 0 ? `(${text.replace("-", "−")})` : text;
}

/** The arithmetic behind a score: "1·0.2 + 0·1.3 + 2 = 2.2". */
export function exampleArithmetic(example: WorkedExample, i: number, j: number): string {
  const query = example.vectors[i] ?? [];
  const key = example.vectors[j] ?? [];
  const parts = query.map((value, c) => `${short(value)}·${short(key[c] ?? 0)}`);
  const bias = example.bias?.[i]?.[j];
  if (bias !== undefined) parts.push(short(bias));
  const score = example.scores[i]?.[j] ?? 0;
  return `${parts.join(" + ")} = ${short(score).replace(/[()]/g, "")}`;
}
