import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { debertaBucket } from "../../../../../src/core/encodings/deberta/buckets.ts";
import { deberta } from "../../../../../src/core/encodings/deberta/deberta.ts";
import { checkParams } from "../../../../../src/core/encodings/support/schema.ts";
import type { Params } from "../../../../../src/core/spec.ts";
import type { Scene } from "../../../../../src/core/terms/scene.ts";
import { computeLogits, randomScene } from "../../../support/scenes.ts";

const TOKENS = 9;

const scene = (change: Partial<Scene> = {}) => randomScene(TOKENS, 3, change);

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
    const both = computeLogits(
      deberta,
      { max_relative_positions: -1, max_position_embeddings: 64, position_buckets: 8 },
      scene(),
    );
    expect(
      computeLogits(
        deberta,
        { max_relative_positions: 64, position_buckets: 8, pos_att_type: ["p2c", "c2p"] },
        scene(),
      ),
    ).toEqual(both);
  });

  test("report the parameter that breaks a rule", () => {
    const problem = (given: Params) => checkParams(deberta, given).problems[0]?.param;
    expect(problem({ max_relative_positions: 20, position_buckets: 64 })).toBe("max_relative_positions");
    expect(problem({ hidden_size: 10, num_attention_heads: 4 })).toBe("num_heads");
    expect(problem({ pos_att_type: "p2p" })).toBe("pos_att_type");
  });
});
