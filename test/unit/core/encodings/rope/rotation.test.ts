import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { buildAttention } from "../../../../../src/core/encodings/buildAttention.ts";
import {
  geometricFrequencies,
  inverseFrequencies,
  ROPE_TYPES,
  type RopeType,
} from "../../../../../src/core/encodings/rope/frequencies.ts";
import {
  evaluateRotationForms,
  layoutPermutation,
  rotateElementwise,
} from "../../../../../src/core/encodings/rope/matrix.ts";
import { lineRotation, pairIndices, rotatedFactor } from "../../../../../src/core/encodings/rope/rotation.ts";
import { requireParams, suggestParams } from "../../../../../src/core/encodings/support/schema.ts";
import type { EncodingId, Params } from "../../../../../src/core/spec.ts";
import { factorFromRows, onesContent, randomContent } from "../../../../../src/core/terms/content.ts";
import { factorRows, indexRange, logitMatrix, termMatrix } from "../../../../../src/core/terms/engine.ts";
import type { Scene } from "../../../../../src/core/terms/scene.ts";
import { knownEncoding } from "../../../support/knownEncoding.ts";
import { expectClose, largestDifference, randomScene } from "../../../support/scenes.ts";

const rope = knownEncoding("rope");

const sceneOf = (length: number, changes: Partial<Scene> = {}) => randomScene(length, 7, changes);

function logits(id: EncodingId, params: Params, scene: Scene, rows?: number[], columns?: number[]): Float64Array {
  const checked = requireParams(knownEncoding(id), params);
  const all = indexRange(0, scene.keyLength);
  return logitMatrix(buildAttention(knownEncoding(id), checked, scene, {}), rows ?? all, columns ?? all);
}

const lineTypes = ROPE_TYPES.filter((type) => type !== "axial");
const arbitraryType = fc.constantFrom(...lineTypes);
const layoutArbitrary = fc.constantFrom("half", "interleaved");

/** Parameters that are valid for any type. */
const arbitraryRope = fc
  .record({
    rope_type: arbitraryType,
    layout: layoutArbitrary,
    pairs: fc.integer({ min: 2, max: 16 }),
    rope_theta: fc.double({ min: 100, max: 1e6, noNaN: true }),
    factor: fc.double({ min: 1, max: 32, noNaN: true }),
    seq_len: fc.integer({ min: 1, max: 100_000 }),
  })
  .map(({ pairs, seq_len, ...values }) => {
    const types: readonly string[] = ["dynamic", "longrope"];
    const given: Params = { head_dim: 2 * pairs, max_position_embeddings: 512, ...values };
    return suggestParams(rope, types.includes(values.rope_type) ? { ...given, seq_len } : given);
  });

describe("a rotation", () => {
  test("keeps the norm of every vector at any position", () => {
    fc.assert(
      fc.property(arbitraryRope, fc.integer({ min: 0, max: 10_000_000 }), (params, position) => {
        const dim = Number(params.head_dim);
        const base = randomContent(3).rows("q", 0, dim);
        const { inv_freq } = inverseFrequencies(params);
        const pairs = pairIndices("half", inv_freq.length);
        const turned = rotatedFactor(
          base,
          pairs,
          lineRotation(inv_freq, () => position),
        );
        const norm = (rows: Float64Array) => Math.hypot(...rows);
        expect(norm(factorRows(turned, [5]))).toBeCloseTo(norm(factorRows(base, [5])), 10);
      }),
    );
  });

  test("is the same by matrix, element-wise, with complex numbers and by the relative distance", () => {
    const vector = fc.array(fc.double({ min: -3, max: 3, noNaN: true }), { minLength: 8, maxLength: 8 });
    const position = fc.integer({ min: 0, max: 5000 });
    fc.assert(
      fc.property(vector, vector, position, position, layoutArbitrary, (q, k, m, n, layout) => {
        const form = layout === "half" ? "half" : "interleaved";
        const { matrix, elementwise, relative, complex } = evaluateRotationForms(
          q,
          k,
          geometricFrequencies(1e4, 8),
          m,
          n,
          form,
        );
        expectClose([elementwise, relative, complex], [matrix, matrix, matrix], 1e-10);
      }),
    );
  });

  test("is the same in both layouts under the known permutation", () => {
    const vector = fc.array(fc.double({ min: -3, max: 3, noNaN: true }), { minLength: 10, maxLength: 10 });
    fc.assert(
      fc.property(vector, fc.integer({ min: 0, max: 100_000 }), (half, position) => {
        const frequencies = geometricFrequencies(1e4, 10);
        const order = layoutPermutation(5);
        const interleaved = order.map((c) => half[c] ?? 0);
        const turnedHalf = rotateElementwise(half, frequencies, position, "half");
        const turned = rotateElementwise(interleaved, frequencies, position, "interleaved");
        expectClose(
          turned,
          order.map((c) => turnedHalf[c] ?? 0),
          1e-12,
        );
      }),
    );
  });

  test("gives other numbers in the wrong layout", () => {
    const scene = sceneOf(6);
    const half = logits("rope", { head_dim: 8, layout: "half" }, scene);
    expect(largestDifference(half, logits("rope", { head_dim: 8, layout: "interleaved" }, scene))).toBeGreaterThan(0.1);
  });
});

