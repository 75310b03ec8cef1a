import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { buildAttention } from "../../../../src/core/encodings/buildAttention.ts";
import type { Encoding } from "../../../../src/core/encodings/encoding.ts";
import { learnedAbsolute } from "../../../../src/core/encodings/learnedAbsolute/learnedAbsolute.ts";
import { sinusoidal } from "../../../../src/core/encodings/sinusoidal/sinusoidal.ts";
import { shiftMatrix, sinusoidFactor, sinusoidProfile } from "../../../../src/core/encodings/sinusoidal/table.ts";
import { checkParams, requireParams } from "../../../../src/core/encodings/support/schema.ts";
import { findBucketStarts, t5Bucket } from "../../../../src/core/encodings/t5Bias/buckets.ts";
import { t5Bias } from "../../../../src/core/encodings/t5Bias/t5Bias.ts";
import { onesContent, randomContent } from "../../../../src/core/terms/content.ts";
import { deltaAt, indexRange, logitMatrix, termMatrix } from "../../../../src/core/terms/engine.ts";
import { exampleAbsolute, exampleArithmetic, exampleRope, exampleVectors } from "../../../../src/core/terms/example.ts";
import { dotProduct, evaluateRow } from "../../../../src/core/terms/linear.ts";
import type { Scene } from "../../../../src/core/terms/scene.ts";

function scene(change: Partial<Scene> = {}): Scene {
  const content = randomContent(7);
  return { queryLength: 6, keyLength: 6, shift: 0, head: 0, centre: 0, content, inputs: {}, ...change };
}

function logits(encoding: Encoding, given: Record<string, number | string | boolean | null>, own: Scene): number[] {
  const attention = buildAttention(encoding, requireParams(encoding, given), own, {});
  return Array.from(logitMatrix(attention, indexRange(0, own.queryLength), indexRange(0, own.keyLength)));
}

function expectClose(actual: readonly number[], expected: readonly number[], tolerance = 1e-9): void {
  expect(actual.length).toBe(expected.length);
  actual.forEach((value, n) => {
    expect(Math.abs(value - (expected[n] ?? Number.NaN))).toBeLessThanOrEqual(tolerance);
  });
}

const spec = fc.record({
  dim: fc.integer({ min: 2, max: 12 }).map((half) => 2 * half),
  base: fc.double({ min: 2, max: 1e6, noNaN: true }),
  layout: fc.constantFrom("interleaved" as const, "concat" as const),
  frequency: fc.constantFrom("paper" as const, "tensor2tensor" as const),
});

describe("the sinusoidal encoding", () => {
  test("shifts a position's vector by a linear map", () => {
    fc.assert(
      fc.property(spec, fc.integer({ min: 0, max: 1000 }), fc.integer({ min: 0, max: 1000 }), (own, p, k) => {
        const factor = sinusoidFactor(own);
        const moved = shiftMatrix(own, k).map((row) => dotProduct(row, evaluateRow(factor, p)));
        expectClose(moved, Array.from(evaluateRow(factor, p + k)));
      }),
    );
  });

  test("has inner products of positions that depend on their distance alone", () => {
    fc.assert(
      fc.property(spec, fc.integer({ min: 0, max: 5000 }), fc.integer({ min: 0, max: 5000 }), (own, p, q) => {
        const factor = sinusoidFactor(own);
        const profile = sinusoidProfile(own, 0, own.dim);
        expect(profile).toBeDefined();
        expect(profile?.(p - q)).toBeCloseTo(dotProduct(evaluateRow(factor, p), evaluateRow(factor, q)), 8);
      }),
    );
  });

  test("has no profile for a head with sines but without their cosines", () => {
    expect(sinusoidProfile({ dim: 8, base: 10_000, layout: "concat", frequency: "paper" }, 0, 4)).toBeUndefined();
  });

  test.each(["interleaved", "concat"])("has profiles equal to the products at position 10,000,000 (%s)", (layout) => {
    const own = scene({ shift: 10_000_000, content: onesContent });
    const params = requireParams(sinusoidal, { hidden_size: 8, layout });
    const attention = buildAttention(sinusoidal, params, own, {});
    const profiled = attention.terms.filter((term) => term.profile !== undefined);
    expect(profiled.map((term) => term.id)).toEqual(["content_content", "position_position"]);
    for (const term of profiled) {
      const values = termMatrix(attention, term, indexRange(0, 6), indexRange(0, 6));
      values.forEach((value, n) => {
        expect(term.profile?.(deltaAt(attention, Math.floor(n / 6), n % 6))).toBeCloseTo(value, 8);
      });
    }
  });

  test("is absolute: a shift of both positions changes the scores", () => {
    const here = logits(sinusoidal, { hidden_size: 8 }, scene());
    const there = logits(sinusoidal, { hidden_size: 8 }, scene({ shift: 5 }));
    expect(Math.max(...here.map((value, n) => Math.abs(value - (there[n] ?? 0))))).toBeGreaterThan(0.1);
  });

  test("has the same scores within one head for either order of the columns", () => {
    const interleaved = logits(sinusoidal, { hidden_size: 8 }, scene({ content: onesContent }));
    expectClose(logits(sinusoidal, { hidden_size: 8, layout: "concat" }, scene({ content: onesContent })), interleaved);
  });

  test("places the queries after a cache at the end of the keys", () => {
    const whole = logits(sinusoidal, { hidden_size: 8 }, scene());
    expectClose(logits(sinusoidal, { hidden_size: 8 }, scene({ queryLength: 2 })), whole.slice(4 * 6));
  });

  test("names the parameter that breaks a rule", () => {
    expect(checkParams(sinusoidal, { hidden_size: 10, num_heads: 4 }).problems[0]?.param).toBe("num_heads");
    expect(checkParams(sinusoidal, { hidden_size: 3, frequency: "tensor2tensor" }).problems[0]?.param).toBe(
      "hidden_size",
    );
    expect(checkParams(sinusoidal, { base: -1 }).problems[0]?.param).toBe("base");
  });
});

