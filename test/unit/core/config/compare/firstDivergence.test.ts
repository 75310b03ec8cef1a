import { describe, expect, it } from "vitest";
import { compareSpecs, findDifferences, IMPACTS } from "../../../../../src/core/config/compare/differences.ts";
import { findFirstDivergence, VISIBLE_SHARE } from "../../../../../src/core/config/compare/firstDivergence.ts";
import { readConfig } from "../../../../../src/core/config/readConfig.ts";
import { buildAttention } from "../../../../../src/core/encodings/buildAttention.ts";
import { rope } from "../../../../../src/core/encodings/rope/rope.ts";
import { checkParams, pickKnownParams } from "../../../../../src/core/encodings/support/schema.ts";
import type { EncodingSpec, Params } from "../../../../../src/core/spec.ts";
import { randomContent } from "../../../../../src/core/terms/content.ts";
import { logitMatrix } from "../../../../../src/core/terms/engine.ts";
import type { Scene } from "../../../../../src/core/terms/scene.ts";
import { readFixture } from "../../../support/files.ts";
import { config } from "../../../support/llamaConfig.ts";

function specOf(text: string): EncodingSpec {
  const [spec] = readConfig(text).specs;
  if (spec === undefined) throw new Error("nothing read");
  return spec;
}

const sample = (model: string) => readConfig(readFixture(`workspace/${model}/config.json`)).specs;

const plain = specOf(config({ rope_theta: 10_000 }));
const wide = specOf(config({ rope_theta: 500_000 }));
const yarn = specOf(
  config({
    rope_theta: 10_000,
    max_position_embeddings: 16_384,
    rope_scaling: { rope_type: "yarn", factor: 4, original_max_position_embeddings: 4096 },
  }),
);

/** The share by the float64 engine over seeded content, which `findFirstDivergence` has in closed form. */
function measured(a: EncodingSpec, b: EncodingSpec, distance: number): number {
  const scores = ({ params }: EncodingSpec, seed: number) => {
    const own: Params = checkParams(rope, pickKnownParams(rope, params)).params;
    const length = distance + 1;
    const scene: Scene = {
      queryLength: length,
      keyLength: length,
      shift: 0,
      head: 0,
      centre: 0,
      content: randomContent(seed),
      inputs: {},
    };
    return logitMatrix(buildAttention(rope, own, scene, {}), [distance], [0])[0] ?? 0;
  };
  let difference = 0;
  let spread = 0;
  for (let seed = 1; seed <= 400; seed++) {
    const own = scores(a, seed);
    difference += (own - scores(b, seed)) ** 2;
    spread += own ** 2;
  }
  return Math.sqrt(difference / spread);
}

