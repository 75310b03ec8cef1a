import type { Params } from "../../spec.ts";
import type { Encoding, GoldenCase } from "../encoding.ts";
import { attentionGolden, sceneOf } from "../support/golden.ts";
import { axialTokens } from "./axial.ts";
import { caseParams, rotatedHeads, turnTable } from "./golden.ts";
import { axialBuffer, axialShape, type Coordinate, gridCoordinate, variantOf } from "./grid.ts";
import { axesRotation, rotatedFactor } from "./rotation.ts";

/** EVA-02's angles, each twice because the layout is interleaved. [tokens][head_dim] */
function angles(params: Params, coordinate: Coordinate, count: number): number[][] {
  const { frequencies, axes } = axialShape(params);
  return Array.from({ length: count }, (_, index) =>
    frequencies.flatMap((frequency, k) => {
      const angle = coordinate(index, axes[k] ?? 0) * frequency;
      return [angle, angle];
    }),
  );
}

export function axialGolden(axialRope: Encoding, golden: GoldenCase): Record<string, unknown> {
  const params = caseParams(axialRope, golden.params);
  const scene = sceneOf(golden, 0);
  const { frequencies, axes, pairs } = axialShape(params);
  const coordinate = gridCoordinate(params, scene);
  const rotation = axesRotation(frequencies, axes, coordinate);
  const given = golden.inputs.position_ids_hw;
  const count = Array.isArray(given) ? given.length : axialTokens(params);
  // Llama 4 holds one complex number for each pair, the others the list twice.
  const doubled = variantOf(params) !== "llama4_vision";
  const values: Record<string, unknown> = {
    inv_freq: axialBuffer(params),
    cos: turnTable(rotation, count, "cos", doubled),
    sin: turnTable(rotation, count, "sin", doubled),
    angles: angles(params, coordinate, count),
  };
  if (golden.inputs.q === undefined) return values;
  return {
    ...values,
    q_rot: rotatedHeads(golden, (rows) => rotatedFactor(rows, pairs, rotation), "q"),
    k_rot: rotatedHeads(golden, (rows) => rotatedFactor(rows, pairs, rotation), "k"),
    ...attentionGolden(axialRope, params, golden),
  };
}
