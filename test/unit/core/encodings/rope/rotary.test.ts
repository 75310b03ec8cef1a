import { describe, expect, test } from "vitest";
import { buildAttention } from "../../../../../src/core/encodings/buildAttention.ts";
import type { Encoding } from "../../../../../src/core/encodings/encoding.ts";
import { assignMropeAxes, computeMropePositions } from "../../../../../src/core/encodings/mrope/positions.ts";
import {
  inverseFrequencies,
  inverseFrequenciesFloat32,
  ROPE_TYPES,
} from "../../../../../src/core/encodings/rope/frequencies.ts";
import { AXIAL_VARIANTS, buildGridCoordinate, resolveAxialPairs } from "../../../../../src/core/encodings/rope/grid.ts";
import { evaluateComplexProof } from "../../../../../src/core/encodings/rope/matrix.ts";
import { lineRotation } from "../../../../../src/core/encodings/rope/rotation.ts";
import { checkParams, requireParams, suggestParams } from "../../../../../src/core/encodings/support/schema.ts";
import { fullTitle } from "../../../../../src/core/encodings/support/title.ts";
import { initialPanelState } from "../../../../../src/core/protocol/state.ts";
import type { EncodingId, Params } from "../../../../../src/core/spec.ts";
import { onesContent, randomContent } from "../../../../../src/core/terms/content.ts";
import { factorRows, indexRange, logitMatrix, termMatrix } from "../../../../../src/core/terms/engine.ts";
import type { Scene } from "../../../../../src/core/terms/scene.ts";
import { ParamError } from "../../../../../src/core/util/errors.ts";
import { derivePanelEncoding } from "../../../../../webview/state/panelEncoding.ts";
import { knownEncoding } from "../../../support/knownEncoding.ts";
import { randomScene } from "../../../support/scenes.ts";

const rope = knownEncoding("rope");
const rotary = (["rope", "xpos", "mrope", "axial_rope", "rerope", "self_extend"] as const).map(knownEncoding);

const sceneOf = (length: number, changes: Partial<Scene> = {}) => randomScene(length, 7, changes);

/** The first problem as "parameter: rule". */
function problemOf(id: EncodingId, params: Params): string | undefined {
  const [first] = checkParams(knownEncoding(id), params).problems;
  return first === undefined ? undefined : `${first.param}: ${first.rule}`;
}

