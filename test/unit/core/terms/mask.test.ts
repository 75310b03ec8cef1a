import { describe, expect, test } from "vitest";
import { indexRange, maskMatrix } from "../../../../src/core/terms/engine.ts";
import { streamingCache } from "../../../../src/core/terms/streaming.ts";
import type { Mask } from "../../../../src/core/terms/term.ts";

describe("a mask", () => {
  const visible = (mask: Mask, i: number, length = 9) => {
    const shape = { mask, queryLength: length, keyLength: length, deltaOffset: 0, terms: [] };
    return indexRange(0, length).filter((j) => maskMatrix(shape, [i], [j])[0] === 1);
  };

  test("counts the token itself in a causal window, but not in a two-sided one", () => {
    expect(visible({ causal: true, window: 3 }, 5)).toEqual([3, 4, 5]);
    expect(visible({ window: 2 }, 5)).toEqual([3, 4, 5, 6, 7]);
  });

  test("numbers positions inside StreamingLLM's cache", () => {
    const shape = { mask: { causal: true, window: 3, keepFirst: 2 }, queryLength: 9, keyLength: 9 };
    expect(streamingCache(shape, 8)).toEqual({ keys: [0, 1, 6, 7, 8], positions: [0, 1, 2, 3, 4] });
    expect(streamingCache(shape, 2)).toEqual({ keys: [0, 1, 2], positions: [0, 1, 2] });
  });
});
