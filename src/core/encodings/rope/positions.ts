import * as l10n from "@vscode/l10n";
import { countPositionIds, isRenumbered, positionId } from "../../terms/numbering.ts";
import { readVector } from "../../terms/read.ts";
import type { Scene } from "../../terms/scene.ts";
import { ParamError } from "../../util/errors.ts";

/** Positions of the queries and keys of a scene, by index. */
export interface ScenePositions {
  query(i: number): number;
  key(j: number): number;
  /** position(i) − position(j) = i − j + (keyLength − queryLength): positions were neither given nor renumbered. */
  readonly consecutive: boolean;
  /** Largest position + 1, which transformers takes as the length of the call. */
  readonly length: number;
}

/** `inputs[name]` as a list of positions, without transformers' batch axis. */
export function readPositions(value: unknown, name: string): number[] {
  return readVector(Array.isArray(value) && Array.isArray(value[0]) ? value[0] : value, name);
}

/**
 * Positions of a scene: consecutive from its shift on, renumbered, or read from `inputs.position_ids` with one position
 * per key; the queries have the last ones.
 */
export function resolvePositions(scene: Scene): ScenePositions {
  const offset = scene.keyLength - scene.queryLength;
  const { shift, numbering } = scene;
  if (isRenumbered(numbering)) {
    const id = (index: number) => positionId(numbering, index) + shift;
    return {
      query: (i) => id(i + offset),
      key: id,
      consecutive: false,
      length: countPositionIds(numbering, scene.keyLength) + shift,
    };
  }
  if (scene.inputs.position_ids === undefined) {
    return {
      query: (i) => i + offset + shift,
      key: (j) => j + shift,
      consecutive: true,
      length: scene.keyLength + shift,
    };
  }
  const ids = readPositions(scene.inputs.position_ids, "position_ids");
  if (ids.length < scene.keyLength) {
    const rule = l10n.t("must have one position per key ({0})", scene.keyLength);
    throw new ParamError({ param: "position_ids", value: ids.length, rule });
  }
  const at = (index: number) => (ids[index] ?? 0) + shift;
  return {
    query: (i) => at(i + offset),
    key: at,
    consecutive: false,
    length: ids.reduce((longest, id) => Math.max(longest, id), 0) + 1 + shift,
  };
}
