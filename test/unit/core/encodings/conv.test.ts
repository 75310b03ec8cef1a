import { describe, expect, test } from "vitest";
import { conv, convolveFrames, gelu, receptiveField } from "../../../../src/core/encodings/conv.ts";
import { checkParams, requireParams } from "../../../../src/core/encodings/support/schema.ts";
import { onesContent } from "../../../../src/core/terms/content.ts";
import { evaluateRow } from "../../../../src/core/terms/linear.ts";
import type { Scene } from "../../../../src/core/terms/scene.ts";
import { computeLogits, randomScene } from "../../support/scenes.ts";

const scene = (tokens: number, change: Partial<Scene> = {}) => randomScene(tokens, 5, change);

describe("the convolutional encoding", () => {
  test("reaches one frame further back with an even kernel", () => {
    expect(receptiveField(128)).toEqual({ from: -64, to: 63 });
    expect(receptiveField(3)).toEqual({ from: -1, to: 1 });
  });

  test("computes the exact GELU", () => {
    expect(gelu(0)).toBe(0);
    expect(gelu(1)).toBeCloseTo(0.8413447460685429, 15);
    expect(gelu(-2)).toBeCloseTo(-0.04550026389635842, 14);
    expect(gelu(12)).toBe(12);
  });

  test("sums the frames under the kernel by groups, with zeros beyond the ends", () => {
    const conv_weight = [[[1, 10, 100]], [[2, 20, 200]]];
    const inputs = { conv_weight, conv_bias: [0, 0.5] };
    const params = requireParams(conv, {
      hidden_size: 2,
      num_conv_pos_embeddings: 3,
      num_conv_pos_embedding_groups: 2,
    });
    const own = scene(3, { content: onesContent, inputs });
    const rows = convolveFrames(params, own);
    expect(Array.from(evaluateRow(rows, 0))).toEqual([110, 220.5]);
    expect(Array.from(evaluateRow(rows, 1))).toEqual([111, 222.5]);
    expect(Array.from(evaluateRow(rows, 2))).toEqual([11, 22.5]);
  });

  test("treats all frames far from the ends alike", () => {
    const own = scene(40, { content: onesContent });
    const rows = convolveFrames(requireParams(conv, { num_conv_pos_embeddings: 8 }), own);
    expect(Array.from(evaluateRow(rows, 20))).toEqual(Array.from(evaluateRow(rows, 11)));
    expect(Array.from(evaluateRow(rows, 2))).not.toEqual(Array.from(evaluateRow(rows, 11)));
  });

  test.each([8, 7])("computes separate frames only near the ends for equal words with %i taps", (taps) => {
    const params = requireParams(conv, { num_heads: 1, hidden_size: 16, num_conv_pos_embeddings: taps });
    // The same words as content that is not marked as constant.
    const [equal, any] = [onesContent, { ...onesContent, constant: false }].map((content) =>
      computeLogits(conv, params, scene(21, { content })),
    );
    expect(equal).toEqual(any);
  });

  test("reports groups that do not divide the channels", () => {
    expect(checkParams(conv, { hidden_size: 60, num_conv_pos_embedding_groups: 16 }).problems[0]?.param).toBe(
      "num_conv_pos_embedding_groups",
    );
  });
});
