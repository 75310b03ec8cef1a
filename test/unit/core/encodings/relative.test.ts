import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { alibi, alibiSlopes } from "../../../../src/core/encodings/alibi.ts";
import { buildAttention } from "../../../../src/core/encodings/buildAttention.ts";
import { cope } from "../../../../src/core/encodings/cope.ts";
import { debertaBucket } from "../../../../src/core/encodings/deberta/buckets.ts";
import { deberta } from "../../../../src/core/encodings/deberta/deberta.ts";
import type { Encoding } from "../../../../src/core/encodings/encoding.ts";
import { fire } from "../../../../src/core/encodings/fire.ts";
import { kerple } from "../../../../src/core/encodings/kerple.ts";
import { none } from "../../../../src/core/encodings/none.ts";
import { sandwich } from "../../../../src/core/encodings/sandwich.ts";
import { shaw } from "../../../../src/core/encodings/shaw/shaw.ts";
import { checkParams, requireParams } from "../../../../src/core/encodings/support/schema.ts";
import { t5Bias } from "../../../../src/core/encodings/t5Bias/t5Bias.ts";
import { transformerXl } from "../../../../src/core/encodings/transformerXl/transformerXl.ts";
import { tupe } from "../../../../src/core/encodings/tupe/tupe.ts";
import type { Params } from "../../../../src/core/spec.ts";
import { onesContent, randomContent } from "../../../../src/core/terms/content.ts";
import { deltaAt, indexRange, logitMatrix, termMatrix, weightMatrix } from "../../../../src/core/terms/engine.ts";
import { dotProduct, evaluateRow } from "../../../../src/core/terms/linear.ts";
import { inRegion } from "../../../../src/core/terms/region.ts";
import type { Inputs, Scene } from "../../../../src/core/terms/scene.ts";
import type { Mask } from "../../../../src/core/terms/term.ts";

const TOKENS = 9;

function scene(change: Partial<Scene> = {}): Scene {
  const content = randomContent(3);
  return { queryLength: TOKENS, keyLength: TOKENS, shift: 0, head: 0, centre: 0, content, inputs: {}, ...change };
}

function attention(encoding: Encoding, given: Params, own: Scene, mask: Mask = {}) {
  return buildAttention(encoding, requireParams(encoding, given), own, mask);
}

function logits(encoding: Encoding, given: Params = {}, own = scene()): number[] {
  const { queryLength, keyLength } = own;
  return Array.from(logitMatrix(attention(encoding, given, own), indexRange(0, queryLength), indexRange(0, keyLength)));
}

function weights(encoding: Encoding, given: Params = {}, own = scene(), mask: Mask = {}): number[] {
  const { queryLength, keyLength } = own;
  const rows = indexRange(0, queryLength);
  return Array.from(weightMatrix(attention(encoding, given, own, mask), rows, indexRange(0, keyLength)));
}

function expectClose(actual: readonly number[], expected: readonly number[], tolerance = 1e-9): void {
  expect(actual.length).toBe(expected.length);
  actual.forEach((value, n) => {
    expect(Math.abs(value - (expected[n] ?? Number.NaN))).toBeLessThanOrEqual(tolerance);
  });
}

function largestDifference(a: readonly number[], b: readonly number[]): number {
  return Math.max(...a.map((value, n) => Math.abs(value - (b[n] ?? Number.NaN))));
}

const relative: readonly (readonly [string, Encoding, Params])[] = [
  ["Shaw", shaw, {}],
  ["Shaw with q·r and k·r", shaw, { position_embeddings_type: "relative_key_query" }],
  ["NEZHA", shaw, { variant: "nezha" }],
  ["Transformer-XL", transformerXl, {}],
  ["XLNet", transformerXl, { attn_type: "bi", clamp_len: 3 }],
  ["DeBERTa", deberta, { version: 1 }],
  ["DeBERTa-v3", deberta, { version: 3, position_buckets: 4, max_relative_positions: 32 }],
  ["T5", t5Bias, {}],
  ["ALiBi", alibi, {}],
  ["KERPLE", kerple, { kernel: "power" }],
  ["Sandwich", sandwich, { bidirectional: true }],
];