describe("the parameters of a rotary encoding", () => {
  test.each<[EncodingId, Params, string]>([
    ["rope", { head_dim: 7 }, "head_dim: must give an even rotary dimension, not 7: dimensions rotate in pairs"],
    [
      "rope",
      { head_dim: 16, rotary_dim: 5 },
      "rotary_dim: must give an even rotary dimension, not 5: dimensions rotate in pairs",
    ],
    ["rope", { head_dim: 16, rotary_dim: 32 }, "rotary_dim: must not rotate more than head_dim = 16 dimensions"],
    [
      "rope",
      { head_dim: 8, partial_rotary_factor: 0.1 },
      "partial_rotary_factor: must leave at least 2 dimensions to rotate, not 0",
    ],
    ["rope", { rope_theta: -10_000 }, "rope_theta: must be greater than 0"],
    ["rope", { rope_theta: Number.NaN }, "rope_theta: must be a finite number"],
    ["rope", { num_heads: 0 }, "num_heads: must be at least 1"],
    ["rope", { rope_type: "linear" }, "factor: is required for rope_type linear"],
    ["rope", { rope_type: "dynamic" }, "factor: is required for rope_type dynamic"],
    [
      "rope",
      { rope_type: "ntk", factor: 2, head_dim: 2 },
      "head_dim: must rotate more than 2 dimensions: NTK's exponent d/(d − 2) divides by zero",
    ],
    ["rope", { rope_type: "yarn", factor: 2, beta_fast: 1, beta_slow: 4 }, "beta_fast: must be at least beta_slow = 4"],
    ["rope", { rope_type: "yarn", factor: 2, rope_theta: 1 }, "rope_theta: must be greater than 1"],
    [
      "rope",
      { rope_type: "llama3", factor: 8, low_freq_factor: 4, high_freq_factor: 3 },
      "high_freq_factor: must be at least low_freq_factor = 4",
    ],
    [
      "rope",
      { rope_type: "longrope", head_dim: 8, long_factor: [1, 1, 1, 1] },
      "short_factor: is required for rope_type longrope",
    ],
    [
      "rope",
      { rope_type: "longrope", head_dim: 8, short_factor: [1, 1], long_factor: [1, 1, 1, 1] },
      "short_factor: must have one number per pair (4), not 2",
    ],
    [
      "rope",
      { rope_type: "axial", head_dim: 6 },
      "head_dim: must give a rotary dimension that is a multiple of 4: each axis takes half of the pairs",
    ],
    ["rope", { head_dim: 8, inv_freq: [1] }, "inv_freq: must have one number per pair (4), not 1"],
    ["rope", { rope_type: "su" }, `rope_type: must be one of ${ROPE_TYPES.join(", ")}`],
    ["xpos", { head_dim: 5 }, "head_dim: must give an even rotary dimension, not 5: dimensions rotate in pairs"],
    ["mrope", { head_dim: 16, mrope_section: [2, 2, 2] }, "mrope_section: must sum to the number of pairs (8), not 6"],
    [
      "mrope",
      { head_dim: 16, mrope_section: [4, 4] },
      "mrope_section: must be three numbers: pairs for time, row and column",
    ],
    [
      "axial_rope",
      { head_dim: 6 },
      "head_dim: must be a multiple of 4: half of the pairs rotate by row, half by column",
    ],
    ["axial_rope", { image_size: [10, 12], patch_size: 4 }, "image_size: must be a multiple of patch_size = 4"],
    ["axial_rope", { variant: "eva02", head_dim: 8, rope_dim: 8 }, "rope_dim: must be head_dim / 2 = 4"],
    ["rerope", { window: 0 }, "window: must be at least 1"],
    ["self_extend", { group_size: 9, neighbor_window: 8 }, "group_size: must be at most neighbor_window = 8"],
  ])("of %s refuse %o and name the broken rule", (id, params, problem) => {
    expect(problemOf(id, params)).toBe(problem);
  });

  test("are valid with the suggested values for every type", () => {
    for (const rope_type of ROPE_TYPES) {
      expect(checkParams(rope, suggestParams(rope, { rope_type })).problems, rope_type).toEqual([]);
    }
    const partial = { rope_type: "longrope", head_dim: 64, partial_rotary_factor: 0.5 };
    expect(checkParams(rope, suggestParams(rope, partial)).problems).toEqual([]);
    for (const other of rotary) expect(checkParams(other, {}).problems, other.id).toEqual([]);
  });

  test("draw at once when a user selects any type, and stay as written when a config gives them", () => {
    for (const rope_type of ROPE_TYPES) {
      const model = derivePanelEncoding({ ...initialPanelState("rope"), changes: { rope_type } }, null);
      expect(model?.problems, rope_type).toEqual([]);
      expect(model?.resolved, rope_type).not.toBeNull();
    }
    const spec = {
      encoding: "rope",
      where: "text",
      layers: "all",
      params: { rope_type: "linear", factor: null },
      sources: {},
      evidence: [],
      confidence: "checked",
    } as const;
    const config = { uri: "file:///config.json", title: "config.json", version: 1, specs: [spec] };
    const bound = derivePanelEncoding({ ...initialPanelState("rope"), config: { uri: config.uri, index: 0 } }, config);
    expect(bound?.problems.map((problem) => problem.param)).toEqual(["factor"]);
  });

  test("accept other spellings", () => {
    expect(requireParams(rope, { layout: "rotate_half" }).layout).toBe("half");
    expect(requireParams(rope, { rotary_emb_base: 500 }).rope_theta).toBe(500);
    expect(requireParams(knownEncoding("axial_rope"), { image_size: 32 }).image_size).toEqual([32]);
  });

  test("refuse vectors whose length is not head_dim", () => {
    const scene = sceneOf(2, {
      content: { ...randomContent(1), rows: (which, head) => randomContent(1).rows(which, head, 6) },
    });
    for (const other of rotary) {
      const params = requireParams(other, other.id === "mrope" ? {} : { head_dim: 8 });
      expect(() => other.terms(params, scene), other.id).toThrow(ParamError);
    }
  });

  test("refuse too few positions", () => {
    const scene = sceneOf(4, { inputs: { position_ids: [0, 1, 2] } });
    expect(() => rope.terms(requireParams(rope, {}), scene)).toThrow("position_ids");
    const grid = sceneOf(4, { inputs: { position_ids_thw: [[0], [0], [0]] } });
    expect(() => knownEncoding("mrope").terms(requireParams(knownEncoding("mrope"), {}), grid)).toThrow(
      "position_ids_thw",
    );
  });
});

