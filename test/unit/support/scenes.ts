import { expect } from "vitest";
import { buildAttention } from "../../../src/core/encodings/buildAttention.ts";
import type { Encoding } from "../../../src/core/encodings/encoding.ts";
import { requireParams } from "../../../src/core/encodings/support/schema.ts";
import type { Params } from "../../../src/core/spec.ts";
import { randomContent } from "../../../src/core/terms/content.ts";
import { indexRange, logitMatrix, weightMatrix } from "../../../src/core/terms/engine.ts";
import type { Scene } from "../../../src/core/terms/scene.ts";
import type { Mask } from "../../../src/core/terms/term.ts";

/** A scene with as many queries as keys and random content. */
export function randomScene(tokens: number, seed: number, change: Partial<Scene> = {}): Scene {
  const content = randomContent(seed);
  return { queryLength: tokens, keyLength: tokens, shift: 0, head: 0, centre: 0, content, inputs: {}, ...change };
}

export function computeAttention(encoding: Encoding, given: Params, scene: Scene, mask: Mask = {}) {
  return buildAttention(encoding, requireParams(encoding, given), scene, mask);
}

/** Logits of all queries and keys, row by row. */
export function computeLogits(encoding: Encoding, given: Params, scene: Scene): number[] {
  const attention = computeAttention(encoding, given, scene);
  return Array.from(logitMatrix(attention, indexRange(0, scene.queryLength), indexRange(0, scene.keyLength)));
}

/** Attention weights of all queries and keys, row by row. */
export function computeWeights(encoding: Encoding, given: Params, scene: Scene, mask: Mask = {}): number[] {
  const attention = computeAttention(encoding, given, scene, mask);
  return Array.from(weightMatrix(attention, indexRange(0, scene.queryLength), indexRange(0, scene.keyLength)));
}

/** The largest absolute difference; NaN if a number is missing. */
export function largestDifference(a: ArrayLike<number>, b: ArrayLike<number>): number {
  let largest = 0;
  for (let n = 0; n < a.length; n++) largest = Math.max(largest, Math.abs((a[n] ?? Number.NaN) - (b[n] ?? Number.NaN)));
  return largest;
}

/** Fails for empty lists and for lists of different lengths, too. */
export function expectClose(actual: ArrayLike<number>, expected: ArrayLike<number>, tolerance = 1e-9): void {
  expect(actual.length).toBe(expected.length);
  expect(actual.length).toBeGreaterThan(0);
  expect(largestDifference(actual, expected)).toBeLessThanOrEqual(tolerance);
}