describe.each(relative)("the relative encoding %s", (_name, encoding, params) => {
  test("keeps all scores when both positions shift", () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 1e7 }), fc.integer({ min: 0, max: 3 }), (shift, head) => {
        expect(logits(encoding, params, scene({ shift, head }))).toEqual(logits(encoding, params, scene({ head })));
      }),
      { numRuns: 10 },
    );
  });

  test("has one value per diagonal for equal words", () => {
    const values = logits(encoding, params, scene({ content: onesContent }));
    for (const i of indexRange(1, TOKENS)) {
      for (const j of indexRange(1, TOKENS)) {
        expect(values[i * TOKENS + j]).toBeCloseTo(values[(i - 1) * TOKENS + j - 1] ?? Number.NaN, 9);
      }
    }
  });

  test("gives queries after a cache the rows of the whole text", () => {
    // v1 of DeBERTa cuts its table to the length of the text, which a cache does not change.
    const whole = logits(encoding, params, scene({ content: onesContent }));
    expectClose(logits(encoding, params, scene({ content: onesContent, queryLength: 2 })), whole.slice(7 * TOKENS));
  });

  test("has profiles equal to the cells", () => {
    const own = attention(encoding, params, scene({ content: onesContent, queryLength: 4 }));
    for (const term of own.terms) {
      const values = termMatrix(own, term, indexRange(0, 4), indexRange(0, TOKENS));
      values.forEach((value, n) => {
        const i = Math.floor(n / TOKENS);
        const delta = deltaAt(own, i, n % TOKENS);
        if (inRegion(term.region, i, n % TOKENS, delta)) expect(term.profile?.(delta)).toBeCloseTo(value, 9);
      });
    }
  });
});

test("FIRE depends on the position of the query as well as on the distance", () => {
  expect(largestDifference(logits(fire, {}, scene({ shift: 5000 })), logits(fire))).toBeGreaterThan(0.01);
});

describe("a limiting case", () => {
  const heads = { num_heads: 1, head_dim: 4 };
  const plain = () => weights(none, heads);

  test.each<[string, Encoding, Params, Inputs]>([
    [
      "T5 with equal buckets",
      t5Bias,
      { ...heads, num_buckets: 4, max_distance: 8, scale_scores: true },
      { relative_attention_bias: [[2], [2], [2], [2]] },
    ],
    [
      "Shaw with a table of zeros",
      shaw,
      { ...heads, max_relative_position: 1, use_values: false },
      { relative_keys: [0, 0, 0].map(() => [0, 0, 0, 0]), relative_values: [0, 0, 0].map(() => [0, 0, 0, 0]) },
    ],
    [
      "Shaw clipped to one vector",
      shaw,
      { ...heads, max_relative_position: 0, position_embeddings_type: "relative_key" },
      { relative_keys: [[1, -2, 3, 4]] },
    ],
    ["FIRE with a constant function", fire, { ...heads, mlp_width: 1 }, { w1: [[1]], b1: [0], w2: [[0]], b2: [5] }],
    ["KERPLE without a slope", kerple, { ...heads, kernel: "power", eps: 1e-300 }, { bias_p: [1], bias_a: [0] }],
  ])("of %s is plain attention", (_name, encoding, params, inputs) => {
    expectClose(weights(encoding, params, scene({ inputs })), plain(), 1e-12);
  });

  test("of CoPE with a single position is plain attention", () => {
    const inputs = { pos_emb: [[1], [2], [-1], [3]] };
    const own = weights(cope, { ...heads, npos_max: 1 }, scene({ inputs }), { causal: true });
    expectClose(own, weights(none, heads, scene(), { causal: true }), 1e-12);
  });

  test.each<[string, Mask]>([
    ["a window", { window: TOKENS }],
    ["a chunk", { chunk: TOKENS }],
    ["a window with kept tokens", { window: TOKENS, keepFirst: 2 }],
  ])("of %s as long as the text is the causal mask", (_name, mask) => {
    expect(weights(t5Bias, {}, scene(), { causal: true, ...mask })).toEqual(
      weights(t5Bias, {}, scene(), { causal: true }),
    );
  });

  test("of KERPLE's power kernel with p = 1 is ALiBi", () => {
    const slopes = alibiSlopes(4);
    const inputs = { bias_p: [1, 1, 1, 1], bias_a: slopes };
    const own = { num_heads: 4, head_dim: 4 };
    for (const head of indexRange(0, 4)) {
      const mine = weights(kerple, { ...own, kernel: "power", eps: 1e-9 }, scene({ head, inputs }), { causal: true });
      expectClose(mine, weights(alibi, own, scene({ head }), { causal: true }), 1e-12);
    }
  });
});

