import { biasRow, swinBias } from "../../../src/core/encodings/swinBias.ts";
import { indexRange } from "../../../src/core/terms/engine.ts";
import { buildGoldenScene, computeGoldenAttention, readGoldenParams } from "../attention.ts";
import type { GoldenAdapter, GoldenCase } from "../case.ts";

function computeGolden(golden: GoldenCase): Record<string, unknown> {
  const params = readGoldenParams(swinBias, golden);
  const attention = computeGoldenAttention(swinBias, params, golden);
  const tokens = indexRange(0, buildGoldenScene(golden, 0).keyLength);
  return {
    ...attention,
    bias: attention.terms("bias"),
    relative_position_index: tokens.map((i) => tokens.map((j) => biasRow(params, i, j))),
  };
}

export const adapter: GoldenAdapter = { encoding: swinBias, files: ["swin"], compute: computeGolden };
