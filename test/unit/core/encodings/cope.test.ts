import { describe, test } from "vitest";
import { cope } from "../../../../src/core/encodings/cope.ts";
import { onesContent } from "../../../../src/core/terms/content.ts";
import { indexRange, termMatrix } from "../../../../src/core/terms/engine.ts";
import type { Scene } from "../../../../src/core/terms/scene.ts";
import { computeAttention, computeLogits, expectClose, randomScene } from "../../support/scenes.ts";

const TOKENS = 9;

const scene = (change: Partial<Scene> = {}) => randomScene(TOKENS, 3, change);

describe("CoPE", () => {
  test("counts positions down from the query by one gate per key", () => {
    const own = scene({ content: onesContent });
    const table = { pos_emb: [indexRange(0, 16)] };
    const params = { num_heads: 1, head_dim: 1, npos_max: 16 };
    const state = computeAttention(cope, params, { ...own, inputs: table }, { causal: true });
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
    const short = computeLogits(cope, { num_heads: 1 }, scene({ keyLength: 5, queryLength: 5 }));
    const long = computeLogits(cope, { num_heads: 1 }, scene());
    const cut = indexRange(0, 5).flatMap((i) => long.slice(i * TOKENS, i * TOKENS + 5));
    expectClose(short, cut);
  });
});