describe("the scale of a rotary term", () => {
  const termOf = (params: Params) => rope.terms(requireParams(rope, params), sceneOf(4, { content: onesContent }))[0];

  test("is a product of the root, YaRN's temperature squared and DeepSeek's mscale squared", () => {
    const yarn = { rope_type: "yarn", factor: 4, original_max_position_embeddings: 32_768, head_dim: 128 };
    expect(termOf(yarn)?.scaleParts?.map((part) => part.text)).toEqual(["1/√128", "1.138629² (YaRN)"]);
    const deepseek = { ...yarn, factor: 40, mscale: 1, mscale_all_dim: 1, yarn_apply_mscale: true, qk_head_dim: 192 };
    expect(termOf(deepseek)?.scaleParts?.map((part) => part.text)).toEqual(["1/√192", "1.368888² (mscale)"]);
    expect(termOf(deepseek)?.scale).toBeCloseTo(0.13523377886088, 13);
    expect(rope.derived?.(requireParams(rope, deepseek)).softmax_scale).toBeCloseTo(0.13523377886088, 13);
    for (const params of [yarn, deepseek]) {
      const term = termOf(params);
      expect(term?.scaleParts?.reduce((product, part) => product * part.value, 1)).toBeCloseTo(term?.scale ?? 0, 15);
    }
  });

  test("leaves unrotated dimensions without YaRN's temperature", () => {
    const params = { rope_type: "yarn", factor: 4, head_dim: 8, partial_rotary_factor: 0.5 };
    const term = termOf(params);
    expect(term?.scale).toBeCloseTo(1 / Math.sqrt(8), 15);
    const scaling = inverseFrequencies(requireParams(rope, params)).attention_scaling;
    expect(term?.profile?.(0)).toBeCloseTo(4 * scaling ** 2 + 4, 12);
  });
});

describe("the call length of a scaled RoPE", () => {
  const dynamic = { rope_type: "dynamic", factor: 2, max_position_embeddings: 8, head_dim: 8 };
  const scores = (params: Params, scene: Scene) =>
    logitMatrix(buildAttention(rope, requireParams(rope, params), scene, {}), [3], [0]);

  test("is the length of the scene unless seq_len is set", () => {
    const short = scores(dynamic, sceneOf(8));
    expect(scores({ ...dynamic, rope_type: "default" }, sceneOf(8))).toEqual(short);
    expect(scores(dynamic, sceneOf(9))).not.toEqual(short);
    expect(scores({ ...dynamic, seq_len: 8 }, sceneOf(9))).toEqual(short);
    expect(scores(dynamic, sceneOf(8, { shift: 1 }))).not.toEqual(short);
  });

  test("selects LongRoPE's list, except at construction", () => {
    const params = requireParams(rope, {
      rope_type: "longrope",
      head_dim: 4,
      original_max_position_embeddings: 4,
      max_position_embeddings: 16,
      short_factor: [1, 1],
      long_factor: [2, 4],
    });
    expect(inverseFrequencies({ ...params, seq_len: 4 }).inv_freq).toEqual([1, 0.01]);
    expect(inverseFrequencies({ ...params, seq_len: 5 }).inv_freq).toEqual([0.5, 0.0025]);
    expect(rope.derived?.({ ...params, seq_len: 5 }).inv_freq).toEqual([1, 0.01]);
    expect(inverseFrequencies(params).attention_scaling).toBeCloseTo(Math.sqrt(2), 14);
  });
});

