import type { PanelState } from "../../../src/core/protocol/state.ts";
import {
  EXAMPLE_BIAS,
  EXAMPLE_TOKENS,
  EXAMPLE_VECTORS,
  type ExampleKind,
  exampleAbsolute,
  exampleDistanceBias,
  examplePositions,
  exampleRope,
  exampleWithoutPositions,
  type WorkedExample,
} from "../../../src/core/terms/example.ts";

export type { ExampleKind };

export { EXAMPLE_BIAS };

/** Angle between neighbouring positions: RoPE's only frequency in two dimensions. */
export const THETA = 1;

/** Vectors for words that are not in the example, chosen by their letters so that a word always has the same one. */
const FALLBACK_VECTORS: readonly (readonly number[])[] = [
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

function tokenVector(token: string): readonly number[] {
  const exampleVector = EXAMPLE_VECTORS[EXAMPLE_TOKENS.indexOf(token)];
  if (exampleVector !== undefined) return exampleVector;
  let hash = 0;
  for (const letter of token) hash = (Math.imul(hash, 31) + (letter.codePointAt(0) ?? 0)) >>> 0;
  return FALLBACK_VECTORS[hash % FALLBACK_VECTORS.length] ?? [1, 1];
}

/** A token of the example with its two-dimensional vector. */
export interface ExampleToken {
  readonly text: string;
  readonly vector: readonly number[];
}

/** The tokens as typed; a vector that the user entered replaces the default one. */
export function buildTokens(texts: readonly string[], vectors: PanelState["vectors"]): ExampleToken[] {
  return texts.map((text, n) => ({ text, vector: vectors[n] ?? tokenVector(text) }));
}

/** The example for the tokens in this order; positions count from 1 + shift. */
export function computeExample(kind: ExampleKind, tokens: readonly ExampleToken[], shift = 0): WorkedExample {
  const x = tokens.map(({ vector }) => vector);
  switch (kind) {
    case "none":
      return exampleWithoutPositions(x);
    case "absolute":
      return exampleAbsolute(x, examplePositions(x.length, shift));
    case "bias":
      return exampleDistanceBias(x, EXAMPLE_BIAS);
    case "rope":
      return exampleRope(
        x,
        THETA,
        x.map((_, n) => n + 1 + shift),
      );
  }
}

/**
 * Counts the scores that change when the tokens are reordered, comparing each pair of tokens with itself.
 * @param order indices into tokens
 */
export function countChangedByOrder(
  kind: ExampleKind,
  tokens: readonly ExampleToken[],
  order: readonly number[],
): number {
  const before = computeExample(kind, tokens).scores;
  const after = computeExample(
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

/** Counts the scores that change when all tokens move by `shift` positions. */
export function countChangedByShift(kind: ExampleKind, tokens: readonly ExampleToken[], shift: number): number {
  const before = computeExample(kind, tokens).scores.flat();
  const after = computeExample(kind, tokens, shift).scores.flat();
  return after.filter((value, n) => Math.abs(value - (before[n] ?? 0)) > 1e-9).length;
}

/** The saved order if it fits the tokens, else the order as typed. */
export function validOrder(tokens: readonly unknown[], order: readonly number[]): readonly number[] {
  const fits =
    order.length === tokens.length && new Set(order).size === order.length && order.every((n) => n < tokens.length);
  return fits ? order : tokens.map((_, n) => n);
}

/** Rotates the order by one place, so that it never stays the same. */
export function nextOrder(order: readonly number[]): number[] {
  return order.map((_, n) => order[(n + order.length - 1) % order.length] ?? 0);
}
