import { describe, expect, test } from "vitest";
import { alibi, alibiSlopes } from "../../../../src/core/encodings/alibi.ts";
import { cope } from "../../../../src/core/encodings/cope.ts";
import type { Encoding } from "../../../../src/core/encodings/encoding.ts";
import { fire } from "../../../../src/core/encodings/fire.ts";
import { kerple } from "../../../../src/core/encodings/kerple.ts";
import { none } from "../../../../src/core/encodings/none.ts";
import { shaw } from "../../../../src/core/encodings/shaw/shaw.ts";
import { t5Bias } from "../../../../src/core/encodings/t5Bias/t5Bias.ts";
import type { Params } from "../../../../src/core/spec.ts";
import { indexRange } from "../../../../src/core/terms/engine.ts";
import type { Inputs, Scene } from "../../../../src/core/terms/scene.ts";
import type { Mask } from "../../../../src/core/terms/term.ts";
import { computeWeights, expectClose, randomScene } from "../../support/scenes.ts";

const TOKENS = 9;

const scene = (change: Partial<Scene> = {}) => randomScene(TOKENS, 3, change);

describe("a limiting case", () => {
  const heads = { num_heads: 1, head_dim: 4 };
  const plain = () => computeWeights(none, heads, scene());

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
    expectClose(computeWeights(encoding, params, scene({ inputs })), plain(), 1e-12);
  });

  test("of CoPE with a single position is plain attention", () => {
    const inputs = { pos_emb: [[1], [2], [-1], [3]] };
    const own = computeWeights(cope, { ...heads, npos_max: 1 }, scene({ inputs }), { causal: true });
    expectClose(own, computeWeights(none, heads, scene(), { causal: true }), 1e-12);
  });

  test.each<[string, Mask]>([
    ["a window", { window: TOKENS }],
    ["a chunk", { chunk: TOKENS }],
    ["a window with kept tokens", { window: TOKENS, keepFirst: 2 }],
  ])("of %s as long as the text is the causal mask", (_name, mask) => {
    expect(computeWeights(t5Bias, {}, scene(), { causal: true, ...mask })).toEqual(
      computeWeights(t5Bias, {}, scene(), { causal: true }),
    );
  });

  test("of KERPLE's power kernel with p = 1 is ALiBi", () => {
    const slopes = alibiSlopes(4);
    const inputs = { bias_p: [1, 1, 1, 1], bias_a: slopes };
    const own = { num_heads: 4, head_dim: 4 };
    for (const head of indexRange(0, 4)) {
      const mine = computeWeights(kerple, { ...own, kernel: "power", eps: 1e-9 }, scene({ head, inputs }), {
        causal: true,
      });
      expectClose(mine, computeWeights(alibi, own, scene({ head }), { causal: true }), 1e-12);
    }
  });
});