describe("the scores", () => {
  /** Rounding error of a product of vectors of this length, from cosines with an error of 1e-16. */
  const tolerance = 1e-11;

  test("of RoPE do not change when queries and keys shift together", () => {
    fc.assert(
      fc.property(arbitraryRope, fc.constantFrom(1, 77, 100_000, 10_000_000), (params, shift) => {
        // Types that depend on the call length use a fixed one.
        const held = { ...params, seq_len: params.seq_len ?? 512 };
        const here = logits("rope", held, sceneOf(5));
        const there = logits("rope", held, sceneOf(5, { shift }));
        expectClose(there, here, tolerance);
      }),
      { numRuns: 60 },
    );
  });

  test("of xPos and of M-RoPE on text do not change when queries and keys shift together", () => {
    for (const shift of [1, 1000, 10_000_000]) {
      const moved = sceneOf(6, { shift, centre: shift });
      expectClose(logits("xpos", { head_dim: 8 }, moved), logits("xpos", { head_dim: 8 }, sceneOf(6)), tolerance);
      const params = { head_dim: 12, mrope_section: [2, 2, 2], image_start: 2, image_height: 1, image_width: 2 };
      expectClose(logits("mrope", params, moved), logits("mrope", params, sceneOf(6)), tolerance);
    }
  });

  test("of axial RoPE depend on the differences of rows and columns alone", () => {
    const params = { head_dim: 8, grid_height: 3, grid_width: 4, variant: "pixtral" };
    expectClose(
      logits("axial_rope", params, sceneOf(12, { shift: 9 })),
      logits("axial_rope", params, sceneOf(12)),
      tolerance,
    );
  });

  test("of Self-Extend change only with a shift that its group size does not divide", () => {
    const params = { head_dim: 8, group_size: 4, neighbor_window: 8 };
    const here = logits("self_extend", params, sceneOf(24));
    expectClose(logits("self_extend", params, sceneOf(24, { shift: 8 })), here, tolerance);
    expect(largestDifference(logits("self_extend", params, sceneOf(24, { shift: 1 })), here)).toBeGreaterThan(0.01);
  });

  test("of fewer queries than keys are the last rows", () => {
    for (const id of ["rope", "xpos", "mrope", "axial_rope", "rerope", "self_extend"] as const) {
      const params = id === "mrope" ? { head_dim: 8, mrope_section: [2, 1, 1], image_start: 1 } : { head_dim: 8 };
      const keys = indexRange(0, 9);
      const constant = {
        ...randomContent(1),
        rows: () => factorFromRows(keys.map(() => [1, 2, 0, -1, 0.5, 1, -2, 3])),
      };
      const whole = logits(id, params, sceneOf(9, { content: constant }), indexRange(6, 9), keys);
      const last = logits(id, params, sceneOf(9, { content: constant, queryLength: 3 }), indexRange(0, 3), keys);
      expectClose(last, whole, 1e-12);
    }
  });
});

