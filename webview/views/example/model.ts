import type { PanelState } from "../../../src/core/protocol/state.ts";
import {
  EXAMPLE_BIAS,
  EXAMPLE_TOKENS,
  EXAMPLE_VECTORS,
  type ExampleKind,
  exampleAbsolute,
  exampleBias,
  examplePositions,
  exampleRope,
  exampleWithout,
  type WorkedExample,
} from "../../../src/core/terms/example.ts";

export type { ExampleKind };

export { EXAMPLE_BIAS };

/** Angle between neighbouring positions: the only frequency of RoPE in two dimensions. */
export const THETA = 1;

/** Vectors for other words than the example's, chosen by their letters so that a word always has the same one. */
const OTHERS: readonly (readonly number[])[] = [
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

function vectorOf(token: string): readonly number[] {
  const known = EXAMPLE_VECTORS[EXAMPLE_TOKENS.indexOf(token)];
  if (known !== undefined) return known;
  let hash = 0;
  for (const letter of token) hash = (Math.imul(hash, 31) + (letter.codePointAt(0) ?? 0)) >>> 0;
  return OTHERS[hash % OTHERS.length] ?? [1, 1];
}

/** A token of the example with its vector in the plane. */
export interface ExampleToken {
  readonly text: string;
  readonly vector: readonly number[];
}

/** The tokens as typed, with their own vectors where a person wrote any. */
export function tokensWith(texts: readonly string[], vectors: PanelState["vectors"]): ExampleToken[] {
  return texts.map((text, n) => ({ text, vector: vectors[n] ?? vectorOf(text) }));
}

/** The example for the tokens in this order; positions count from 1. */
/** The example for the tokens in this order; positions count from 1 + shift. */
export function exampleOf(kind: ExampleKind, tokens: readonly ExampleToken[], shift = 0): WorkedExample {
  const x = tokens.map(({ vector }) => vector);
  switch (kind) {
    case "none":
      return exampleWithout(x);
    case "absolute":
      return exampleAbsolute(x, examplePositions(x.length, shift));
    case "bias":
      return exampleBias(x, EXAMPLE_BIAS);
    case "rope":
      return exampleRope(
        x,
        THETA,
        x.map((_, n) => n + 1 + shift),
      );
  }
}

/**
 * How many scores are other numbers once the same tokens stand in another order, each pair of tokens compared with itself.
 * @param order indices into tokens
 */
export function changedScores(kind: ExampleKind, tokens: readonly ExampleToken[], order: readonly number[]): number {
  const before = exampleOf(kind, tokens).scores;
  const after = exampleOf(
    kind,
    order.flatMap((n) => tokens[n] ?? []),
  ).scores;
  let changed = 0;
  after.forEach((row, i) => {
    row.forEach((value, j) => {
      const was = before[order[i] ?? 0]?.[order[j] ?? 0] ?? 0;
      if (Math.abs(value - was) > 1e-9) changed++;
    });
  });
  return changed;
}

/** How many scores are other numbers once all tokens stand `shift` positions further on. */
export function shiftedScores(kind: ExampleKind, tokens: readonly ExampleToken[], shift: number): number {
  const before = exampleOf(kind, tokens).scores.flat();
  const after = exampleOf(kind, tokens, shift).scores.flat();
  return after.filter((value, n) => Math.abs(value - (before[n] ?? 0)) > 1e-9).length;
}

/** The order that is shown: the shuffled one while it fits the tokens. */
export function orderOf(tokens: readonly unknown[], order: readonly number[]): readonly number[] {
  const fits =
    order.length === tokens.length && new Set(order).size === order.length && order.every((n) => n < tokens.length);
  return fits ? order : tokens.map((_, n) => n);
}

/** The next order, never the one before: each place gives its token to the one after it. */
export function shuffled(order: readonly number[]): number[] {
  return order.map((_, n) => order[(n + order.length - 1) % order.length] ?? 0);
}