describe("the learned table", () => {
  test("reports a position beyond its last row as an error", () => {
    const params = { hidden_size: 4, max_position_embeddings: 6 };
    expect(logits(learnedAbsolute, params, scene())).toHaveLength(36);
    expect(() => logits(learnedAbsolute, params, scene({ shift: 1 }))).toThrow(/position 6 does not exist/);
  });

  test("has 512 positions in RoBERTa's 514 rows, and 514 rows for OPT's 512 positions", () => {
    const size = (given: Record<string, number>) => {
      const domain = learnedAbsolute.domain(requireParams(learnedAbsolute, given));
      return domain.kind === "table" ? domain.size : undefined;
    };
    expect(size({ max_position_embeddings: 514, padding_idx: 1 })).toBe(512);
    expect(size({ max_position_embeddings: 512, offset: 2 })).toBe(512);
    expect(size({ max_position_embeddings: 514, usable_positions: 512 })).toBe(512);
  });

  test("uses a table that the inputs contain and refuses one of another width", () => {
    const table = Array.from({ length: 6 }, (_, p) => [p, 0]);
    const params = { hidden_size: 2, max_position_embeddings: 6 };
    const given = scene({ content: onesContent, inputs: { position_embeddings: table } });
    const expected = indexRange(0, 36).map((n) => ((1 + Math.floor(n / 6)) * (1 + (n % 6)) + 1) / Math.SQRT2);
    expectClose(logits(learnedAbsolute, params, given), expected);
    expect(() => logits(learnedAbsolute, { ...params, hidden_size: 3 }, given)).toThrow(/position_embeddings/);
  });

  test("refuses inputs without the table instead of using example values", () => {
    expect(() => logits(learnedAbsolute, {}, scene({ inputs: { w_q: [[1]] } }))).toThrow(/position_embeddings/);
  });
});

describe("T5 buckets", () => {
  const buckets = fc.record({
    numBuckets: fc.integer({ min: 4, max: 64 }),
    maxDistance: fc.integer({ min: 40, max: 1000 }),
    bidirectional: fc.boolean(),
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
    const here = logits(t5Bias, {}, scene({ content: onesContent }));
    expect(logits(t5Bias, {}, scene({ content: onesContent, shift: 1000 }))).toEqual(here);
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

describe("the worked example", () => {
  test("gives −sin θ for q₁ · k₂ of RoPE, whatever the shift", () => {
    fc.assert(
      fc.property(fc.double({ min: 0.01, max: 3, noNaN: true }), fc.integer({ min: 0, max: 100 }), (theta, shift) => {
        const example = exampleRope(exampleVectors(3), theta, [1 + shift, 2 + shift, 3 + shift]);
        expect(example.scores[0]?.[1]).toBeCloseTo(-Math.sin(theta), 10);
      }),
    );
  });

  test("has an arithmetic for each cell that ends in its score", () => {
    const example = exampleAbsolute(exampleVectors(3), [
      [0.1, 0.2],
      [0.2, 0.3],
      [0.3, 0.4],
    ]);
    expect(exampleArithmetic(example, 0, 1)).toBe("1.1·0.2 + 0.2·1.3 = 0.48");
  });
});
