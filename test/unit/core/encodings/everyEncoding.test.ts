import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { buildAttention } from "../../../../src/core/encodings/buildAttention.ts";
import { conv, convolveFrames, gelu, receptiveField } from "../../../../src/core/encodings/conv.ts";
import { decomposedRelPos, resizeRows } from "../../../../src/core/encodings/decomposedRelPos.ts";
import type { Encoding } from "../../../../src/core/encodings/encoding.ts";
import { ENCODINGS } from "../../../../src/core/encodings/index.ts";
import { complexWordVectors, multiplicative } from "../../../../src/core/encodings/multiplicative.ts";
import { evaluateFlow, type FlowNetwork, integrateInterval } from "../../../../src/core/encodings/recursive/flow.ts";
import {
  MAX_RECURSIVE_POSITION,
  recursive,
  recursivePositionFactor,
} from "../../../../src/core/encodings/recursive/recursive.ts";
import { sincos2d, sincos2dFactor } from "../../../../src/core/encodings/sincos2d.ts";
import { checkParams, requireParams } from "../../../../src/core/encodings/support/schema.ts";
import { biasRow, swinBias } from "../../../../src/core/encodings/swinBias.ts";
import { coordinateTable, swinv2Cpb } from "../../../../src/core/encodings/swinv2Cpb/swinv2Cpb.ts";
import type { Params } from "../../../../src/core/spec.ts";
import { onesContent, randomContent } from "../../../../src/core/terms/content.ts";
import { indexRange, logitMatrix, maskMatrix, termMatrix } from "../../../../src/core/terms/engine.ts";
import { dotProduct, evaluateRow } from "../../../../src/core/terms/linear.ts";
import type { Scene } from "../../../../src/core/terms/scene.ts";
import { streamingCache } from "../../../../src/core/terms/streaming.ts";
import type { Mask } from "../../../../src/core/terms/term.ts";
import { loadAdapters } from "../../../golden/adapters.ts";
import { readGoldenParams } from "../../../golden/attention.ts";
import type { GoldenCase } from "../../../golden/case.ts";
import { root } from "../../support/files.ts";

const adapters = await loadAdapters();

function scene(tokens: number, change: Partial<Scene> = {}): Scene {
  const content = randomContent(5);
  return { queryLength: tokens, keyLength: tokens, shift: 0, head: 0, centre: 0, content, inputs: {}, ...change };
}

function logits(encoding: Encoding, given: Params, own: Scene): number[] {
  const attention = buildAttention(encoding, requireParams(encoding, given), own, {});
  return Array.from(logitMatrix(attention, indexRange(0, own.queryLength), indexRange(0, own.keyLength)));
}

describe("every encoding", () => {
  const learned = ENCODINGS.filter(
    (encoding) => (encoding.requiredArrays?.(requireParams(encoding, {})) ?? encoding.learnedArrays).length > 0,
  );

  test.each(learned.map((encoding) => [encoding.id, encoding] as const))(
    "%s refuses inputs without its learned arrays and labels example values as examples",
    (_id, encoding) => {
      const params = requireParams(encoding, {});
      const own = scene(4, { content: onesContent });
      expect(() => encoding.terms(params, { ...own, inputs: { other: [1] } })).toThrow(/learned array/);
      const names = encoding.terms(params, own).map((term) => term.name);
      expect(names.some((name) => name.en.endsWith("(example values)") && name.zh.endsWith("（示例数值）"))).toBe(true);
    },
  );

  const folder = join(root, "test/golden/data");
  const files = new Map(adapters.flatMap((adapter) => adapter.files.map((file) => [file, adapter.encoding] as const)));

  test.each(readdirSync(folder))("takes the parameters of %s by their own names", (file) => {
    const encoding = files.get(file.replace(".json", ""));
    if (encoding === undefined) return expect(file).toMatch(/^(masks|worked_example|absolute_four_term)\.json$/);
    const cases: readonly GoldenCase[] = JSON.parse(readFileSync(join(folder, file), "utf8"));
    for (const golden of cases) {
      const completed = readGoldenParams(encoding, golden);
      expect(checkParams(encoding, completed).problems).toEqual([]);
    }
  });
});