describe("Shaw's encoding", () => {
  test("adds the vectors of the clipped distance in q · r and k · r", () => {
    const own = scene({ content: randomContent(11) });
    const table = indexRange(0, 5).map((r) => indexRange(0, 3).map((c) => Math.sin(3 * r + c)));
    const params = {
      num_heads: 1,
      head_dim: 3,
      max_relative_position: 2,
      position_embeddings_type: "relative_key_query",
    };
    const values = logits(shaw, params, { ...own, inputs: { relative_keys: table } });
    const row = (which: "q" | "k", n: number) => evaluateRow(own.content.rows(which, 0, 3), n);
    const expected = indexRange(0, TOKENS * TOKENS).map((n) => {
      const i = Math.floor(n / TOKENS);
      const j = n % TOKENS;
      const r = table[Math.min(Math.max(j - i, -2), 2) + 2] ?? [];
      return (
        (dotProduct(row("q", i), row("k", j)) + dotProduct(r, row("q", i)) + dotProduct(r, row("k", j))) / Math.sqrt(3)
      );
    });
    expectClose(values, expected);
  });

  test("adds the vector of the distance to the values", () => {
    const values = shaw.valueTerm?.(requireParams(shaw, { max_relative_position: 2 }), scene());
    expect(values?.index.of === "delta" && [values.index.at(5), values.index.at(1), values.index.at(-9)]).toEqual([
      0, 1, 4,
    ]);
    expect(
      shaw.valueTerm?.(
        requireParams(shaw, { left_max_position_embeddings: 3, position_embeddings_type: "relative_key" }),
        scene(),
      ),
    ).toBeUndefined();
  });
});

describe("DeBERTa's buckets", () => {
  const setting = fc.record({
    buckets: fc.integer({ min: 4, max: 256 }),
    most: fc.integer({ min: 300, max: 2000 }),
    distance: fc.integer({ min: -3000, max: 3000 }),
  });

  test("keep the sign and near distances, and grow with distance", () => {
    fc.assert(
      fc.property(setting, ({ buckets, most, distance }) => {
        const bucket = debertaBucket(distance, buckets, most);
        expect(debertaBucket(0 - distance, buckets, most)).toBe(0 - bucket);
        if (Math.abs(distance) <= Math.floor(buckets / 2)) expect(bucket).toBe(distance);
        expect(debertaBucket(distance + 1, buckets, most)).toBeGreaterThanOrEqual(bucket);
      }),
    );
  });

  test("use the training context for -1, and accept types in either spelling", () => {
    const both = logits(deberta, { max_relative_positions: -1, max_position_embeddings: 64, position_buckets: 8 });
    expect(logits(deberta, { max_relative_positions: 64, position_buckets: 8, pos_att_type: ["p2c", "c2p"] })).toEqual(
      both,
    );
  });

  test("report the parameter that breaks a rule", () => {
    const problem = (given: Params) => checkParams(deberta, given).problems[0]?.param;
    expect(problem({ max_relative_positions: 20, position_buckets: 64 })).toBe("max_relative_positions");
    expect(problem({ hidden_size: 10, num_attention_heads: 4 })).toBe("num_heads");
    expect(problem({ pos_att_type: "p2p" })).toBe("pos_att_type");
  });
});

