import { describe, expect, test } from "vitest";
import { deberta } from "../../../../src/core/encodings/deberta/deberta.ts";
import { shaw } from "../../../../src/core/encodings/shaw/shaw.ts";
import { requireParams } from "../../../../src/core/encodings/support/schema.ts";
import { t5Bias } from "../../../../src/core/encodings/t5Bias/t5Bias.ts";
import { indexRange } from "../../../../src/core/terms/engine.ts";
import type { Scene } from "../../../../src/core/terms/scene.ts";
import { randomScene } from "../../support/scenes.ts";

const TOKENS = 9;

const scene = (change: Partial<Scene> = {}) => randomScene(TOKENS, 3, change);

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
