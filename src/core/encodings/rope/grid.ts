import type { PairLayout, Params } from "../../spec.ts";
import { readMatrix } from "../../terms/read.ts";
import type { Scene } from "../../terms/scene.ts";
import type { GridShape } from "../support/grid.ts";
import { getNumber, getString, optionalNumber, optionalNumbers } from "../support/schema.ts";
import { geometricFrequencies } from "./frequencies.ts";
import { type PairIndices, pairIndices } from "./rotation.ts";

/** Rotation by the rows and columns of an image: how models assign axes, frequencies and coordinates. */

export const AXIAL_VARIANTS = [
  "pixtral",
  "qwen2_vl_vision",
  "gemma4_vision",
  "llama4_vision",
  "eva02",
  "dinov3",
  "axes",
  "axes_half",
] as const;
export type AxialVariant = (typeof AXIAL_VARIANTS)[number];

/** Axis 0 is the row, axis 1 the column; with `axes_dims`, these are the last two axes. */
export type CoordinateByAxis = (index: number, axis: number) => number;

interface VariantLayout {
  /** Frequencies of each axis from base and head_dim, [head_dim / 4] each. */
  frequencies(theta: number, headDim: number): readonly [rows: readonly number[], columns: readonly number[]];
  /** Axis of the first half of the pairs; the second half has the other axis. */
  readonly firstAxis: 0 | 1;
  readonly pairs: (count: number) => PairIndices;
  /** Coordinate of a patch from its index along an axis of `length` patches. */
  coordinate(index: number, length: number, params: Params): number;
  /** Llama 4's class token comes after the patches instead of before them. */
  readonly classTokenLast?: boolean;
}

const unchangedCoordinate = (value: number) => value;
const layoutPairs = (layout: PairLayout) => (count: number) => pairIndices(layout, count);

/** Both axes share the frequencies θ^(−2k/(d/2)). */
function sharedFrequencies(theta: number, headDim: number): readonly [readonly number[], readonly number[]] {
  const list = geometricFrequencies(theta, headDim / 2);
  return [list, list];
}

/** Splits the frequencies of the whole head: even ones for rows, odd ones for columns. */
function alternatingFrequencies(theta: number, headDim: number): readonly [readonly number[], readonly number[]] {
  const all = geometricFrequencies(theta, headDim);
  return [all.filter((_, k) => k % 2 === 0), all.filter((_, k) => k % 2 === 1)];
}

/** [h|h|w|w]: each half of the head has its own half layout. */
function pairsWithinHalves(count: number): PairIndices {
  const half = count / 2;
  const start = (k: number) => (k < half ? k : k + half);
  const index = Array.from({ length: count }, (_, k) => k);
  return { first: index.map(start), second: index.map((k) => start(k) + half) };
}

const halfPairs = layoutPairs("half");
const interleavedPairs = layoutPairs("interleaved");

const VARIANT_LAYOUTS: Readonly<Record<AxialVariant, VariantLayout>> = {
  pixtral: { frequencies: alternatingFrequencies, firstAxis: 0, pairs: halfPairs, coordinate: unchangedCoordinate },
  qwen2_vl_vision: { frequencies: sharedFrequencies, firstAxis: 0, pairs: halfPairs, coordinate: unchangedCoordinate },
  gemma4_vision: {
    frequencies: sharedFrequencies,
    firstAxis: 0,
    pairs: pairsWithinHalves,
    coordinate: unchangedCoordinate,
  },
  llama4_vision: {
    frequencies: sharedFrequencies,
    firstAxis: 1,
    pairs: interleavedPairs,
    coordinate: (value) => value + 1,
    classTokenLast: true,
  },
  eva02: { frequencies: sharedFrequencies, firstAxis: 0, pairs: interleavedPairs, coordinate: rescaleToPretraining },
  dinov3: { frequencies: sharedFrequencies, firstAxis: 0, pairs: halfPairs, coordinate: normalisedPatchCentre },
  axes: { frequencies: sharedFrequencies, firstAxis: 0, pairs: interleavedPairs, coordinate: unchangedCoordinate },
  axes_half: { frequencies: sharedFrequencies, firstAxis: 0, pairs: halfPairs, coordinate: unchangedCoordinate },
};

/** Variants of diffusion transformers, whose axes (frame, row, column) have dimensions of their own. */
export function hasAxesDims(params: Params): boolean {
  return params.variant === "axes" || params.variant === "axes_half";
}

/** Head dimensions that each axis rotates; undefined if two axes share the head evenly. */
export function readAxesDims(params: Params): readonly number[] | undefined {
  return hasAxesDims(params) ? optionalNumbers(params, "axes_dims") : undefined;
}

/** EVA-02: positions rescaled from the current grid to that of pre-training. */
function rescaleToPretraining(value: number, length: number, params: Params): number {
  const gridLength = optionalNumber(params, "ft_seq_len") ?? length;
  return (value / gridLength) * (optionalNumber(params, "pt_seq_len") ?? gridLength);
}

