import * as l10n from "@vscode/l10n";
import type { Params } from "../../spec.ts";
import { readMatrix } from "../../terms/read.ts";
import type { Scene } from "../../terms/scene.ts";
import { ParamError } from "../../util/errors.ts";
import type { PositionAxes } from "../encoding.ts";
import { getNumber } from "../support/schema.ts";

/** Three positions per token (time, row, column), as vision-language models count them. */

/** Axis of each pair: 0 time, 1 row, 2 column. [pairs] */
export function assignMropeAxes(pairs: number, section: readonly number[], interleaved: boolean): number[] {
  const [, rows = 0, columns = 0] = section;
  if (interleaved) {
    return Array.from({ length: pairs }, (_, k) => {
      if (k % 3 === 1 && k < 3 * rows) return 1;
      return k % 3 === 2 && k < 3 * columns ? 2 : 0;
    });
  }
  return section.flatMap((count, axis) => new Array<number>(count).fill(axis));
}

/** An image or video in the token stream: frames, rows and columns after merging. */
interface MergedImage {
  readonly frames: number;
  readonly height: number;
  readonly width: number;
}

/** [3][tokens], and the difference between the next position and the number of tokens. */
export interface MropePositions {
  readonly positions: readonly [number[], number[], number[]];
  readonly delta: number;
}

function appendImage(
  positions: MropePositions["positions"],
  start: number,
  { frames, height, width }: MergedImage,
): void {
  for (let n = 0; n < frames * height * width; n++) {
    positions[0].push(start + Math.floor(n / (height * width)));
    positions[1].push(start + (Math.floor(n / width) % height));
    positions[2].push(start + (n % width));
  }
}

/** Runs of equal values. */
function findRuns(types: readonly number[]): { type: number; length: number }[] {
  const result: { type: number; length: number }[] = [];
  for (const type of types) {
    const last = result.at(-1);
    if (last?.type === type) last.length += 1;
    else result.push({ type, length: 1 });
  }
  return result;
}

/**
 * Positions of a prompt (transformers models/qwen2_vl, `get_rope_index`). Text advances all three axes; an image
 * starts at the next free position, and the text after it continues at start + max(H, W)/merge.
 * @param tokenTypes 0 for text, any other value for image tokens; every run of these takes the next grid
 * @param grids [images] of [frames, rows, columns] before merging
 */
export function computeMropePositions(
  tokenTypes: readonly number[],
  grids: readonly (readonly number[])[],
  mergeSize: number,
): MropePositions {
  const positions: MropePositions["positions"] = [[], [], []];
  let next = 0;
  let imageIndex = 0;
  for (const { type, length } of findRuns(tokenTypes)) {
    if (type === 0) {
      for (let n = 0; n < length; n++) for (const axis of positions) axis.push(next + n);
      next += length;
      continue;
    }
    const [frames = 1, rows = 1, columns = 1] = grids[imageIndex++] ?? [];
    appendImage(positions, next, {
      frames,
      height: Math.floor(rows / mergeSize),
      width: Math.floor(columns / mergeSize),
    });
    next += Math.floor(Math.max(rows, columns) / mergeSize);
  }
  const largest = Math.max(-1, ...positions.map((axis) => axis.reduce((most, p) => Math.max(most, p), -1)));
  return { positions, delta: largest + 1 - tokenTypes.length };
}

/** Coordinates of the tokens of a scene. */
export interface MropeCoordinates {
  /** Position of key `index` along an axis. */
  coordinate(index: number, axis: number): number;
  /** All three positions equal the index: ordinary RoPE. */
  readonly textOnly: boolean;
  /** Largest position + 1. */
  readonly length: number;
}

/** `inputs.position_ids_thw`, or text with one image of `image_height` × `image_width` from `image_start` on. */
export function resolveMropeCoordinates(params: Params, scene: Scene): MropeCoordinates {
  const { shift } = scene;
  if (scene.inputs.position_ids_thw !== undefined) {
    const ids = readMatrix(scene.inputs.position_ids_thw, "position_ids_thw");
    if (ids.length !== 3 || (ids[0]?.length ?? 0) < scene.keyLength) {
      const rule = l10n.t("must be three lists with one position per key ({0})", scene.keyLength);
      throw new ParamError({ param: "position_ids_thw", value: ids.map((row) => row.length), rule });
    }
    const lastPosition = ids.reduce((most, row) => row.reduce((m, p) => Math.max(m, p), most), 0);
    return {
      coordinate: (index, axis) => (ids[axis]?.[index] ?? 0) + shift,
      textOnly: false,
      length: lastPosition + 1 + shift,
    };
  }
  const image = { frames: 1, height: getNumber(params, "image_height"), width: getNumber(params, "image_width") };
  const coordinate = (index: number, axis: number) =>
    exampleCoordinate(getNumber(params, "image_start"), image, index, axis) + shift;
  const last = scene.keyLength - 1;
  return {
    coordinate,
    textOnly: image.height * image.width === 0 || getNumber(params, "image_start") >= scene.keyLength,
    length: Math.max(coordinate(last, 0), coordinate(last, 1), coordinate(last, 2)) + 1,
  };
}

/** Coordinates of the tokens, and which of them are patches. */
export function resolveMropePositionAxes(params: Params, scene: Scene): PositionAxes {
  const { coordinate } = resolveMropeCoordinates(params, scene);
  const start = getNumber(params, "image_start");
  const size = getNumber(params, "image_height") * getNumber(params, "image_width");
  const differs = (index: number) =>
    coordinate(index, 0) !== coordinate(index, 1) || coordinate(index, 0) !== coordinate(index, 2);
  return {
    axes: ["time", "row", "column"],
    coordinate,
    isPatch: (index) => (index >= start && index < start + size) || differs(index),
  };
}

function exampleCoordinate(start: number, { height, width }: MergedImage, index: number, axis: number): number {
  const patch = index - start;
  if (patch < 0 || height * width === 0) return index;
  if (patch >= height * width) return start + Math.max(height, width) + patch - height * width;
  if (axis === 0) return start;
  return start + (axis === 1 ? Math.floor(patch / width) : patch % width);
}
