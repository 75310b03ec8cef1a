import { describe, expect, test } from "vitest";
import { buildAttention } from "../../../../src/core/encodings/encoding.ts";
import { encodingById } from "../../../../src/core/encodings/index.ts";
import { requireParams } from "../../../../src/core/encodings/support/schema.ts";
import { findRoundingDifferences, listBucketRuns, resolveBucketRule } from "../../../../src/core/measure/buckets.ts";
import { computePairSet, countPairsWithUnseenAngles, rotationsWithin } from "../../../../src/core/measure/pairs.ts";
import { initialPanelState, type PanelState } from "../../../../src/core/protocol/state.ts";
import type { EncodingId, Params } from "../../../../src/core/spec.ts";
import { logitMatrix, outputMatrix } from "../../../../src/core/terms/engine.ts";
import { derivePanelEncoding } from "../../../../webview/state/panelEncoding.ts";
import { nearestWhole, roomyBounds } from "../../../../webview/ui/chart/chart.ts";
import { mapScale, scaleValue } from "../../../../webview/ui/scale.ts";
import { computeCurves } from "../../../../webview/views/curves/computeCurves.ts";
import { scalingRuns, wavelengthBounds } from "../../../../webview/views/frequencies/scalingRuns.ts";
import {
  buildImageAttention,
  computePatchValues,
  patchAt,
  patchToken,
} from "../../../../webview/views/grid/imageAttention.ts";
import {
  computeRotation,
  largestDifference,
  rotationFraction,
} from "../../../../webview/views/rotation/computeRotation.ts";
import { computeGateRow, computeOutputRow } from "../../../../webview/views/terms/rowSections.ts";

const QWEN: Params = {
  rope_type: "yarn",
  rope_theta: 1_000_000,
  factor: 4,
  original_max_position_embeddings: 32_768,
  max_position_embeddings: 131_072,
};

function encoding(id: EncodingId) {
  const found = encodingById(id);
  if (found === undefined) throw new Error(`no encoding ${id}`);
  return found;
}

function pairs(params: Params, length = 0) {
  const rope = encoding("rope");
  const set = computePairSet(rope, requireParams(rope, params), length);
  if (set === null) throw new Error("no pairs");
  return set;
}

function drawable(id: EncodingId, change: Partial<PanelState> = {}) {
  const made = derivePanelEncoding({ ...initialPanelState(id), ...change }, null)?.resolved;
  if (made === undefined || made === null) throw new Error("cannot be drawn");
  return made;
}

const size = (tokens: number) => ({ queryLength: tokens, keyLength: tokens });
const random = { content: { seed: 3 } } as const;

describe("the pair data", () => {
  test("of YaRN keeps fast pairs, divides slow ones by the factor, and blends those between", () => {
    const set = pairs(QWEN);
    expect(scalingRuns(set).map(({ scaling: fate }) => fate)).toEqual(["kept", "blended", "divided"]);
    for (const pair of set.pairs) {
      expect(pair.divisor).toBeGreaterThanOrEqual(1 - 1e-12);
      expect(pair.divisor).toBeLessThanOrEqual(4 + 1e-12);
    }
    expect([set.trainingContext, set.extendedContext]).toEqual([32_768, 131_072]);
  });

  test("divides every pair for linear scaling, and none without scaling", () => {
    const linear = pairs({ rope_type: "linear", factor: 8 });
    expect(scalingRuns(linear)).toEqual([{ scaling: "divided", from: 0, to: 63 }]);
    expect(scalingRuns(pairs({}))).toEqual([{ scaling: "kept", from: 0, to: 63 }]);
  });

  test("has unseen angles for slow pairs at four times the length without scaling, and none with linear scaling or YaRN", () => {
    const plain = pairs({ rope_theta: 1_000_000, max_position_embeddings: 32_768 });
    const slow = plain.pairs.filter(({ unscaledOmega: omega }) => rotationsWithin(omega, 32_768) < 1).length;
    expect(slow).toBe(24);
    expect(countPairsWithUnseenAngles(plain, 131_072)).toBe(slow);
    expect(countPairsWithUnseenAngles(plain, 32_768)).toBe(0);
    expect(countPairsWithUnseenAngles(pairs(QWEN), 131_072)).toBe(0);
    expect(
      countPairsWithUnseenAngles(pairs({ rope_type: "linear", factor: 4, max_position_embeddings: 4096 }), 16_384),
    ).toBe(0);
  });

  test("of dynamic NTK has larger divisors for longer calls", () => {
    const params = { rope_type: "dynamic", factor: 2, max_position_embeddings: 4096 };
    const last = (length: number) => pairs(params, length).pairs.at(-1)?.divisor ?? 0;
    expect(last(4096)).toBeCloseTo(1, 12);
    expect(last(16_384)).toBeGreaterThan(last(8192));
  });

  test("is absent for ALiBi", () => {
    const alibi = encoding("alibi");
    expect(computePairSet(alibi, requireParams(alibi, {}), 0)).toBeNull();
  });

  test("has a wavelength axis that includes every pair and both contexts", () => {
    const set = pairs(QWEN);
    const [low, high] = wavelengthBounds(set);
    expect(low).toBeLessThanOrEqual(2 * Math.PI);
    expect(high).toBeGreaterThanOrEqual(131_072);
    expect([Math.log10(low) % 1, Math.log10(high) % 1]).toEqual([0, 0]);
  });
});