describe("the precision of RoPE", () => {
  test("has float32 frequencies nearest to the exact ones", () => {
    const params = requireParams(rope, { head_dim: 8 });
    expect(inverseFrequenciesFloat32(params)).toEqual([1, 0.1, 0.01, 0.001].map(Math.fround));
  });

  test("blurs far positions in float32 and bfloat16 tables, but not in float64", () => {
    const frequencies = inverseFrequencies(requireParams(rope, { head_dim: 64 })).inv_freq;
    const cosines = (precision: "exact" | "float32" | "bfloat16", position: number) => {
      const cos = new Float64Array(32);
      lineRotation(frequencies, () => position, 1, precision).write(0, cos, new Float64Array(32));
      return cos;
    };
    const error = (precision: "float32" | "bfloat16", position: number) => {
      const exact = cosines("exact", position);
      return Math.max(...cosines(precision, position).map((value, k) => Math.abs(value - (exact[k] ?? 0))));
    };
    expect(error("float32", 3)).toBeLessThan(1e-6);
    expect(error("float32", 1_000_000)).toBeGreaterThan(1e-3);
    expect(error("float32", 1_000_000)).toBeLessThan(0.07);
    expect(error("bfloat16", 3)).toBeGreaterThan(1e-4);
  });

  test("has cosines at position 10,000,000 of the exact product of position and frequency", () => {
    // 0.1 as a double is 3602879701896397 / 2^55; the angle modulo 2π from 60-digit arithmetic.
    const cos = new Float64Array(1);
    const sin = new Float64Array(1);
    lineRotation([0.1], () => 10_000_001).write(0, cos, sin);
    expect(Math.abs((cos[0] ?? 0) - EXACT.cos)).toBeLessThan(2e-16);
    expect(Math.abs((sin[0] ?? 0) - EXACT.sin)).toBeLessThan(2e-16);
  });
});

describe("the table and domain of RoPE", () => {
  test("has cosines, then sines in a row, with the attention scaling", () => {
    const params = requireParams(rope, { rope_type: "yarn", factor: 4, head_dim: 4 });
    const table = rope.positionTable?.(params, sceneOf(3));
    const scaling = inverseFrequencies(params).attention_scaling;
    expect(table?.rows.dim).toBe(4);
    expect(table === undefined ? [] : [0, 1, 2, 3].map(table.column)).toEqual(["cos ω₀", "cos ω₁", "sin ω₀", "sin ω₁"]);
    expect(table === undefined ? [] : Array.from(factorRows(table.rows, [0]))).toEqual([scaling, scaling, 0, 0]);
  });

  test("ends with the patches of an image", () => {
    const axial = knownEncoding("axial_rope");
    const domain = axial.domain(requireParams(axial, { variant: "llama4_vision", image_size: 6, patch_size: 2 }));
    expect(domain).toMatchObject({ kind: "table", size: 10 });
    expect(rope.domain(requireParams(rope, { rope_type: "axial", grid_height: 2, grid_width: 3 }))).toMatchObject({
      size: 6,
    });
    expect(rope.domain(requireParams(rope, {}))).toEqual({ kind: "any" });
  });
});

describe("axial RoPE", () => {
  const axial = knownEncoding("axial_rope");

  test.each(AXIAL_VARIANTS)(
    "%s rotates each dimension of the head exactly once, half of the pairs by each axis",
    (variant) => {
      const { axes, pairs } = resolveAxialPairs(requireParams(axial, { variant, head_dim: 16 }));
      expect([...pairs.first, ...pairs.second].sort((a, b) => a - b)).toEqual(indexRange(0, 16));
      expect(axes.filter((axis) => axis === 0).length).toBe(4);
      expect(axes.filter((axis) => axis === 1).length).toBe(4);
    },
  );

  test("rotates Gemma's halves separately, the first by rows and the second by columns", () => {
    const params = requireParams(axial, { variant: "gemma4_vision", head_dim: 8 });
    const { pairs, axes } = resolveAxialPairs(params);
    expect(pairs).toEqual({ first: [0, 1, 4, 5], second: [2, 3, 6, 7] });
    expect(axes).toEqual([0, 0, 1, 1]);
  });

  test("does not rotate prefix tokens", () => {
    const params = requireParams(axial, { variant: "dinov3", num_prefix_tokens: 5, grid_height: 2, grid_width: 2 });
    const at = buildGridCoordinate(params, sceneOf(9));
    expect([at(0, 0), at(4, 1)]).toEqual([0, 0]);
    expect(at(5, 0)).toBeCloseTo(-Math.PI, 14);
    expect(at(8, 1)).toBeCloseTo(Math.PI, 14);
  });

  test("is the same as RoPE's type axial for Qwen2-VL", () => {
    const grid = { head_dim: 8, grid_height: 2, grid_width: 3 };
    const cells = indexRange(0, 6);
    const values = (which: Encoding, params: Params) =>
      logitMatrix(buildAttention(which, requireParams(which, params), sceneOf(6), {}), cells, cells);
    expect(values(rope, { ...grid, rope_type: "axial" })).toEqual(values(axial, grid));
  });
});

