import type { Layout, Params } from "../../spec.ts";
import { readMatrix } from "../../terms/read.ts";
import type { Scene } from "../encoding.ts";
import { numberOf, numbersOf, optionalNumber, stringOf } from "../support/schema.ts";
import { geometricFrequencies } from "./frequencies.ts";
import { type Pairs, pairsOf } from "./rotation.ts";

/** Rotation over the rows and columns of an image: how each model lays out axes, frequencies and coordinates. */

export const AXIAL_VARIANTS = [
  "pixtral",
  "qwen2_vl_vision",
  "gemma4_vision",
  "llama4_vision",
  "eva02",
  "dinov3",
] as const;
export type AxialVariant = (typeof AXIAL_VARIANTS)[number];

/** Axis 0 is the row, axis 1 the column. */
export type Coordinate = (index: number, axis: number) => number;

/** Rows and columns of patches. */
export interface GridSize {
  readonly height: number;
  readonly width: number;
}

interface VariantShape {
  /** Frequencies of each axis from base and head_dim: [head_dim / 4] each. */
  frequencies(theta: number, headDim: number): readonly [rows: readonly number[], columns: readonly number[]];
  /** Axis of the first half of the pairs; the other half has the other one. */
  readonly firstAxis: 0 | 1;
  readonly pairs: (count: number) => Pairs;
  /** Coordinate of a patch from its place along an axis. */
  coordinate(place: number, length: number, params: Params): number;
  /** Tokens without place come after the patches (Llama 4's class token), not before. */
  readonly classLast?: boolean;
}

const place = (value: number) => value;
const layoutPairs = (layout: Layout) => (count: number) => pairsOf(layout, count);

/** The same frequencies θ^(−2k/(d/2)) for both axes. */
function shared(theta: number, headDim: number): readonly [readonly number[], readonly number[]] {
  const list = geometricFrequencies(theta, headDim / 2);
  return [list, list];
}

/** Frequencies of the whole head, dealt out: even ones to rows, odd ones to columns. */
function dealt(theta: number, headDim: number): readonly [readonly number[], readonly number[]] {
  const all = geometricFrequencies(theta, headDim);
  return [all.filter((_, k) => k % 2 === 0), all.filter((_, k) => k % 2 === 1)];
}

/** [h|h|w|w]: each half of the head is a half layout of its own. */
function blockPairs(count: number): Pairs {
  const half = count / 2;
  const start = (k: number) => (k < half ? k : k + half);
  const index = Array.from({ length: count }, (_, k) => k);
  return { first: index.map(start), second: index.map((k) => start(k) + half) };
}

const half = layoutPairs("half");
const interleaved = layoutPairs("interleaved");

const SHAPES: Readonly<Record<AxialVariant, VariantShape>> = {
  pixtral: { frequencies: dealt, firstAxis: 0, pairs: half, coordinate: place },
  qwen2_vl_vision: { frequencies: shared, firstAxis: 0, pairs: half, coordinate: place },
  gemma4_vision: { frequencies: shared, firstAxis: 0, pairs: blockPairs, coordinate: place },
  llama4_vision: {
    frequencies: shared,
    firstAxis: 1,
    pairs: interleaved,
    coordinate: (value) => value + 1,
    classLast: true,
  },
  eva02: { frequencies: shared, firstAxis: 0, pairs: interleaved, coordinate: stretched },
  dinov3: { frequencies: shared, firstAxis: 0, pairs: half, coordinate: patchCentre },
};

/** EVA-02: positions of the used grid, stretched to the one of pre-training. */
function stretched(value: number, length: number, params: Params): number {
  const used = optionalNumber(params, "ft_seq_len") ?? length;
  return (value / used) * (optionalNumber(params, "pt_seq_len") ?? used);
}

/** DINOv3: 2π times the patch centre in [−1, 1], so that the angle does not know the number of patches. */
function patchCentre(value: number, length: number): number {
  return 2 * Math.PI * (((value + 0.5) / length) * 2 - 1);
}

export function variantOf(params: Params): AxialVariant {
  const name = stringOf(params, "variant");
  return AXIAL_VARIANTS.find((variant) => variant === name) ?? "qwen2_vl_vision";
}

/** Patches of the image: `image_size` over `patch_size`, EVA-02's `ft_seq_len`, or the grid given as such. */
export function gridSize(params: Params): GridSize {
  const size = numbersOf(params, "image_size");
  const [height, width] = size ?? [];
  if (height !== undefined) {
    const patch = numberOf(params, "patch_size");
    return { height: Math.floor(height / patch), width: Math.floor((width ?? height) / patch) };
  }
  const side = params.variant === "eva02" ? optionalNumber(params, "ft_seq_len") : undefined;
  return { height: side ?? numberOf(params, "grid_height"), width: side ?? numberOf(params, "grid_width") };
}

/** Tokens that have no place in the grid and are not turned. */
export function placelessTokens(params: Params): number {
  return numberOf(params, "num_prefix_tokens") + (SHAPES[variantOf(params)].classLast === true ? 1 : 0);
}

/** Frequency and axis of every pair, and which numbers the pairs are. */
export interface AxialShape {
  readonly frequencies: readonly number[];
  readonly axes: readonly number[];
  readonly pairs: Pairs;
}

export function axialShape(params: Params): AxialShape {
  const shape = SHAPES[variantOf(params)];
  const lists = shape.frequencies(numberOf(params, "rope_theta"), numberOf(params, "head_dim"));
  const order = shape.firstAxis === 0 ? [0, 1] : [1, 0];
  const frequencies = order.flatMap((axis) => lists[axis] ?? []);
  const axes = order.flatMap((axis) => (lists[axis] ?? []).map(() => axis));
  return { frequencies, axes, pairs: shape.pairs(frequencies.length) };
}

/** The buffer `inv_freq` of the module: one list where both axes share it, else rows then columns. */
export function axialBuffer(params: Params): readonly number[] {
  const lists = SHAPES[variantOf(params)].frequencies(numberOf(params, "rope_theta"), numberOf(params, "head_dim"));
  return lists[0] === lists[1] ? lists[0] : [...lists[0], ...lists[1]];
}

/**
 * Coordinates of each key: `inputs.position_ids_hw` as [row, column], or the grid read row by row with the tokens
 * without place before it (Llama 4: behind it), whose coordinates are 0. The shift moves rows and columns alike.
 */
export function gridCoordinate(params: Params, scene: Scene): Coordinate {
  if (scene.inputs.position_ids_hw !== undefined) {
    const places = readMatrix(scene.inputs.position_ids_hw, "position_ids_hw");
    return (index, axis) => (places[index]?.[axis] ?? 0) + scene.shift;
  }
  const { coordinate, classLast } = SHAPES[variantOf(params)];
  const { height, width } = gridSize(params);
  const before = classLast === true ? 0 : numberOf(params, "num_prefix_tokens");
  return (index, axis) => {
    const patch = index - before;
    if (patch < 0 || patch >= height * width) return 0;
    const at = axis === 0 ? Math.floor(patch / width) : patch % width;
    return coordinate(at + scene.shift, axis === 0 ? height : width, params);
  };
}
