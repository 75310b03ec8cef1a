import { buildCosineSum, sandwich, sandwichFrequencies } from "../../../src/core/encodings/sandwich.ts";
import { resolveHiddenSize } from "../../../src/core/encodings/support/parameters.ts";
import { getNumber } from "../../../src/core/encodings/support/schema.ts";
import { indexRange } from "../../../src/core/terms/engine.ts";
import { buildGoldenScene, computeGoldenAttention, readGoldenParams } from "../attention.ts";
import type { GoldenAdapter, GoldenCase } from "../case.ts";

function computeGolden(golden: GoldenCase): Record<string, unknown> {
  const params = readGoldenParams(sandwich, golden);
  const attention = computeGoldenAttention(sandwich, params, golden);
  const { queryLength, keyLength } = buildGoldenScene(golden, 0);
  const cosines = buildCosineSum(params);
  const keys = indexRange(0, keyLength);
  return {
    ...attention,
    bias: attention.terms("bias"),
    inv_freq: sandwichFrequencies(resolveHiddenSize(params), getNumber(params, "base")),
    cos_sum: indexRange(0, queryLength).map((i) => keys.map((j) => cosines(i - j + keyLength - queryLength))),
  };
}

export const adapter: GoldenAdapter = { encoding: sandwich, files: ["sandwich"], compute: computeGolden };