describe("the bucket data", () => {
  test("of T5 has its first half for keys before the query and its last row for all far distances", () => {
    const t5 = encoding("t5_bias");
    const rule = resolveBucketRule(t5, requireParams(t5, { num_buckets: 32, max_distance: 128, bidirectional: true }));
    if (rule === null) throw new Error("no rule");
    expect([0, 1, 7, 8, 128, 5000].map((delta) => rule.row(delta))).toEqual([0, 1, 7, 8, 15, 15]);
    expect([-1, -7, -128].map((delta) => rule.row(delta))).toEqual([17, 23, 31]);
  });

  test("contains each distance once in order", () => {
    const shaw = encoding("shaw");
    const rule = resolveBucketRule(shaw, requireParams(shaw, { max_relative_position: 3 }));
    if (rule === null) throw new Error("no rule");
    const runs = listBucketRuns(rule, -6, 6);
    expect(runs.map(({ bucket }) => bucket)).toEqual([6, 5, 4, 3, 2, 1, 0]);
    expect(runs.map(({ from, to }) => to - from + 1)).toEqual([4, 1, 1, 1, 1, 1, 4]);
  });

  test("marks the distances that float64 assigns differently, as in the golden files, and none for clipping", () => {
    const elsewhere = (id: EncodingId, params: Params, reach: number) => {
      const rule = resolveBucketRule(encoding(id), requireParams(encoding(id), params));
      return rule === null ? null : findRoundingDifferences(rule, -reach, reach);
    };
    const t5 = { num_buckets: 10, max_distance: 160, bidirectional: false };
    expect(elsewhere("t5_bias", t5, 160)).toEqual([10, 20, 80]);
    const deberta = { version: 2, position_buckets: 32, max_relative_positions: 129 };
    expect(elsewhere("deberta", deberta, 100)).toEqual([-64, -32, 32, 64]);
    expect(elsewhere("shaw", {}, 99)).toEqual([]);
  });

  test("is absent for RoPE", () => {
    const rope = encoding("rope");
    expect(resolveBucketRule(rope, requireParams(rope, {}))).toBeNull();
  });
});

describe("the curve data", () => {
  test("from a closed form equals the row of the matrix", () => {
    const subject = drawable("t5_bias", size(64));
    const set = computeCurves(subject, 63);
    expect(set.row).toBeNull();
    const last = logitMatrix(
      subject.attention,
      [63],
      Array.from({ length: 64 }, (_, delta) => 63 - delta),
    );
    const curve = set.curves.find(({ heads }) => heads.includes(0));
    expect(Array.from(set.deltas)).toEqual(Array.from({ length: 64 }, (_, delta) => delta));
    last.forEach((value, delta) => {
      expect(curve?.high[delta]).toBeCloseTo(value, 12);
    });
  });

  test("is one curve for equal heads, and separate ones for ALiBi's", () => {
    expect(computeCurves(drawable("rope", size(64)), 0).curves.map(({ heads }) => heads.length)).toEqual([8]);
    expect(computeCurves(drawable("alibi", size(64)), 0).curves).toHaveLength(8);
  });

  test("of random content is measured along the row, with each distance at its place", () => {
    const subject = drawable("alibi", { ...size(48), ...random });
    const set = computeCurves(subject, 40);
    expect(set.row).toBe(40);
    expect([set.from, set.to]).toEqual([0, 40]);
    const expected = logitMatrix(subject.attention, [40], [33])[0] ?? Number.NaN;
    expect(set.curves.find(({ heads }) => heads.includes(0))?.at(7)).toBe(expected);
  });

  test("of a long curve has bands around the exact sampled values, and is marked as sampled", () => {
    const set = computeCurves(drawable("rope", { ...size(200_000), changes: { rope_theta: 500_000 } }), 0);
    expect([set.condensed, set.sampled]).toEqual([true, true]);
    const [curve] = set.curves;
    expect(curve?.low.every((low, n) => low <= (curve.high[n] ?? Number.NEGATIVE_INFINITY))).toBe(true);
    expect(set.deltas).toHaveLength(480);
  });
});