describe("the bucket of a distance", () => {
  const distances = indexRange(-700, 701);

  test.each([
    ["Shaw", shaw, { max_relative_position: 5 }],
    ["DeBERTa-v1", deberta, { version: 1, max_relative_positions: 9 }],
    ["DeBERTa-v3", deberta, { version: 3, position_buckets: 8, max_relative_positions: 64 }],
  ] as const)("is the table row that the scores of %s use", (_name, encoding, given) => {
    const params = requireParams(encoding, given);
    const bucket = encoding.buckets?.(params)?.row;
    const own = scene({ queryLength: 1000, keyLength: 1000 });
    const term = encoding.terms(params, own).find((candidate) => candidate.kind === "relative_query");
    if (term?.kind !== "relative_query" || term.index.of !== "delta") throw new Error("no index by distance");
    const { at } = term.index;
    expect(distances.map((delta) => bucket?.(delta))).toEqual(distances.map((delta) => at(delta)));
  });

  test("is the table row that the scores of T5 use", () => {
    const params = requireParams(t5Bias, { num_heads: 1, num_buckets: 16, max_distance: 40 });
    const inputs = { relative_attention_bias: indexRange(0, 16).map((bucket) => [bucket]) };
    const bias = t5Bias.terms(params, scene({ inputs }))[1];
    const bucket = t5Bias.buckets?.(params)?.row;
    expect(distances.map((delta) => bucket?.(delta))).toEqual(distances.map((delta) => bias?.profile?.(delta)));
  });
});

describe("TUPE", () => {
  test("gives [CLS] the same score with every position, in both directions", () => {
    const own = attention(tupe, { num_heads: 1 }, scene({ content: onesContent }));
    const values = logitMatrix(own, indexRange(0, TOKENS), indexRange(0, TOKENS));
    expect(new Set(values.slice(0, TOKENS)).size).toBe(1);
    expect(new Set(indexRange(1, TOKENS).map((i) => values[i * TOKENS])).size).toBe(1);
    expect(new Set(values.slice(TOKENS + 1, 2 * TOKENS)).size).toBeGreaterThan(1);
  });

  test("does not treat the first query after a cache as [CLS]", () => {
    const whole = logits(tupe, { num_heads: 1, rel_pos: true });
    const own = scene({ queryLength: 2 });
    const content = randomContent(3);
    const later = {
      ...content,
      rows: (which: "q" | "k" | "v" | "x", head: number, dim: number) => {
        const rows = content.rows(which, head, dim);
        return which === "q"
          ? { dim, write: (n: number, out: Float64Array, at: number) => rows.write(n + 7, out, at) }
          : rows;
      },
    };
    expectClose(logits(tupe, { num_heads: 1, rel_pos: true }, { ...own, content: later }), whole.slice(7 * TOKENS));
  });
});

describe("CoPE", () => {
  test("counts positions down from the query by one gate per key", () => {
    const own = scene({ content: onesContent });
    const table = { pos_emb: [indexRange(0, 16)] };
    const params = { num_heads: 1, head_dim: 1, npos_max: 16 };
    const state = attention(cope, params, { ...own, inputs: table }, { causal: true });
    const gate = 1 / (1 + Math.exp(-1));
    const bias = state.terms[1];
    if (bias === undefined) throw new Error("no gated term");
    const values = termMatrix(state, bias, [5], indexRange(0, TOKENS));
    expectClose(
      Array.from(values),
      indexRange(0, TOKENS).map((j) => (j <= 5 ? gate * (6 - j) : 0)),
    );
  });

  test("ignores tokens after the query", () => {
    const short = logits(cope, { num_heads: 1 }, scene({ keyLength: 5, queryLength: 5 }));
    const long = logits(cope, { num_heads: 1 });
    const cut = indexRange(0, 5).flatMap((i) => long.slice(i * TOKENS, i * TOKENS + 5));
    expectClose(short, cut);
  });
});