describe("the frequencies", () => {
  const plain = (dim: number, theta = 10_000) => geometricFrequencies(theta, dim);
  const factorArbitrary = fc.double({ min: 1.01, max: 64, noNaN: true });
  const dimArbitrary = fc.integer({ min: 2, max: 64 }).map((pairs) => 2 * pairs);

  test("scaled linearly by s give at position s·m what the original ones give at m", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 16 }), fc.integer({ min: 0, max: 4096 }), (factor, m) => {
        const params = { rope_type: "linear", head_dim: 32, rope_theta: 1e4, factor };
        const scaled = lineRotation(inverseFrequencies(params).inv_freq, () => factor * m);
        const original = lineRotation(plain(32), () => m);
        const read = (rotation: typeof scaled) => {
          const cos = new Float64Array(16);
          const sin = new Float64Array(16);
          rotation.write(0, cos, sin);
          return [...cos, ...sin];
        };
        expectClose(read(scaled), read(original), 1e-11);
      }),
    );
  });

  test("of NTK keep the highest and divide the lowest by s", () => {
    fc.assert(
      fc.property(dimArbitrary, factorArbitrary, (head_dim, factor) => {
        const { inv_freq } = inverseFrequencies({ rope_type: "ntk", head_dim, rope_theta: 1e4, factor });
        expect(inv_freq[0]).toBe(1);
        expect(inv_freq.at(-1)).toBeCloseTo((plain(head_dim).at(-1) ?? 0) / factor, 14);
      }),
    );
  });

  test("of YaRN, Llama 3 and dynamic NTK lie between the interpolated and the original ones", () => {
    const types = fc.constantFrom<RopeType>("yarn", "llama3", "dynamic", "ntk");
    fc.assert(
      fc.property(types, dimArbitrary, factorArbitrary, (rope_type, head_dim, factor) => {
        const given = {
          rope_type,
          head_dim,
          rope_theta: 1e4,
          factor,
          max_position_embeddings: 4096,
          seq_len: 4096 * 2,
        };
        const { inv_freq } = inverseFrequencies(given);
        // Dynamic NTK at twice the length stretches by 2f − (f − 1) = f + 1.
        const stretch = rope_type === "dynamic" ? factor + 1 : factor;
        plain(head_dim).forEach((original, k) => {
          expect(inv_freq[k] ?? 0).toBeLessThanOrEqual(original * (1 + 1e-12));
          expect(inv_freq[k] ?? 0).toBeGreaterThanOrEqual((original / stretch) * (1 - 1e-12));
        });
      }),
    );
  });

  test("of every type with factor 1 are those of plain RoPE", () => {
    const ones = new Array<number>(16).fill(1);
    for (const rope_type of lineTypes) {
      const lists = { short_factor: ones, long_factor: ones };
      const given = { rope_type, head_dim: 32, rope_theta: 5e5, factor: 1, max_position_embeddings: 2048, ...lists };
      // Dynamic NTK scales by L/max even at factor 1; within the training context it is plain RoPE.
      for (const seq_len of rope_type === "dynamic" ? [1, 2048] : [1, 2048, 100_000]) {
        const { inv_freq, attention_scaling } = inverseFrequencies({ ...given, seq_len });
        expect(attention_scaling, rope_type).toBe(1);
        inv_freq.forEach((frequency, k) => {
          expect(frequency / (plain(32, 5e5)[k] ?? 0), rope_type).toBeCloseTo(1, 12);
        });
      }
    }
  });

  test("come from a trained list instead of the type if it is given", () => {
    const params = requireParams(rope, { head_dim: 4, inv_freq: [0.5, 0.25] });
    expect(inverseFrequencies(params).inv_freq).toEqual([0.5, 0.25]);
    expect(rope.classification.trainedParameters(params)).toBe(2);
  });
});