describe("a grid encoding", () => {
  test("has one table row per offset, and an offset for every row", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 6 }), fc.integer({ min: 1, max: 6 }), fc.boolean(), (h, w, beit) => {
        const params = requireParams(swinBias, { window_size: [h, w], variant: beit ? "beit" : "swin" });
        const tokens = indexRange(0, h * w + Number(beit));
        const rows = new Set(tokens.flatMap((i) => tokens.map((j) => biasRow(params, i, j))));
        const count = (2 * h - 1) * (2 * w - 1) + (beit ? 3 : 0);
        expect([...rows].sort((a, b) => a - b)).toEqual(indexRange(0, count));
      }),
    );
  });

  test.each([swinBias, swinv2Cpb, decomposedRelPos, sincos2d])(
    "has a patch for every position in the grid of $id",
    (encoding) => {
      const params = requireParams(encoding, {});
      const grid = encoding.patchGrid?.(params);
      if (grid === undefined) throw new Error("no grid");
      const domain = encoding.domain(params);
      expect(domain.kind === "table" && domain.size).toBe(grid.height * grid.width + grid.classTokens);
    },
  );

  test("accepts a window given as one number", () => {
    expect(requireParams(swinBias, { window_size: 5 }).window_size).toEqual([5, 5]);
    expect(requireParams(swinBias, { num_heads: [3, 6, 12, 24] }).num_heads).toBe(3);
    expect(checkParams(swinBias, { window_size: [5] }).problems[0]?.param).toBe("window_size");
    expect(checkParams(swinv2Cpb, { pretrained_window_size: [1, 1] }).problems[0]?.param).toBe(
      "pretrained_window_size",
    );
  });

  test("scales the coordinates of Swin-V2 by the pretrained window", () => {
    const trained = coordinateTable(requireParams(swinv2Cpb, { window_size: [8, 8] }));
    const larger = coordinateTable(requireParams(swinv2Cpb, { window_size: [12, 12], pretrained_window_size: [8, 8] }));
    expect(larger.slice(4, -4).map((row) => row.slice(4, -4))).toEqual(trained);
  });

  test("keeps Swin-V2's bias between 0 and 16 and scales the cosine by at most 100", () => {
    const inputs = { cpb_w1: [[9, -9]], cpb_b1: [0], cpb_w2: [[50]], logit_scale: [99] };
    const params = requireParams(swinv2Cpb, { num_heads: 1, window_size: [3, 3], cpb_hidden: 1 });
    const attention = buildAttention(swinv2Cpb, params, scene(9, { inputs }), {});
    const [cosine, bias] = attention.terms;
    if (cosine === undefined || bias === undefined) throw new Error("two terms");
    expect(cosine.scale).toBeCloseTo(100, 9);
    const values = termMatrix(attention, bias, indexRange(0, 9), indexRange(0, 9));
    expect(Math.min(...values)).toBeGreaterThanOrEqual(0);
    expect(Math.max(...values)).toBeLessThanOrEqual(16);
    expect(Math.max(...termMatrix(attention, cosine, indexRange(0, 9), indexRange(0, 9)))).toBeLessThanOrEqual(1);
  });

  test("stretches tables of another image size between row centres", () => {
    expect(resizeRows([[0], [1], [2]], 3)).toEqual([[0], [1], [2]]);
    expect(resizeRows([[0], [4]], 4)).toEqual([[0], [1], [3], [4]]);
    expect(resizeRows([[0], [1], [2], [3]], 2)).toEqual([[0.5], [2.5]]);
  });

  test("adds row and column vectors, so a step down and right is the sum of both", () => {
    const own = scene(9, { content: onesContent });
    const params = requireParams(decomposedRelPos, { num_heads: 1, grid: [3, 3] });
    const attention = buildAttention(decomposedRelPos, params, own, {});
    const cell = (i: number, j: number) => logitMatrix(attention, [i], [j])[0] ?? Number.NaN;
    expect(cell(4, 0) - cell(4, 1)).toBeCloseTo(cell(4, 3) - cell(4, 4), 9);
  });

  test("has products of 2-D sinusoids that depend on the offset of two patches alone", () => {
    const factor = sincos2dFactor(requireParams(sincos2d, { hidden_size: 16, height: 5, width: 7 }));
    const at = (row: number, column: number) => evaluateRow(factor, row * 7 + column);
    expect(dotProduct(at(0, 1), at(2, 4))).toBeCloseTo(dotProduct(at(2, 3), at(4, 6)), 12);
  });

  test("has variants of 2-D sinusoids that order the same numbers differently", () => {
    const sorted = (variant: string) => {
      const factor = sincos2dFactor(requireParams(sincos2d, { hidden_size: 8, height: 2, width: 3, variant }));
      return indexRange(0, 6)
        .flatMap((token) => Array.from(evaluateRow(factor, token)))
        .sort((a, b) => a - b);
    };
    expect(sorted("h_first")).toEqual(sorted("mae"));
    expect(sorted("omdet_w_major")).toEqual(sorted("mae"));
  });
});

