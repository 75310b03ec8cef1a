import type { Params } from "../../spec.ts";
import type { ProductTerm } from "../../terms/term.ts";
import type { Domain, PatchGrid, PositionTable, Scene } from "../encoding.ts";
import { numberOf } from "../support/schema.ts";
import { axialShape, type Coordinate, gridCoordinate, gridSize, placelessTokens } from "./grid.ts";
import { axesRotation, rotatedFactor } from "./rotation.ts";
import { turnColumns } from "./table.ts";
import { headRows, rootScale, rotatedTerm } from "./term.ts";

/** `axial_rope` in a scene, and its table. */

/** content · content, each pair of both factors turned by its own axis. */
export function axialTerm(params: Params, scene: Scene): ProductTerm {
  const { frequencies, axes, pairs } = axialShape(params);
  const coordinate = gridCoordinate(params, scene);
  const offset = scene.keyLength - scene.queryLength;
  const turn = (at: Coordinate) => axesRotation(frequencies, axes, at);
  return rotatedTerm(
    rotatedFactor(
      headRows(scene, params, "q"),
      pairs,
      turn((i, axis) => coordinate(i + offset, axis)),
    ),
    rotatedFactor(headRows(scene, params, "k"), pairs, turn(coordinate)),
    rootScale(numberOf(params, "head_dim")),
  );
}

export function axialTable(params: Params, scene: Scene): PositionTable {
  const { frequencies, axes } = axialShape(params);
  return turnColumns(axesRotation(frequencies, axes, gridCoordinate(params, scene)));
}

/** Tokens that exist: patches and those without a place. */
export function axialTokens(params: Params): number {
  const { height, width } = gridSize(params);
  return height * width + placelessTokens(params);
}

/** The patches of the image; tokens without a place that come after them are no part of it. */
export function axialGrid(params: Params): PatchGrid {
  return { ...gridSize(params), classTokens: numberOf(params, "num_prefix_tokens") };
}

export function axialDomain(params: Params): Domain {
  return {
    kind: "table",
    size: axialTokens(params),
    reason: { en: "The image has only these patches.", zh: "图像只有这么多图像块。" },
  };
}