describe("the rotation data", () => {
  const cell = { row: 300, column: 20 };

  test("is equal in all forms and equal to the engine's product", () => {
    for (const layout of ["half", "interleaved"]) {
      const subject = drawable("rope", { ...random, changes: { layout, head_dim: 16 } });
      const model = computeRotation(subject, cell, 2);
      if (model === null) throw new Error("no rotation");
      expect(largestDifference(Object.values(model.forms))).toBeLessThan(1e-12);
      expect(largestDifference(model.proof.map(({ value }) => value))).toBeLessThan(1e-12);
      const scale = subject.attention.terms[0]?.scale ?? 1;
      const logit = logitMatrix(subject.attention, [cell.row], [cell.column])[0] ?? Number.NaN;
      expect(model.forms.matrix * scale).toBeCloseTo(logit, 10);
      const apart = model.small.byMatrix.map((value, c) => Math.abs(value - (model.small.byElements[c] ?? Number.NaN)));
      expect(Math.max(...apart)).toBeLessThan(1e-12);
    }
  });

  test("rotates tokens by the ids of the Positions view", () => {
    const positions: PanelState["positions"] = { kind: "packed", padding: 0, fromMask: true, documents: [128, 100] };
    const given = { ...random, queryLength: 200, keyLength: 512, shift: 5, changes: { head_dim: 16 } };
    const subject = drawable("rope", { ...given, positions });
    // Query 50 is token 362: the second piece of 128 and 100, 134 into it, so 6 into its second document.
    const model = computeRotation(subject, { row: 50, column: 130 }, 0);
    expect(model).toMatchObject({ queryPlace: 367, keyPlace: 135, m: 6 + 5, n: 2 + 5 });
    const logit = logitMatrix(subject.attention, [50], [130])[0] ?? Number.NaN;
    expect((model?.forms.matrix ?? 0) * (subject.attention.terms[0]?.scale ?? 1)).toBeCloseTo(logit, 10);
  });

  test("takes the small head out of the real one", () => {
    const model = computeRotation(drawable("rope", { ...random, changes: { head_dim: 16 } }), cell, 7);
    expect(model?.small.pairs).toEqual([4, 5, 6, 7]);
    expect(model?.small.q).toHaveLength(8);
  });

  test("keeps the score when both positions shift", () => {
    const at = (shift: number) => computeRotation(drawable("rope", { ...random, shift }), cell, 0);
    expect(at(1000)?.m).toBe(1300);
    expect(at(1000)?.forms.elementwise).toBeCloseTo(at(0)?.forms.elementwise ?? Number.NaN, 9);
  });

  test("is absent for ALiBi, and counts rotations from 0 to 1", () => {
    expect(computeRotation(drawable("alibi"), cell, 0)).toBeNull();
    expect(rotationFraction(-Math.PI / 2)).toBeCloseTo(0.75, 12);
  });
});

