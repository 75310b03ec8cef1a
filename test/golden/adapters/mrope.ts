import { mrope } from "../../../src/core/encodings/mrope/mrope.ts";
import { computeMropePositions } from "../../../src/core/encodings/mrope/positions.ts";
import { buildKeyRotation, resolveMropeAxes } from "../../../src/core/encodings/mrope/term.ts";
import { readPairLayout } from "../../../src/core/encodings/rope/attention.ts";
import { inverseFrequencies } from "../../../src/core/encodings/rope/frequencies.ts";
import { pairIndices, rotatedFactor } from "../../../src/core/encodings/rope/rotation.ts";
import { readMatrix, readVector } from "../../../src/core/terms/read.ts";
import { buildGoldenScene, computeGoldenAttention, readGoldenParams } from "../attention.ts";
import type { GoldenAdapter, GoldenCase } from "../case.ts";
import { listCosSinRows, rotateHeads } from "../rotary.ts";

/** Golden case that covers only the position ids. */
function computePositionIds(golden: GoldenCase): Record<string, unknown> {
  const types = readVector(golden.inputs.mm_token_type_ids, "mm_token_type_ids");
  const grids = readMatrix(golden.params.image_grid_thw, "image_grid_thw");
  const { positions, delta } = computeMropePositions(types, grids, Number(golden.params.spatial_merge_size));
  return { position_ids_thw: positions, mrope_position_delta: delta };
}

function computeGolden(golden: GoldenCase): Record<string, unknown> {
  if (golden.inputs.mm_token_type_ids !== undefined) return computePositionIds(golden);
  const params = readGoldenParams(mrope, golden);
  const scene = buildGoldenScene(golden, 0);
  const { inv_freq } = inverseFrequencies(params);
  const rotation = buildKeyRotation(params, scene);
  const pairs = pairIndices(readPairLayout(params), inv_freq.length);
  const values: Record<string, unknown> = {
    inv_freq,
    axis_of_frequency: resolveMropeAxes(params, inv_freq.length),
    cos: listCosSinRows(rotation, scene.keyLength, "cos", true),
    sin: listCosSinRows(rotation, scene.keyLength, "sin", true),
  };
  if (golden.inputs.q === undefined) return values;
  return {
    ...values,
    q_rot: rotateHeads(golden, (rows) => rotatedFactor(rows, pairs, rotation), "q"),
    k_rot: rotateHeads(golden, (rows) => rotatedFactor(rows, pairs, rotation), "k"),
    ...computeGoldenAttention(mrope, params, golden),
  };
}

export const adapter: GoldenAdapter = { encoding: mrope, files: ["mrope"], compute: computeGolden };
