import { t } from "@vscode/l10n";
import type { Params } from "../../spec.ts";
import { readMatrix } from "../../terms/read.ts";
import { ParamError } from "../../util/errors.ts";
import type { Scene } from "../encoding.ts";
import { numberOf } from "../support/schema.ts";

/** Three positions of every token, (time, row, column), as the vision-language models count them. */

/** Axis of each pair: 0 time, 1 row, 2 column. [pairs] */
export function mropeAxes(pairs: number, section: readonly number[], interleaved: boolean): number[] {
  const [, rows = 0, columns = 0] = section;
  if (interleaved) {
    return Array.from({ length: pairs }, (_, k) => {
      if (k % 3 === 1 && k < 3 * rows) return 1;
      return k % 3 === 2 && k < 3 * columns ? 2 : 0;
    });
  }
  return section.flatMap((count, axis) => new Array<number>(count).fill(axis));
}

/** A picture in the token stream: frames, rows and columns after merging. */
interface Grid {
  readonly frames: number;
  readonly height: number;
  readonly width: number;
}

/** [3][tokens], and how far the next position is behind the number of tokens. */
export interface MropePositions {
  readonly positions: readonly [number[], number[], number[]];
  readonly delta: number;
}

function appendGrid(positions: MropePositions["positions"], start: number, { frames, height, width }: Grid): void {
  for (let n = 0; n < frames * height * width; n++) {
    positions[0].push(start + Math.floor(n / (height * width)));
    positions[1].push(start + (Math.floor(n / width) % height));
    positions[2].push(start + (n % width));
  }
}

/** Lengths of the runs of equal values. */
function runs(types: readonly number[]): { type: number; length: number }[] {
  const result: { type: number; length: number }[] = [];
  for (const type of types) {
    const last = result.at(-1);
    if (last?.type === type) last.length += 1;
    else result.push({ type, length: 1 });
  }
  return result;
}

/**
 * Positions of a prompt (transformers models/qwen2_vl, `get_rope_index`): text counts on along all three axes; a
 * picture starts at the next free position; the text after it goes on at start + max(H, W)/merge.
 * @param types 0 for text, anything else for tokens of a picture; every run of them takes the next grid
 * @param grids [pictures] of [frames, rows, columns] before merging
 */
export function mropePositions(
  types: readonly number[],
  grids: readonly (readonly number[])[],
  merge: number,
): MropePositions {
  const positions: MropePositions["positions"] = [[], [], []];
  let next = 0;
  let picture = 0;
  for (const { type, length } of runs(types)) {
    if (type === 0) {
      for (let n = 0; n < length; n++) for (const axis of positions) axis.push(next + n);
      next += length;
      continue;
    }
    const [frames = 1, rows = 1, columns = 1] = grids[picture++] ?? [];
    appendGrid(positions, next, { frames, height: Math.floor(rows / merge), width: Math.floor(columns / merge) });
    next += Math.floor(Math.max(rows, columns) / merge);
  }
  const largest = Math.max(-1, ...positions.map((axis) => axis.reduce((most, p) => Math.max(most, p), -1)));
  return { positions, delta: largest + 1 - types.length };
}

/** Where the tokens of a scene stand. */
export interface MropeScene {
  /** Position of key `index` along an axis. */
  at(index: number, axis: number): number;
  /** All three positions are the index: ordinary RoPE. */
  readonly textOnly: boolean;
  /** Largest position + 1. */
  readonly length: number;
}

/** `inputs.position_ids_thw`, or text with one picture of `image_height` × `image_width` from `image_start` on. */
export function mropeScene(params: Params, scene: Scene): MropeScene {
  const { shift } = scene;
  if (scene.inputs.position_ids_thw !== undefined) {
    const ids = readMatrix(scene.inputs.position_ids_thw, "position_ids_thw");
    if (ids.length !== 3 || (ids[0]?.length ?? 0) < scene.keyLength) {
      const rule = t("must be three lists with one position per key ({0})", scene.keyLength);
      throw new ParamError({ param: "position_ids_thw", value: ids.map((row) => row.length), rule });
    }
    const longest = ids.reduce((most, row) => row.reduce((m, p) => Math.max(m, p), most), 0);
    return { at: (index, axis) => (ids[axis]?.[index] ?? 0) + shift, textOnly: false, length: longest + 1 + shift };
  }
  const grid = { frames: 1, height: numberOf(params, "image_height"), width: numberOf(params, "image_width") };
  const at = (index: number, axis: number) =>
    examplePosition(numberOf(params, "image_start"), grid, index, axis) + shift;
  const last = scene.keyLength - 1;
  return {
    at,
    textOnly: grid.height * grid.width === 0 || numberOf(params, "image_start") >= scene.keyLength,
    length: Math.max(at(last, 0), at(last, 1), at(last, 2)) + 1,
  };
}

function examplePosition(start: number, { height, width }: Grid, index: number, axis: number): number {
  const patch = index - start;
  if (patch < 0 || height * width === 0) return index;
  if (patch >= height * width) return start + Math.max(height, width) + patch - height * width;
  if (axis === 0) return start;
  return start + (axis === 1 ? Math.floor(patch / width) : patch % width);
}
