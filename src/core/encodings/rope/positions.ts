import { t } from "@vscode/l10n";
import { idCount, isRenumbered, positionId } from "../../terms/numbering.ts";
import { readVector } from "../../terms/read.ts";
import { ParamError } from "../../util/errors.ts";
import type { Scene } from "../encoding.ts";

/** Where the queries and keys of a scene stand, by index. */
export interface Positions {
  query(i: number): number;
  key(j: number): number;
  /** position(i) − position(j) = i − j + (keyLength − queryLength): no list of positions was given. */
  readonly consecutive: boolean;
  /** Largest position + 1: what transformers takes for the length of the call. */
  readonly length: number;
}

/** `inputs[name]` as one list of positions; transformers' batch axis is taken off. */
export function readPositions(value: unknown, name: string): number[] {
  return readVector(Array.isArray(value) && Array.isArray(value[0]) ? value[0] : value, name);
}

/** Consecutive from the shift on, as the scene numbers them, or as `inputs.position_ids` says: one for each key, the last ones for the queries. */
export function positionsOf(scene: Scene): Positions {
  const offset = scene.keyLength - scene.queryLength;
  const { shift, numbering } = scene;
  if (isRenumbered(numbering)) {
    const id = (index: number) => positionId(numbering, index) + shift;
    return {
      query: (i) => id(i + offset),
      key: id,
      consecutive: false,
      length: idCount(numbering, scene.keyLength) + shift,
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
    const rule = t("must have one position per key ({0})", scene.keyLength);
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
