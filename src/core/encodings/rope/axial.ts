import type { Params } from "../../spec.ts";
import type { PositionTable, Scene } from "../../terms/scene.ts";
import type { ProductTerm } from "../../terms/term.ts";
import type { PatchGrid, PositionDomain } from "../encoding.ts";
import { getNumber } from "../support/schema.ts";
import {
  buildGridCoordinate,
  type CoordinateByAxis,
  countUnplacedTokens,
  resolveAxialGrid,
  resolveAxialPairs,
} from "./grid.ts";
import { axesRotation, rotatedFactor } from "./rotation.ts";
import { buildRotationTable } from "./table.ts";
import { buildRotatedTerm, inverseRootScale, readHeadRows } from "./term.ts";

/** The term and the table of `axial_rope` for a scene. */

/** content · content; each pair of both factors rotates by the coordinate along its axis. */
export function buildAxialTerm(params: Params, scene: Scene): ProductTerm {
  const { frequencies, axes, pairs } = resolveAxialPairs(params);
  const coordinate = buildGridCoordinate(params, scene);
  const offset = scene.keyLength - scene.queryLength;
  const rotation = (at: CoordinateByAxis) => axesRotation(frequencies, axes, at);
  return buildRotatedTerm(
    rotatedFactor(
      readHeadRows(scene, params, "q"),
      pairs,
      rotation((i, axis) => coordinate(i + offset, axis)),
    ),
    rotatedFactor(readHeadRows(scene, params, "k"), pairs, rotation(coordinate)),
    inverseRootScale(getNumber(params, "head_dim")),
  );
}

export function buildAxialTable(params: Params, scene: Scene): PositionTable {
  const { frequencies, axes } = resolveAxialPairs(params);
  return buildRotationTable(axesRotation(frequencies, axes, buildGridCoordinate(params, scene)));
}

/** Number of tokens: patches and tokens outside the grid. */
export function countAxialTokens(params: Params): number {
  const { height, width } = resolveAxialGrid(params);
  return height * width + countUnplacedTokens(params);
}

/** The patches of the image; tokens outside the grid that follow them are not part of it. */
export function axialPatchGrid(params: Params): PatchGrid {
  return { ...resolveAxialGrid(params), classTokens: getNumber(params, "num_prefix_tokens") };
}

export function axialDomain(params: Params): PositionDomain {
  return {
    kind: "table",
    size: countAxialTokens(params),
    reason: { en: "The image has only these patches.", zh: "图像只有这么多图像块。" },
  };
}