describe("M-RoPE", () => {
  test("counts frames, rows and columns, and continues after the larger side", () => {
    const types = [0, 1, 1, 1, 1, 0, 2, 2, 0];
    const { positions, delta } = computeMropePositions(
      types,
      [
        [2, 2, 4],
        [1, 4, 2],
      ],
      2,
    );
    expect(positions).toEqual([
      [0, 1, 1, 2, 2, 3, 4, 4, 6],
      [0, 1, 1, 1, 1, 3, 4, 5, 6],
      [0, 1, 2, 1, 2, 3, 4, 4, 6],
    ]);
    expect(delta).toBe(-2);
  });

  test("assigns pairs to axes in sections or alternating", () => {
    expect(assignMropeAxes(6, [2, 1, 3], false)).toEqual([0, 0, 1, 2, 2, 2]);
    expect(assignMropeAxes(8, [4, 2, 2], true)).toEqual([0, 1, 2, 0, 1, 2, 0, 0]);
  });

  test("places the example picture between two texts", () => {
    const mrope = knownEncoding("mrope");
    const given = { head_dim: 12, mrope_section: [2, 2, 2], image_start: 2, image_height: 2, image_width: 3 };
    const params = requireParams(mrope, given);
    const ids = computeMropePositions([0, 0, 1, 1, 1, 1, 1, 1, 0, 0], [[1, 2, 3]], 1).positions;
    const term = (inputs: Scene["inputs"]) => {
      const attention = buildAttention(mrope, params, sceneOf(10, { inputs }), {});
      return termMatrix(attention, attention.terms[0] ?? expect.fail("no term"), indexRange(0, 10), indexRange(0, 10));
    };
    expect(term({})).toEqual(term({ position_ids_thw: ids }));
  });

  test("supports RoPE's scaling types", () => {
    const mrope = knownEncoding("mrope");
    const params = requireParams(mrope, {
      head_dim: 128,
      rope_type: "yarn",
      factor: 4,
      original_max_position_embeddings: 32_768,
    });
    expect(mrope.derived?.(params).attention_scaling).toBeCloseTo(1.1386294361, 9);
    expect(mrope.derived?.(params).axis).toHaveLength(64);
  });
});

describe("the complex proof", () => {
  test("reproduces the worked example's −sin θ, where only 2 − 1 is left", () => {
    const values = evaluateComplexProof([1, 0], [0, 1], Math.PI / 6, 1, 2).map((step) => step.value);
    for (const value of values) expect(value).toBeCloseTo(-Math.sin(Math.PI / 6), 14);
    expect(values).toHaveLength(3);
  });
});

describe("a rotary encoding", () => {
  test.each(rotary.map((other) => [other.id, other] as const))(
    "has every text of %s in both languages",
    (_id, other) => {
      const { models, ...prose } = other.explanation;
      for (const text of [
        fullTitle(other),
        ...Object.values(prose),
        ...other.parameters.map((parameter) => parameter.help),
      ]) {
        expect(text.en.length).toBeGreaterThan(10);
        expect(text.zh).toMatch(/[\u4e00-\u9fff]|RoPE|xPos/);
      }
      expect(models.length).toBeGreaterThan(0);
      expect(other.papers.length).toBeGreaterThan(0);
    },
  );

  test("has a formula for each type of RoPE", () => {
    const ids = ROPE_TYPES.map((rope_type) => rope.formula({ rope_type }).id);
    expect(new Set(ids).size).toBe(ROPE_TYPES.length);
    expect(rope.formulas.map((formula) => formula.id).sort()).toEqual([...ids].sort());
  });
});

/** cos and sin of 10,000,001 × (the double nearest to 0.1). */
const EXACT = { cos: 0.9670133158686208, sin: -0.25472582698418106 };
