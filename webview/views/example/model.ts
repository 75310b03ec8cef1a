import type { Localized } from "../../../src/core/l10n.ts";
import { listFactor } from "../../../src/core/terms/content.ts";
import { indexRange, logitMatrix, weightMatrix } from "../../../src/core/terms/engine.ts";
import type { Attention, BiasTerm, ProductTerm } from "../../../src/core/terms/term.ts";

/**
 * The worked example: three tokens with two-dimensional vectors, identity projections and no scaling, under no
 * position encoding and three kinds of it. Positions count from 1.
 */
export type ExampleKind = "none" | "absolute" | "bias" | "rope";

export type Pair = readonly [number, number];

/** Angle between neighbouring positions: the only frequency of RoPE in two dimensions. */
export const THETA = 1;

const KNOWN: Readonly<Record<string, Pair>> = { I: [1, 0], like: [0, 1], apples: [1, 1] };

/** Vectors for other words, chosen by their letters so that a word always has the same one. */
const OTHERS: readonly Pair[] = [
  [2, 0],
  [0, 2],
  [1, -1],
  [2, 1],
  [1, 2],
  [-1, 1],
  [2, 2],
  [-1, 0],
  [0, -1],
];

export function vectorOf(token: string): Pair {
  const known = Object.hasOwn(KNOWN, token) ? KNOWN[token] : undefined;
  if (known !== undefined) return known;
  let hash = 0;
  for (const letter of token) hash = (Math.imul(hash, 31) + (letter.codePointAt(0) ?? 0)) >>> 0;
  return OTHERS[hash % OTHERS.length] ?? [1, 1];
}

/** p = [0.1, 0.2], [0.2, 0.3], [0.3, 0.4], … */
export function positionVector(position: number): Pair {
  return [position / 10, (position + 1) / 10];
}

/** T5-style: nothing at home, +2 next door, −1 further away. */
export function biasAt(distance: number): number {
  if (distance === 0) return 0;
  return Math.abs(distance) === 1 ? 2 : -1;
}

export function rotate([x, y]: Pair, angle: number): Pair {
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
  return [x * cos - y * sin, x * sin + y * cos];
}

const NAME: Localized = { en: "content · content", zh: "内容 · 内容" };

function product(rows: readonly Pair[]): ProductTerm {
  const factor = listFactor(rows);
  return { kind: "product", id: "product", role: "content_content", name: NAME, scale: 1, query: factor, key: factor };
}

const bias: BiasTerm = {
  kind: "bias",
  id: "bias",
  role: "position_position",
  name: { en: "bias", zh: "偏置" },
  scale: 1,
  value: (i, j) => biasAt(i - j),
};

function termsOf(kind: ExampleKind, x: readonly Pair[]): Attention["terms"] {
  switch (kind) {
    case "none":
      return [product(x)];
    case "absolute":
      return [product(x.map(([a, b], n) => [a + positionVector(n + 1)[0], b + positionVector(n + 1)[1]]))];
    case "bias":
      return [product(x), bias];
    case "rope":
      return [product(x.map((vector, n) => rotate(vector, (n + 1) * THETA)))];
  }
}

/** The example as attention over the tokens in this order. */
export function exampleAttention(kind: ExampleKind, tokens: readonly string[]): Attention {
  const length = tokens.length;
  return {
    queryLength: length,
    keyLength: length,
    deltaOffset: 0,
    terms: termsOf(kind, tokens.map(vectorOf)),
    mask: {},
  };
}

/** Scores, [tokens][tokens] row-major. */
export function exampleScores(kind: ExampleKind, tokens: readonly string[]): Float64Array {
  const all = indexRange(0, tokens.length);
  return logitMatrix(exampleAttention(kind, tokens), all, all);
}

export function exampleWeights(kind: ExampleKind, tokens: readonly string[]): Float64Array {
  const all = indexRange(0, tokens.length);
  return weightMatrix(exampleAttention(kind, tokens), all, all);
}

/**
 * How many scores are other numbers once the same tokens stand in another order, each pair of tokens compared with itself.
 * @param order indices into tokens
 */
export function changedScores(kind: ExampleKind, tokens: readonly string[], order: readonly number[]): number {
  const before = exampleScores(kind, tokens);
  const after = exampleScores(
    kind,
    order.map((n) => tokens[n] ?? ""),
  );
  const n = tokens.length;
  let changed = 0;
  for (let i = 0; i < n; i++) {
    for (let j = 0; j < n; j++) {
      const was = before[(order[i] ?? 0) * n + (order[j] ?? 0)] ?? 0;
      if (Math.abs((after[i * n + j] ?? 0) - was) > 1e-9) changed++;
    }
  }
  return changed;
}

/** The order that is shown: the shuffled one while it fits the tokens. */
export function orderOf(tokens: readonly string[], order: readonly number[]): readonly number[] {
  const fits =
    order.length === tokens.length && new Set(order).size === order.length && order.every((n) => n < tokens.length);
  return fits ? order : tokens.map((_, n) => n);
}

/** The next order, never the one before: each place gives its token to the one after it. */
export function shuffled(order: readonly number[]): number[] {
  return order.map((_, n) => order[(n + order.length - 1) % order.length] ?? 0);
}