describe("recursive positions", () => {
  const turning: FlowNetwork = {
    w1: [
      [1, 0, 0],
      [0, 1, 0],
    ],
    b1: [5, 5],
    w2: [
      [0, -1, 0],
      [1, 0, 0],
    ],
    b2: [5, -5],
    activation: "relu",
  };

  test.each(["rk4", "rk4_38"] as const)("rotate a point by the angle with a fourth-order error in %s", (method) => {
    // Far from ReLU's kink the field is a rotation about the origin: p' = (−y, x).
    expect(evaluateFlow(turning, 0, [1, 2])).toEqual([-2, 1]);
    const error = (substeps: number) => {
      const [x = 0, y = 0] = integrateInterval(turning, method, 0, 1, substeps, [1, 0]);
      return Math.hypot(x - Math.cos(1), y - Math.sin(1));
    };
    expect(error(10)).toBeLessThan(1e-5);
    expect(error(10) / error(20)).toBeGreaterThan(14);
  });

  test("are each computed from the previous one", () => {
    const inputs = { p0: [0.5], w_hh: [[2]], b_h: [-0.1] };
    const rows = recursivePositionFactor(requireParams(recursive, { variant: "rnn", hidden_size: 1 }), inputs);
    expect(evaluateRow(rows, 2)[0]).toBeCloseTo(Math.tanh(2 * Math.tanh(2 * 0.5 - 0.1) - 0.1), 14);
    expect(() => evaluateRow(rows, MAX_RECURSIVE_POSITION + 1)).toThrow(/recursion/);
  });

  test("give other scores when the sentence shifts", () => {
    const here = logits(recursive, {}, scene(5));
    const there = logits(recursive, {}, scene(5, { shift: 3 }));
    expect(Math.max(...here.map((value, n) => Math.abs(value - (there[n] ?? 0))))).toBeGreaterThan(0.1);
  });
});

describe("multiplicative positions", () => {
  test("change nothing with a table of ones", () => {
    const ones = Array.from({ length: 4 }, () => [1, 1, 1]);
    const own = scene(4, { inputs: { position_embeddings: ones } });
    const params = { hidden_size: 3, max_position_embeddings: 4 };
    const x = own.content.rows("x", 0, 3);
    const expected = indexRange(0, 16).map(
      (n) => dotProduct(evaluateRow(x, Math.floor(n / 4)), evaluateRow(x, n % 4)) / Math.sqrt(3),
    );
    logits(multiplicative, params, own).forEach((value, n) => {
      expect(value).toBeCloseTo(expected[n] ?? Number.NaN, 12);
    });
    expect(() => logits(multiplicative, params, { ...own, shift: 1 })).toThrow(/position 4 does not exist/);
  });

  test("keep the amplitude of complex words at any position", () => {
    const params = requireParams(multiplicative, { hidden_size: 4, variant: "complex_order" });
    const own = scene(3, { content: onesContent });
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 1e6 }), (shift) => {
        const row = evaluateRow(complexWordVectors(params, { ...own, shift }), 1);
        for (const c of indexRange(0, 4)) expect(Math.hypot(row[c] ?? 0, row[c + 4] ?? 0)).toBeCloseTo(1, 12);
      }),
    );
  });
});

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
      logits(conv, params, scene(21, { content })),
    );
    expect(equal).toEqual(any);
  });

  test("reports groups that do not divide the channels", () => {
    expect(checkParams(conv, { hidden_size: 60, num_conv_pos_embedding_groups: 16 }).problems[0]?.param).toBe(
      "num_conv_pos_embedding_groups",
    );
  });
});

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