/** DINOv3: 2π times the patch centre in [−1, 1], so the angle does not depend on the number of patches. */
function normalisedPatchCentre(value: number, length: number): number {
  return 2 * Math.PI * (((value + 0.5) / length) * 2 - 1);
}

export function readAxialVariant(params: Params): AxialVariant {
  const name = getString(params, "variant");
  return AXIAL_VARIANTS.find((variant) => variant === name) ?? "qwen2_vl_vision";
}

/** Patches of the image: `image_size` / `patch_size`, EVA-02's `ft_seq_len`, or the given grid. */
export function resolveAxialGrid(params: Params): GridShape {
  const size = optionalNumbers(params, "image_size");
  const [height, width] = size ?? [];
  if (height !== undefined) {
    const patch = getNumber(params, "patch_size");
    return { height: Math.floor(height / patch), width: Math.floor((width ?? height) / patch) };
  }
  const side = params.variant === "eva02" ? optionalNumber(params, "ft_seq_len") : undefined;
  return { height: side ?? getNumber(params, "grid_height"), width: side ?? getNumber(params, "grid_width") };
}

/** Number of tokens outside the grid, which are not rotated. */
export function countUnplacedTokens(params: Params): number {
  return (
    getNumber(params, "num_prefix_tokens") + (VARIANT_LAYOUTS[readAxialVariant(params)].classTokenLast === true ? 1 : 0)
  );
}

/** Frequency and axis of every pair, and the dimensions of each pair. */
export interface AxialPairs {
  readonly frequencies: readonly number[];
  readonly axes: readonly number[];
  readonly pairs: PairIndices;
}

export function resolveAxialPairs(params: Params): AxialPairs {
  const layout = VARIANT_LAYOUTS[readAxialVariant(params)];
  const dims = readAxesDims(params);
  if (dims !== undefined) return resolvePairsOfAxes(params, dims, layout.pairs);
  const lists = layout.frequencies(getNumber(params, "rope_theta"), getNumber(params, "head_dim"));
  const order = layout.firstAxis === 0 ? [0, 1] : [1, 0];
  const frequencies = order.flatMap((axis) => lists[axis] ?? []);
  const axes = order.flatMap((axis) => (lists[axis] ?? []).map(() => axis));
  return { frequencies, axes, pairs: layout.pairs(frequencies.length) };
}

/** Each axis has the frequencies θ^(−2k/d) of its own d dimensions, one axis after the other. */
function resolvePairsOfAxes(params: Params, dims: readonly number[], pairs: VariantLayout["pairs"]): AxialPairs {
  const thetas = optionalNumbers(params, "axes_theta");
  const lists = dims.map((dim, axis) => geometricFrequencies(thetas?.[axis] ?? getNumber(params, "rope_theta"), dim));
  const frequencies = lists.flat();
  return { frequencies, axes: lists.flatMap((list, axis) => list.map(() => axis)), pairs: pairs(frequencies.length) };
}

/** The module's buffer `inv_freq`: one list if both axes share it, else rows followed by columns. */
export function axialInvFreqBuffer(params: Params): readonly number[] {
  const lists = VARIANT_LAYOUTS[readAxialVariant(params)].frequencies(
    getNumber(params, "rope_theta"),
    getNumber(params, "head_dim"),
  );
  return lists[0] === lists[1] ? lists[0] : [...lists[0], ...lists[1]];
}

/**
 * Coordinates of each key: `inputs.position_ids_hw` as [row, column], or the grid in row-major order. Tokens outside
 * the grid come first (in Llama 4, last) and have coordinates 0. The shift is added to rows and columns. Axes before the
 * last two count frames or texts, of which the grid has one.
 */
export function buildGridCoordinate(params: Params, scene: Scene): CoordinateByAxis {
  const others = Math.max(0, (readAxesDims(params)?.length ?? 2) - 2);
  const inImage = buildImageCoordinate(params, scene);
  return (index, axis) => (axis < others ? 0 : inImage(index, axis - others));
}

function buildImageCoordinate(params: Params, scene: Scene): CoordinateByAxis {
  if (scene.inputs.position_ids_hw !== undefined) {
    const coordinates = readMatrix(scene.inputs.position_ids_hw, "position_ids_hw");
    return (index, axis) => (coordinates[index]?.[axis] ?? 0) + scene.shift;
  }
  const { coordinate, classTokenLast } = VARIANT_LAYOUTS[readAxialVariant(params)];
  const { height, width } = resolveAxialGrid(params);
  const prefixTokens = classTokenLast === true ? 0 : getNumber(params, "num_prefix_tokens");
  return (index, axis) => {
    const patch = index - prefixTokens;
    if (patch < 0 || patch >= height * width) return 0;
    const at = axis === 0 ? Math.floor(patch / width) : patch % width;
    return coordinate(at + scene.shift, axis === 0 ? height : width, params);
  };
}
