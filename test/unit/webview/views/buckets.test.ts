import { describe, expect, test } from "vitest";
import { requireParams } from "../../../../src/core/encodings/support/schema.ts";
import { findRoundingDifferences, listBucketRuns } from "../../../../src/core/measure/buckets.ts";
import type { EncodingId, Params } from "../../../../src/core/spec.ts";
import { knownEncoding } from "../../support/knownEncoding.ts";

describe("the bucket data", () => {
  test("of T5 has its first half for keys before the query and its last row for all far distances", () => {
    const t5 = knownEncoding("t5_bias");
    const rule = t5.buckets?.(requireParams(t5, { num_buckets: 32, max_distance: 128, bidirectional: true }));
    if (rule === undefined) throw new Error("no rule");
    expect([0, 1, 7, 8, 128, 5000].map((delta) => rule.row(delta))).toEqual([0, 1, 7, 8, 15, 15]);
    expect([-1, -7, -128].map((delta) => rule.row(delta))).toEqual([17, 23, 31]);
  });

  test("contains each distance once in order", () => {
    const shaw = knownEncoding("shaw");
    const rule = shaw.buckets?.(requireParams(shaw, { max_relative_position: 3 }));
    if (rule === undefined) throw new Error("no rule");
    const runs = listBucketRuns(rule, -6, 6);
    expect(runs.map(({ bucket }) => bucket)).toEqual([6, 5, 4, 3, 2, 1, 0]);
    expect(runs.map(({ from, to }) => to - from + 1)).toEqual([4, 1, 1, 1, 1, 1, 4]);
  });

  test("marks the distances that float64 assigns differently, as in the golden files, and none for clipping", () => {
    const elsewhere = (id: EncodingId, params: Params, reach: number) => {
      const rule = knownEncoding(id).buckets?.(requireParams(knownEncoding(id), params));
      return rule === undefined ? null : findRoundingDifferences(rule, -reach, reach);
    };
    const t5 = { num_buckets: 10, max_distance: 160, bidirectional: false };
    expect(elsewhere("t5_bias", t5, 160)).toEqual([10, 20, 80]);
    const deberta = { version: 2, position_buckets: 32, max_relative_positions: 129 };
    expect(elsewhere("deberta", deberta, 100)).toEqual([-64, -32, 32, 64]);
    expect(elsewhere("shaw", {}, 99)).toEqual([]);
  });

  test("is absent for RoPE", () => {
    const rope = knownEncoding("rope");
    expect(rope.buckets?.(requireParams(rope, {}))).toBeUndefined();
  });
});
