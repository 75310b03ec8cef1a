import { describe, expect, test } from "vitest";
import { requireParams } from "../../../../src/core/encodings/support/schema.ts";
import { computeSeenShares, decayBound } from "../../../../src/core/measure/extrapolation.ts";
import { applyScaling, SCALINGS } from "../../../../src/core/measure/scalings.ts";
import { measureSpliceError } from "../../../../src/core/measure/shiftInvariance.ts";
import { resolveTrainingContext } from "../../../../src/core/measure/trainingContext.ts";
import type { EncodingId, Params } from "../../../../src/core/spec.ts";
import { knownEncoding } from "../../support/knownEncoding.ts";

function encodingWith(id: EncodingId, params: Params = {}) {
  const encoding = knownEncoding(id);
  return [encoding, requireParams(encoding, params)] as const;
}

/** The share of the cells (i, j), j ≤ i, of a causal matrix that satisfy a predicate. */
function share(used: number, holds: (i: number, j: number) => boolean): number {
  let count = 0;
  for (let i = 0; i < used; i++) for (let j = 0; j <= i; j++) if (holds(i, j)) count++;
  return count / ((used * (used + 1)) / 2);
}

describe("the training context", () => {
  test("is the length before scaling, the end of a table, the model's length or a usual one", () => {
    const yarn = {
      rope_type: "yarn",
      factor: 4,
      original_max_position_embeddings: 32_768,
      max_position_embeddings: 131_072,
    };
    expect(resolveTrainingContext(...encodingWith("rope", yarn))).toEqual({ length: 32_768, source: "parameter" });
    expect(resolveTrainingContext(...encodingWith("rope"))).toEqual({ length: 4096, source: "parameter" });
    expect(resolveTrainingContext(...encodingWith("learned_absolute"))).toEqual({ length: 512, source: "table" });
    expect(resolveTrainingContext(...encodingWith("t5_bias"))).toEqual({ length: 512, source: "usual" });
    expect(resolveTrainingContext(...encodingWith("alibi"))).toEqual({ length: 2048, source: "usual" });
  });
});

describe("training coverage", () => {
  test("counts cells of the used matrix by distance and by both positions", () => {
    const seen = computeSeenShares(...encodingWith("rope"), 40, 100);
    expect(seen.distances).toBeCloseTo(
      share(100, (i, j) => i - j < 40),
      14,
    );
    expect(seen.positions).toBeCloseTo(
      share(100, (i) => i < 40),
      14,
    );
    expect(seen.rows).toBeNull();
  });

  test("is complete within the training context", () => {
    expect(computeSeenShares(...encodingWith("rope"), 100, 60)).toEqual({ distances: 1, rows: null, positions: 1 });
  });

  test("has every row of a bucketed table only if training went past the last distance", () => {
    const t5 = encodingWith("t5_bias");
    expect(computeSeenShares(...t5, 512, 3000).rows).toBe(1);
    const [encoding, params] = t5;
    const bucket = encoding.buckets?.(params)?.row;
    if (bucket === undefined) throw new Error("no buckets");
    const known = new Set(Array.from({ length: 50 }, (_, delta) => bucket(delta)));
    expect(computeSeenShares(...t5, 50, 300).rows).toBeCloseTo(
      share(300, (i, j) => known.has(bucket(i - j))),
      14,
    );
    expect(known.has(bucket(200))).toBe(false);
  });
});

describe("long-range decay", () => {
  test("is (n + 1)/2 at distance 0 and never above it", () => {
    const frequencies = Array.from({ length: 64 }, (_, k) => 10_000 ** (-k / 64));
    expect(decayBound(frequencies, 0)).toBeCloseTo(32.5, 12);
    for (const delta of [1, 10, 100, 1000]) expect(decayBound(frequencies, delta)).toBeLessThan(32.5);
    expect(decayBound(frequencies, 100)).toBeLessThan(decayBound(frequencies, 1));
  });
});

describe("a splice", () => {
  test("changes absolute encodings and no relative ones", () => {
    for (const id of ["rope", "alibi", "t5_bias", "transformer_xl"] as const) {
      expect(measureSpliceError(...encodingWith(id)), id).toBeLessThan(1e-12);
    }
    expect(measureSpliceError(...encodingWith("sinusoidal"))).toBeGreaterThan(0.01);
    expect(measureSpliceError(...encodingWith("learned_absolute"))).toBeGreaterThan(0.01);
  });

  test("moves whole rows of a grid and needs room", () => {
    const swin = measureSpliceError(...encodingWith("swin_bias"));
    expect(swin === undefined || swin < 1e-12).toBe(true);
    expect(measureSpliceError(...encodingWith("learned_absolute", { max_position_embeddings: 16 }))).toBeUndefined();
  });
});

describe("the comparison of scalings", () => {
  const rope = encodingWith("rope", { max_position_embeddings: 4096 });
  const outcome = (scaling: (typeof SCALINGS)[number], used = 16_384) => {
    const found = applyScaling(...rope, scaling, 4096, used);
    if (found === null) throw new Error(`no outcome for ${scaling}`);
    return found;
  };

  test("shows unseen angles without scaling for every pair without a full rotation, and none with interpolation", () => {
    expect(outcome("default").pairsWithUnseenAngles).toBe(
      outcome("default").set.pairs.filter(({ unscaledOmega }) => unscaledOmega * 4096 < 2 * Math.PI).length,
    );
    for (const scaling of ["linear", "yarn", "llama3"] as const)
      expect(outcome(scaling).pairsWithUnseenAngles, scaling).toBe(0);
  });

  test("keeps the fastest pair of NTK and divides the slowest by exactly the ratio of the lengths", () => {
    for (const scaling of ["ntk", "dynamic"] as const) {
      const { pairs } = outcome(scaling).set;
      expect(pairs[0]?.divisor).toBeCloseTo(1, 12);
      expect(pairs.at(-1)?.divisor).toBeCloseTo(4, 9);
    }
  });

  test("labels LongRoPE's factors as made up if there are no lists", () => {
    expect(outcome("longrope").usesNtkDivisors).toBe(true);
    expect(outcome("longrope").set.pairs.at(-1)?.divisor).toBeCloseTo(4, 12);
  });

  test("scales nothing within the training context", () => {
    for (const scaling of SCALINGS) {
      const { pairs } = outcome(scaling, 2048).set;
      for (const { divisor } of pairs) expect(divisor, scaling).toBeCloseTo(1, 9);
    }
  });

  test("is empty for parameters that allow no scaling", () => {
    expect(applyScaling(...encodingWith("rope", { head_dim: 2 }), "ntk", 4096, 8192)).toBeNull();
  });
});
