import { buildAttention } from "../../../src/core/encodings/buildAttention.ts";
import type { PatchGrid } from "../../../src/core/encodings/encoding.ts";
import { indexRange, logitMatrix } from "../../../src/core/terms/engine.ts";
import type { Scene } from "../../../src/core/terms/scene.ts";
import type { Attention, Term } from "../../../src/core/terms/term.ts";
import type { ResolvedEncoding } from "../../state/resolvedEncoding.ts";

export interface Patch {
  readonly row: number;
  readonly column: number;
}

/** Attention over the whole image, without the mask of the matrix views. */
export interface ImageAttention {
  readonly grid: PatchGrid;
  readonly attention: Attention;
}

export function buildImageAttention({ encoding, params, scene }: ResolvedEncoding): ImageAttention | null {
  const grid = encoding.patchGrid?.(params);
  if (grid === undefined) return null;
  const tokens = grid.height * grid.width + grid.classTokens;
  const whole: Scene = { ...scene, queryLength: tokens, keyLength: tokens, shift: 0 };
  return { grid, attention: buildAttention(encoding, params, whole, {}) };
}

/** Token index of a patch. */
export function patchToken(grid: PatchGrid, { row, column }: Patch): number {
  return grid.classTokens + (grid.columnMajor === true ? column * grid.height + row : row * grid.width + column);
}

/** Patch by its number along rows, clamped to the image. */
export function patchAt(grid: PatchGrid, number: number): Patch {
  const inside = Math.max(0, Math.min(grid.height * grid.width - 1, number));
  return { row: Math.floor(inside / grid.width), column: inside % grid.width };
}

export function clampPatch(grid: PatchGrid, { row, column }: Patch): Patch {
  return {
    row: Math.max(0, Math.min(grid.height - 1, row)),
    column: Math.max(0, Math.min(grid.width - 1, column)),
  };
}

export function patchNumber(grid: PatchGrid, { row, column }: Patch): number {
  return row * grid.width + column;
}

/** Terms of position alone: biases, and products with vectors of an offset. */
export function positionOnlyTerms({ terms }: Attention): readonly Term[] {
  return terms.filter(({ kind }) => kind === "bias" || kind === "relative_query" || kind === "relative_key");
}

/**
 * Σ scale · term from one patch to every other, [height · width] along rows.
 * @param shown terms to sum
 */
export function computePatchValues(
  { grid, attention }: ImageAttention,
  query: Patch,
  shown: readonly Term[],
): Float64Array {
  const ids = new Set(shown.map(({ id }) => id));
  const hidden = attention.terms.filter(({ id }) => !ids.has(id)).map(({ id }) => id);
  const keys = indexRange(0, grid.height * grid.width).map((n) => patchToken(grid, patchAt(grid, n)));
  return logitMatrix(attention, [patchToken(grid, query)], keys, hidden);
}
