import type { Params } from "../../spec.ts";
import type { Encoding, GoldenCase } from "../encoding.ts";
import { buildGoldenScene, computeGoldenAttention } from "../support/golden.ts";
import { countAxialTokens } from "./axial.ts";
import { listCosSinRows, readCaseParams, rotateHeads } from "./golden.ts";
import {
  axialInvFreqBuffer,
  buildGridCoordinate,
  type CoordinateByAxis,
  readAxialVariant,
  resolveAxialPairs,
} from "./grid.ts";
import { axesRotation, rotatedFactor } from "./rotation.ts";

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

export function computeAxialGolden(axialRope: Encoding, golden: GoldenCase): Record<string, unknown> {
  const params = readCaseParams(axialRope, golden.params);
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
