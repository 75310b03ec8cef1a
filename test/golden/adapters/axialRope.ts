import { axialRope } from "../../../src/core/encodings/axialRope.ts";
import { countAxialTokens } from "../../../src/core/encodings/rope/axial.ts";
import {
  axialInvFreqBuffer,
  buildGridCoordinate,
  type CoordinateByAxis,
  readAxialVariant,
  resolveAxialPairs,
} from "../../../src/core/encodings/rope/grid.ts";
import { axesRotation, rotatedFactor } from "../../../src/core/encodings/rope/rotation.ts";
import type { Params } from "../../../src/core/spec.ts";
import { buildGoldenScene, computeGoldenAttention, readGoldenParams } from "../attention.ts";
import type { GoldenAdapter, GoldenCase } from "../case.ts";
import { listCosSinRows, rotateHeads } from "../rotary.ts";

/** EVA-02's angles, each listed twice because of the interleaved layout. [tokens][head_dim] */
function computeAngles(params: Params, coordinate: CoordinateByAxis, count: number): number[][] {
  const { frequencies, axes } = resolveAxialPairs(params);
  return Array.from({ length: count }, (_, index) =>
    frequencies.flatMap((frequency, k) => {
      const angle = coordinate(index, axes[k] ?? 0) * frequency;
      return [angle, angle];
    }),
  );
}

function computeGolden(golden: GoldenCase): Record<string, unknown> {
  const params = readGoldenParams(axialRope, golden);
  const scene = buildGoldenScene(golden, 0);
  const { frequencies, axes, pairs } = resolveAxialPairs(params);
  const coordinate = buildGridCoordinate(params, scene);
  const rotation = axesRotation(frequencies, axes, coordinate);
  const givenCoordinates = golden.inputs.position_ids_hw;
  const count = Array.isArray(givenCoordinates) ? givenCoordinates.length : countAxialTokens(params);
  // Llama 4 stores one complex number per pair; the others repeat the list.
  const doubled = readAxialVariant(params) !== "llama4_vision";
  const values: Record<string, unknown> = {
    inv_freq: axialInvFreqBuffer(params),
    cos: listCosSinRows(rotation, count, "cos", doubled),
    sin: listCosSinRows(rotation, count, "sin", doubled),
    angles: computeAngles(params, coordinate, count),
  };
  if (golden.inputs.q === undefined) return values;
  return {
    ...values,
    q_rot: rotateHeads(golden, (rows) => rotatedFactor(rows, pairs, rotation), "q"),
    k_rot: rotateHeads(golden, (rows) => rotatedFactor(rows, pairs, rotation), "k"),
    ...computeGoldenAttention(axialRope, params, golden),
  };
}

export const adapter: GoldenAdapter = { encoding: axialRope, files: ["axial_rope"], compute: computeGolden };