describe("the grid data", () => {
  test("has the bias of a patch's offset to every other patch, as in the flat matrix", () => {
    const image = buildImageAttention(drawable("swin_bias"));
    if (image === null) throw new Error("no grid");
    const bias = image.attention.terms.filter(({ kind }) => kind === "bias");
    const query = { row: 2, column: 5 };
    const values = computePatchValues(image, query, bias);
    const term = bias[0];
    if (term?.kind !== "bias") throw new Error("no bias");
    expect(values[3 * 7 + 1]).toBe(term.value(2 * 7 + 5, 3 * 7 + 1));
    expect(values).toHaveLength(49);
  });

  test("places class tokens first, and numbers patches by columns for some encodings", () => {
    const grid = { height: 3, width: 4, classTokens: 1 };
    expect(patchToken(grid, { row: 1, column: 2 })).toBe(7);
    expect(patchToken({ ...grid, columnMajor: true }, { row: 1, column: 2 })).toBe(8);
    expect(patchAt(grid, 99)).toEqual({ row: 2, column: 3 });
  });

  test("is absent for text", () => {
    expect(buildImageAttention(drawable("rope"))).toBeNull();
  });
});

describe("the row sections", () => {
  test("show CoPE's gates between 0 and 1, summed from the key to the query", () => {
    const row = computeGateRow(drawable("cope", { ...size(40), ...random }), 30);
    if (row === null) throw new Error("no gates");
    expect(Math.max(...row.gates)).toBeLessThan(1);
    expect(row.gates[31]).toBe(0);
    expect((row.positions[10] ?? 0) - (row.positions[11] ?? 0)).toBeCloseTo(row.gates[10] ?? Number.NaN, 12);
    expect(computeGateRow(drawable("rope"), 3)).toBeNull();
  });

  test("show Shaw's output as the engine computes it", () => {
    const subject = drawable("shaw", { ...size(24), ...random });
    const row = computeOutputRow(subject, 17);
    if (row === null) throw new Error("no value term");
    const { scene, attention } = subject;
    const whole = outputMatrix(attention, scene.content.rows("v", scene.head, row.content.length), [17]);
    const apart = whole.map((value, c) => Math.abs(value - (row.content[c] ?? 0) - (row.position[c] ?? 0)));
    expect(Math.max(...apart)).toBeLessThan(1e-12);
    expect(computeOutputRow(drawable("rope"), 3)).toBeNull();
  });
});

describe("the scale of a chart", () => {
  const log = { label: "", scale: "log", from: 1, to: 10_000 } as const;

  test("inverts a fraction of an axis to its value", () => {
    for (const axis of [log, { ...log, scale: "linear" as const }]) {
      expect(mapScale(axis, [0, 1])(scaleValue(axis, 0.3))).toBeCloseTo(0.3, 12);
    }
    expect(mapScale(log, [20, 10])(100)).toBeCloseTo(15, 12);
    expect(mapScale({ ...log, to: 1 }, [0, 1])(1)).toBe(0.5);
    expect(nearestWhole(log, 0.5)).toBe(100);
    expect(nearestWhole(log, 2)).toBe(10_000);
  });

  test("has an axis for equal values, no values and infinities", () => {
    const [low, high] = roomyBounds([5, 5, Number.POSITIVE_INFINITY]);
    expect(low < 5 && high > 5).toBe(true);
    expect(roomyBounds([])).toEqual([0, 1]);
  });
});

describe("a shift on a grid", () => {
  test("moves by whole rows of patches and keeps the offsets", () => {
    const swin = encoding("swin_bias");
    const scene = { ...drawable("swin_bias").scene, queryLength: 12, keyLength: 12 };
    const bias = (shift: number) =>
      buildAttention(swin, requireParams(swin, {}), { ...scene, shift }, {}).terms.find(({ kind }) => kind === "bias");
    const [here, there] = [bias(0), bias(14)];
    if (here?.kind !== "bias" || there?.kind !== "bias") throw new Error("no bias");
    expect(there.value(10, 3)).toBe(here.value(10, 3));
  });
});

describe("the grid of axial RoPE", () => {
  test("exists for rope_type axial as for the other axial encodings, and not for types of text", () => {
    const params = { rope_type: "axial", head_dim: 32, grid_height: 3, grid_width: 5 };
    const image = buildImageAttention(drawable("rope", { changes: params }));
    expect(image?.grid).toMatchObject({ height: 3, width: 5, classTokens: 0 });
    if (image === null) throw new Error("no image");
    const values = computePatchValues(image, { row: 1, column: 2 }, image.attention.terms);
    expect(values).toHaveLength(15);
    expect(Math.max(...values)).toBe(values[1 * 5 + 2]);
    expect(buildImageAttention(drawable("rope"))).toBeNull();
  });
});