describe("the divergence of two encodings", () => {
  it("does not occur between equal configs", () => {
    for (const spec of [plain, yarn, ...sample("gemma-3-4b"), ...sample("bloom-560m"), ...sample("llama-3.1-8b")]) {
      if (spec.encoding === "learned_absolute") continue;
      expect(findFirstDivergence(spec, spec)).toMatchObject({ kind: "never", difference: 0 });
    }
  });

  it("comes early for bases 1e4 and 5e5, because of their angles", () => {
    const parting = findFirstDivergence(plain, wide);
    expect(parting).toMatchObject({ kind: "diverges", cause: "angles" });
    if (parting.kind !== "diverges") throw new Error(parting.kind);
    // Heads whose dimensions all rotate: √(mean over the pairs of 2 − 2 cos((ω_A − ω_B) δ)).
    const share = (distance: number) => {
      const terms = Array.from({ length: 64 }, (_, k) => {
        const [own, other] = [10_000, 500_000].map((theta) => theta ** (-k / 64));
        return 2 - 2 * Math.cos(((own ?? 0) - (other ?? 0)) * distance);
      });
      return Math.sqrt(terms.reduce((sum, term) => sum + term, 0) / 64);
    };
    expect(parting.difference).toBeCloseTo(share(parting.distance), 12);
    expect(share(parting.distance)).toBeGreaterThan(VISIBLE_SHARE);
    expect(share(parting.distance - 1)).toBeLessThanOrEqual(VISIBLE_SHARE);
  });

  it("is the first distance at which the float64 engine exceeds the tolerance", () => {
    const near = specOf(config({ rope_theta: 10_100 }));
    const parting = findFirstDivergence(plain, near);
    if (parting.kind !== "diverges") throw new Error(parting.kind);
    expect(parting.distance).toBeGreaterThan(10);
    expect(measured(plain, near, parting.distance)).toBeCloseTo(parting.difference, 1);
    expect(measured(plain, near, parting.distance) / parting.difference).toBeGreaterThan(0.85);
    expect(measured(plain, near, parting.distance) / parting.difference).toBeLessThan(1.15);
    const stricter = findFirstDivergence(plain, near, { tolerance: 0.05 });
    expect(stricter.kind === "diverges" && stricter.distance).toBeLessThan(parting.distance);
    expect(findFirstDivergence(plain, near, { maxDistance: 5 })).toMatchObject({ kind: "never", searched: 5 });
  });

  it("equals the result of a search over every distance", () => {
    const share = (bases: readonly [number, number], distance: number) => {
      const terms = Array.from({ length: 64 }, (_, k) => {
        const [own, other] = [bases[0] ** (-k / 64), bases[1] ** (-k / 64)];
        return 2 - 2 * Math.cos((own - other) * distance);
      });
      return Math.sqrt(terms.reduce((sum, term) => sum + term, 0) / 64);
    };
    for (const bases of [
      [10_000, 10_001],
      [10_000, 10_010],
      [500_000, 500_100],
      [1_000_000, 5_000_000],
    ] as const) {
      const [a, b] = bases.map((rope_theta) => specOf(config({ rope_theta, max_position_embeddings: 20_000 })));
      if (a === undefined || b === undefined) throw new Error("two specs");
      let distance = 0;
      while (distance <= 20_000 && !(share(bases, distance) > VISIBLE_SHARE)) distance++;
      const found = findFirstDivergence(a, b);
      expect(found.kind === "diverges" ? found.distance : 20_001, bases.join(" ")).toBe(distance);
    }
  });

  it("uses LongRoPE's long factors from the first length above the original length", () => {
    const lists = (long: number) =>
      specOf(
        config({
          max_position_embeddings: 16_384,
          rope_scaling: {
            rope_type: "longrope",
            factor: 4,
            short_factor: new Array(64).fill(1),
            long_factor: new Array(64).fill(long),
            original_max_position_embeddings: 4096,
          },
        }),
      );
    expect(findFirstDivergence(lists(2), lists(4))).toMatchObject({
      kind: "diverges",
      distance: 4096,
      cause: "angles",
    });
    expect(findFirstDivergence(lists(2), lists(4), { maxDistance: 4095 })).toMatchObject({
      kind: "never",
      difference: 0,
    });
  });

  it("is immediate for YaRN, which scales every score", () => {
    expect(findFirstDivergence(plain, yarn)).toMatchObject({ kind: "diverges", distance: 0, cause: "scale" });
    const parting = findFirstDivergence(plain, yarn);
    expect(parting.kind === "diverges" && parting.difference).toBeCloseTo((0.1 * Math.log(4) + 1) ** 2 - 1, 12);
  });

  it("depends on the length: dynamic NTK equals plain RoPE within the training context", () => {
    const dynamic = specOf(config({ rope_theta: 10_000, rope_scaling: { rope_type: "dynamic", factor: 4 } }));
    const parting = findFirstDivergence(plain, dynamic, { maxDistance: 8192 });
    expect(parting).toMatchObject({ kind: "diverges", cause: "angles" });
    expect(parting.kind === "diverges" && parting.distance).toBeGreaterThanOrEqual(4096);
  });

  it("is the end of the shorter window", () => {
    const [sliding, full] = sample("gemma-3-4b");
    if (sliding === undefined || full === undefined) throw new Error("two kinds of layers");
    const same = { ...sliding, params: { ...sliding.params, sliding_window: 512 } };
    expect(findFirstDivergence(sliding, same)).toEqual({
      kind: "diverges",
      distance: 512,
      cause: "window",
      difference: Number.POSITIVE_INFINITY,
    });
  });

  it("is where the largest slope changes the bias by the tolerance", () => {
    const [bloom] = sample("bloom-560m");
    if (bloom === undefined) throw new Error("no ALiBi");
    const other = { ...bloom, params: { ...bloom.params, alibi_bias_max: 4 } };
    expect(findFirstDivergence(bloom, other)).toMatchObject({ kind: "diverges", cause: "bias" });
    const fewer = { ...bloom, params: { ...bloom.params, num_heads: 8 } };
    expect(findFirstDivergence(bloom, fewer)).toMatchObject({
      kind: "incomparable",
      reason: { en: "head_dim or num_heads differs" },
    });
  });

  it("gives a reason if it does not exist", () => {
    const [bert] = sample("bert-base-uncased");
    if (bert === undefined) throw new Error("no table");
    expect(findFirstDivergence(bert, plain)).toMatchObject({
      kind: "incomparable",
      reason: { en: "different encodings" },
    });
    expect(findFirstDivergence(bert, bert)).toMatchObject({
      kind: "incomparable",
      reason: { en: expect.stringContaining("trained") },
    });
    const half = specOf(config({ head_dim: 64 }));
    expect(findFirstDivergence(plain, half)).toMatchObject({ kind: "incomparable" });
  });
});

describe("differences of two configs", () => {
  it("list parameters with their sources, those that change scores first", () => {
    const rows = findDifferences(
      plain,
      specOf(config({ rope_theta: 500_000, num_hidden_layers: 16, sliding_window: 4096 })),
    );
    expect(rows[0]).toEqual({
      param: "rope_theta",
      a: 10_000,
      b: 500_000,
      sourceA: "config",
      sourceB: "config",
      impact: "scores",
    });
    expect(rows.at(-1)).toMatchObject({ param: "num_layers", impact: "size" });
    expect(Object.keys(IMPACTS)).toEqual(["scores", "visibility", "length", "weights", "size"]);
    expect(findDifferences(plain, plain)).toEqual([]);
  });

  it("align stacks and layers of two models", () => {
    const gemma = sample("gemma-3-4b");
    const pairs = compareSpecs(gemma, gemma);
    expect(pairs.map(({ a, b }) => [a, b])).toEqual(gemma.map((_, i) => [i, i]));
    const mixed = compareSpecs(gemma, [plain]);
    expect(mixed.filter(({ b }) => b === null).length).toBeGreaterThan(0);
    expect(compareSpecs([plain], gemma).filter(({ a }) => a === null).length).toBeGreaterThan(0);
  });
});
