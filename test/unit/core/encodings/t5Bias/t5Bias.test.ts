import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { buildAttention } from "../../../../../src/core/encodings/buildAttention.ts";
import { checkParams, requireParams } from "../../../../../src/core/encodings/support/schema.ts";
import { findBucketStarts, t5Bucket } from "../../../../../src/core/encodings/t5Bias/buckets.ts";
import { t5Bias } from "../../../../../src/core/encodings/t5Bias/t5Bias.ts";
import { onesContent } from "../../../../../src/core/terms/content.ts";
import { deltaAt, indexRange } from "../../../../../src/core/terms/engine.ts";
import type { Scene } from "../../../../../src/core/terms/scene.ts";
import { computeLogits, randomScene } from "../../../support/scenes.ts";

const scene = (change: Partial<Scene> = {}) => randomScene(6, 7, change);

describe("T5 buckets", () => {
  const buckets = fc.record({
    numBuckets: fc.integer({ min: 4, max: 64 }),
    maxDistance: fc.integer({ min: 40, max: 1000 }),
    bidirectional: fc.boolean(),
  });

  /** The formula as the panel shows it, with its own letters. */
  function bucketAsWritten(N: number, D: number, bidirectional: boolean, i: number, j: number): number {
    const beta = (n: number, x: number) => {
      const m = Math.floor(n / 2);
      return x < m ? x : Math.min(n - 1, m + Math.floor((Math.log(x / m) / Math.log(D / m)) * (n - m)));
    };
    return bidirectional ? beta(N / 2, Math.abs(i - j)) + (j > i ? N / 2 : 0) : beta(N, Math.max(i - j, 0));
  }

  test.each([true, false])("are those of the formula shown, bidirectional: %s", (bidirectional) => {
    const own = { numBuckets: 32, maxDistance: 128, bidirectional };
    for (const i of indexRange(0, 300))
      for (const j of [0, 1, 7, 120, 150, 299])
        expect(t5Bucket(own, j - i), `${i}, ${j}`).toBe(bucketAsWritten(32, 128, bidirectional, i, j));
    const { tex, text } = t5Bias.formula({ bidirectional });
    expect(text).toContain(bidirectional ? "β_{N/2}(|i − j|), plus N/2" : "β_N(max(i − j, 0))");
    expect(text).toContain("D = max_distance, N = num_buckets");
    expect(`${tex}${text}`).not.toMatch(/j *[-−] *i/);
  });

  test("stay in the table, grow with distance and end with the last row", () => {
    fc.assert(
      fc.property(buckets, fc.integer({ min: 0, max: 2000 }), (own, distance) => {
        const before = t5Bucket(own, -distance);
        expect(before).toBeGreaterThanOrEqual(0);
        expect(t5Bucket(own, distance)).toBeLessThan(own.numBuckets);
        expect(t5Bucket(own, -distance - 1)).toBeGreaterThanOrEqual(before);
        const side = own.bidirectional ? Math.floor(own.numBuckets / 2) : own.numBuckets;
        expect(t5Bucket(own, -1e7)).toBe(side - 1);
      }),
    );
  });

  test("start at the distances where they change", () => {
    fc.assert(
      fc.property(buckets, (own) => {
        const starts = findBucketStarts(own).filter((start) => start.key === "before");
        const expected = indexRange(0, own.maxDistance + 1)
          .map((from) => ({ bucket: t5Bucket(own, -from), from }))
          .filter(({ bucket, from }) => from === 0 || bucket !== t5Bucket(own, 1 - from));
        expect(starts.map(({ bucket, from }) => ({ bucket, from }))).toEqual(expected);
      }),
      { numRuns: 30 },
    );
  });
});

describe("the T5 bias", () => {
  test("keeps the scores of equal content when both positions shift", () => {
    const here = computeLogits(t5Bias, {}, scene({ content: onesContent }));
    expect(computeLogits(t5Bias, {}, scene({ content: onesContent, shift: 1000 }))).toEqual(here);
  });

  test("has a profile equal to the cells, with a cache of any length", () => {
    fc.assert(
      fc.property(fc.option(fc.integer({ min: 0, max: 9 })), (past) => {
        const own = scene({ queryLength: 3, keyLength: 7 });
        const attention = buildAttention(t5Bias, requireParams(t5Bias, { past_seen_tokens: past }), own, {});
        const term = attention.terms[1];
        if (term?.kind !== "bias") throw new Error("no bias");
        for (const i of indexRange(0, 3)) {
          for (const j of indexRange(0, 7)) expect(term.profile?.(deltaAt(attention, i, j))).toBe(term.value(i, j));
        }
      }),
    );
  });

  test("labels example values as examples, and given ones not", () => {
    const names = (inputs: Scene["inputs"]) =>
      t5Bias.terms(requireParams(t5Bias, { num_heads: 1 }), scene({ inputs })).map((term) => term.name.en);
    expect(names({})).toEqual(["content · content", "bucket bias (example values)"]);
    expect(names({ relative_attention_bias: Array.from({ length: 32 }, () => [0]) })[1]).toBe("bucket bias");
  });

  test("requires a max_distance that leaves room for shared buckets", () => {
    expect(checkParams(t5Bias, { num_buckets: 64, max_distance: 16 }).problems[0]?.param).toBe("max_distance");
    expect(checkParams(t5Bias, { num_buckets: 2 }).problems[0]?.param).toBe("num_buckets");
  });
});
