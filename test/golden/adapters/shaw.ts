import { clippedRowIndex, readClip, readDistanceTable, shaw } from "../../../src/core/encodings/shaw/shaw.ts";
import { indexRange } from "../../../src/core/terms/engine.ts";
import { buildGoldenScene, computeGoldenAttention, nestFactorRows, readGoldenParams } from "../attention.ts";
import type { GoldenAdapter, GoldenCase } from "../case.ts";

function computeGolden(golden: GoldenCase): Record<string, unknown> {
  const params = readGoldenParams(shaw, golden);
  const { queryLength, keyLength } = buildGoldenScene(golden, 0);
  const index = clippedRowIndex(params);
  const attention = computeGoldenAttention(shaw, params, golden);
  const { left, right } = readClip(params);
  return {
    ...attention,
    bias: attention.terms("content_position"),
    table: nestFactorRows(readDistanceTable(params, golden.inputs, "relative_keys"), left + right + 1),
    index: indexRange(0, queryLength).map((i) =>
      indexRange(0, keyLength).map((j) => index.at(i - j + keyLength - queryLength)),
    ),
  };
}

export const adapter: GoldenAdapter = { encoding: shaw, files: ["shaw"], compute: computeGolden };
