import { fire, normalisedDistance } from "../../../src/core/encodings/fire.ts";
import { indexRange } from "../../../src/core/terms/engine.ts";
import { buildGoldenScene, computeGoldenAttention, readGoldenParams } from "../attention.ts";
import type { GoldenAdapter, GoldenCase } from "../case.ts";

function computeGolden(golden: GoldenCase): Record<string, unknown> {
  const params = readGoldenParams(fire, golden);
  const attention = computeGoldenAttention(fire, params, golden);
  const { queryLength, keyLength } = buildGoldenScene(golden, 0);
  const keys = indexRange(0, keyLength);
  return {
    ...attention,
    bias: attention.terms("bias"),
    normalized_distance: indexRange(0, queryLength).map((i) =>
      keys.map((j) => normalisedDistance(params, i + keyLength - queryLength, j)),
    ),
  };
}

export const adapter: GoldenAdapter = { encoding: fire, files: ["fire"], compute: computeGolden };
