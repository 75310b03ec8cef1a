import { logNScale, rerope } from "../../../src/core/encodings/rerope.ts";
import { groupPositions, selfExtend } from "../../../src/core/encodings/selfExtend.ts";
import { getNumber, optionalNumber } from "../../../src/core/encodings/support/schema.ts";
import { buildGoldenScene, computeGoldenAttention, readGoldenParams } from "../attention.ts";
import type { GoldenAdapter, GoldenCase } from "../case.ts";

/** Distances as in the golden files, 0 above the diagonal. [queries][keys] */
function causalDistances(
  queryLength: number,
  keyLength: number,
  distance: (i: number, j: number) => number,
): number[][] {
  return Array.from({ length: queryLength }, (_, i) =>
    Array.from({ length: keyLength }, (_, j) => (j <= i + keyLength - queryLength ? distance(i, j) : 0)),
  );
}

function computeSelfExtend(golden: GoldenCase): Record<string, unknown> {
  const params = readGoldenParams(selfExtend, golden);
  const scene = buildGoldenScene(golden, 0);
  const { queryLength, keyLength } = scene;
  const offset = keyLength - queryLength;
  const window = getNumber(params, "neighbor_window");
  const { query, key } = groupPositions(params, keyLength);
  const distance = (i: number, j: number) => (i + offset - j < window ? i + offset - j : query(i + offset) - key(j));
  return {
    group_query_position: Array.from({ length: queryLength }, (_, i) => query(i + offset)),
    group_key_position: Array.from({ length: keyLength }, (_, j) => key(j)),
    effective_distance: causalDistances(queryLength, keyLength, distance),
    ...computeGoldenAttention(selfExtend, params, golden),
  };
}

/** The golden file covers ReRoPE and Self-Extend; `variant` distinguishes them. */
function computeGolden(golden: GoldenCase): Record<string, unknown> {
  if (golden.params.variant === "self_extend") return computeSelfExtend(golden);
  const params = readGoldenParams(rerope, golden);
  const { queryLength, keyLength } = buildGoldenScene(golden, 0);
  const window = getNumber(params, "window");
  const trainingLength = optionalNumber(params, "training_length");
  const offset = keyLength - queryLength;
  return {
    effective_distance: causalDistances(queryLength, keyLength, (i, j) => Math.min(i + offset - j, window)),
    query_scale: Array.from({ length: queryLength }, (_, i) =>
      trainingLength === undefined ? 1 : logNScale(i + offset, trainingLength),
    ),
    ...computeGoldenAttention(rerope, params, golden),
  };
}

export const adapter: GoldenAdapter = { encoding: rerope, files: ["rerope"], compute: computeGolden };