describe("limits of rotary encodings", () => {
  const scene = sceneOf(20);
  const plain = logits("rope", { head_dim: 12 }, scene);
  const causal = (values: Float64Array) => values.filter((_, n) => n % 20 <= Math.floor(n / 20));

  test("ReRoPE with an infinite window and Self-Extend with groups of one equal RoPE", () => {
    expectClose(causal(logits("rerope", { head_dim: 12, window: 1e6 }, scene)), causal(plain), 1e-12);
    const grouped = logits("self_extend", { head_dim: 12, group_size: 1, neighbor_window: 4 }, scene);
    expectClose(causal(grouped), causal(plain), 1e-12);
  });

  test("ReRoPE and Self-Extend have no value above the diagonal", () => {
    for (const id of ["rerope", "self_extend"] as const) {
      const values = logits(id, { head_dim: 12 }, scene);
      expect(values.filter((_, n) => n % 20 > Math.floor(n / 20)).every((value) => value === 0)).toBe(true);
    }
  });

  test("xPos with a very large scale base equals RoPE, and its centre changes nothing", () => {
    expectClose(logits("xpos", { head_dim: 12, scale_base: 1e9, layout: "half" }, scene), plain, 1e-6);
    const params = { head_dim: 12, scale_base: 16 };
    const centred = logits("xpos", params, { ...scene, centre: 13 });
    const relative = logits("xpos", params, scene).map((value, n) => (centred[n] ?? 0) / value - 1);
    expect(Math.max(...relative.map(Math.abs))).toBeLessThan(1e-9);
  });

  test("M-RoPE on text and axial RoPE in one column with doubled exponents equal RoPE", () => {
    const text = logits("mrope", { head_dim: 12, mrope_section: [2, 2, 2], image_height: 0 }, scene);
    expectClose(text, plain, 1e-12);
    const own = { head_dim: 4, grid_height: 20, grid_width: 1, variant: "qwen2_vl_vision", rope_theta: 100 };
    const frequencies = [1, 0];
    expectClose(logits("axial_rope", own, scene), logits("rope", { head_dim: 4, inv_freq: frequencies }, scene), 1e-12);
  });

  test("given position ids replace the indices", () => {
    const ids = [3, 1, 4, 15, 9];
    const given = logits("rope", { head_dim: 8 }, sceneOf(5, { inputs: { position_ids: ids } }));
    ids.forEach((m, i) => {
      const relative = sceneOf(5, { inputs: { position_ids: ids.map((n) => n - m + 100) } });
      const row = logits("rope", { head_dim: 8 }, relative, [i]);
      expectClose(row, given.subarray(i * 5, i * 5 + 5), 1e-12);
    });
  });
});

describe("the closed form of constant content", () => {
  const cases: readonly [EncodingId, Params][] = [
    ...lineTypes.map((rope_type): [EncodingId, Params] => ["rope", suggestParams(rope, { rope_type, head_dim: 64 })]),
    ["rope", suggestParams(rope, { rope_type: "yarn", head_dim: 64, partial_rotary_factor: 0.25 })],
    ["xpos", { head_dim: 64 }],
    ["mrope", { head_dim: 64, mrope_section: [8, 12, 12], image_height: 0 }],
    ["rerope", { head_dim: 64, window: 5 }],
  ];
  const content = onesContent;
  const slanted = { ...onesContent, rows: () => listFactorOf(64) };

  /** A constant row that is not all ones, so that the sine part counts. */
  function listFactorOf(dim: number) {
    const write = (_index: number, out: Float64Array, offset: number) => {
      for (let c = 0; c < dim; c++) out[offset + c] = Math.sin(3 * c + 1);
    };
    return { dim, write };
  }

  test.each(cases)("of %s equals the product of its factors within 1e-12 of the row's scale: %o", (id, given) => {
    for (const [from, rows] of [content, slanted].flatMap((c) =>
      [0, 100_000, 10_000_000].map((at) => [at, c] as const),
    )) {
      const length = from + 12;
      const scene = sceneOf(length, { content: rows, centre: from });
      const params = requireParams(knownEncoding(id), { ...given });
      const attention = buildAttention(knownEncoding(id), params, scene, {});
      const indices = indexRange(from, length);
      for (const term of attention.terms) {
        expect(term.profile).toBeDefined();
        const product = termMatrix(attention, term, indices, indices);
        const scale = Math.max(...product.map(Math.abs));
        const closed = product.map((value, n) => {
          const delta = Math.floor(n / 12) - (n % 12);
          const inside = delta >= (term.region?.deltaFrom ?? -99) && delta < (term.region?.deltaTo ?? 99);
          return inside ? (term.profile?.(delta) ?? 0) : value;
        });
        expectClose(closed, product, 1e-12 * scale);
      }
    }
  });

  test("is absent if content or positions are not constant", () => {
    const profileOf = (id: EncodingId, params: Params, scene: Scene) =>
      knownEncoding(id).terms(requireParams(knownEncoding(id), params), scene)[0]?.profile;
    expect(profileOf("rope", {}, sceneOf(4))).toBeUndefined();
    expect(profileOf("rope", {}, sceneOf(4, { content, inputs: { position_ids: [0, 2, 4, 6] } }))).toBeUndefined();
    expect(profileOf("mrope", {}, sceneOf(64, { content }))).toBeUndefined();
    expect(profileOf("axial_rope", {}, sceneOf(4, { content }))).toBeUndefined();
    expect(profileOf("rope", { table_precision: "float32" }, sceneOf(4, { content }))).toBeUndefined();
    expect(profileOf("rope", {}, sceneOf(4, { content }))).toBeDefined();
  });
});
