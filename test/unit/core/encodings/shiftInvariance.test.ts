import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { alibi } from "../../../../src/core/encodings/alibi.ts";
import { deberta } from "../../../../src/core/encodings/deberta/deberta.ts";
import type { Encoding } from "../../../../src/core/encodings/encoding.ts";
import { kerple } from "../../../../src/core/encodings/kerple.ts";
import { sandwich } from "../../../../src/core/encodings/sandwich.ts";
import { shaw } from "../../../../src/core/encodings/shaw/shaw.ts";
import { t5Bias } from "../../../../src/core/encodings/t5Bias/t5Bias.ts";
import { transformerXl } from "../../../../src/core/encodings/transformerXl/transformerXl.ts";
import type { Params } from "../../../../src/core/spec.ts";
import { onesContent } from "../../../../src/core/terms/content.ts";
import { deltaAt, indexRange, termMatrix } from "../../../../src/core/terms/engine.ts";
import { inRegion } from "../../../../src/core/terms/region.ts";
import type { Scene } from "../../../../src/core/terms/scene.ts";
import { computeAttention, computeLogits, expectClose, randomScene } from "../../support/scenes.ts";

const TOKENS = 9;

const scene = (change: Partial<Scene> = {}) => randomScene(TOKENS, 3, change);

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
        expect(computeLogits(encoding, params, scene({ shift, head }))).toEqual(
          computeLogits(encoding, params, scene({ head })),
        );
      }),
      { numRuns: 10 },
    );
  });

  test("has one value per diagonal for equal words", () => {
    const values = computeLogits(encoding, params, scene({ content: onesContent }));
    for (const i of indexRange(1, TOKENS)) {
      for (const j of indexRange(1, TOKENS)) {
        expect(values[i * TOKENS + j]).toBeCloseTo(values[(i - 1) * TOKENS + j - 1] ?? Number.NaN, 9);
      }
    }
  });

  test("gives queries after a cache the rows of the whole text", () => {
    // v1 of DeBERTa cuts its table to the length of the text, which a cache does not change.
    const whole = computeLogits(encoding, params, scene({ content: onesContent }));
    expectClose(
      computeLogits(encoding, params, scene({ content: onesContent, queryLength: 2 })),
      whole.slice(7 * TOKENS),
    );
  });

  test("has profiles equal to the cells", () => {
    const own = computeAttention(encoding, params, scene({ content: onesContent, queryLength: 4 }));
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
