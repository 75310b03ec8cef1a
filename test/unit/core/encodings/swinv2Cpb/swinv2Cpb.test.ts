import { describe, expect, test } from "vitest";
import { buildAttention } from "../../../../../src/core/encodings/buildAttention.ts";
import { requireParams } from "../../../../../src/core/encodings/support/schema.ts";
import { coordinateTable, swinv2Cpb } from "../../../../../src/core/encodings/swinv2Cpb/swinv2Cpb.ts";
import { indexRange, termMatrix } from "../../../../../src/core/terms/engine.ts";
import type { Scene } from "../../../../../src/core/terms/scene.ts";
import { randomScene } from "../../../support/scenes.ts";

const scene = (tokens: number, change: Partial<Scene> = {}) => randomScene(tokens, 5, change);

describe("the Swin-V2 bias", () => {
  test("scales its coordinates by the pretrained window", () => {
    const trained = coordinateTable(requireParams(swinv2Cpb, { window_size: [8, 8] }));
    const larger = coordinateTable(requireParams(swinv2Cpb, { window_size: [12, 12], pretrained_window_size: [8, 8] }));
    expect(larger.slice(4, -4).map((row) => row.slice(4, -4))).toEqual(trained);
  });

  test("lies between 0 and 16, with a cosine scaled by at most 100", () => {
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
});
