import { backgroundOf, curveOf, type Domain, isByRow, paletteOf, settleDomain, stepsOf, word } from "./colouring.ts";
import { extremesOf } from "./extremes.ts";
import { type Axis, sampleAt } from "./grid.ts";
import type { Frame, Painting } from "./painter.ts";
import type { Plan } from "./plan.ts";
import { slotVisibility } from "./slots.ts";

/** Pictures of a function of δ alone: one colour a diagonal. */

export interface DiagonalColours {
  /** By slot. */
  readonly words: Uint32Array;
  readonly domain: Domain;
}

function isProfileAlone({ products, relatives, cells, normalisers }: Plan): boolean {
  return products.length + relatives.length === 0 && cells === null && normalisers === null;
}

/** null for pictures whose colours are not functions of δ. */
export function diagonalColours({ plan, colouring }: Frame): DiagonalColours | null {
  const { profile } = plan;
  if (profile === null || !isProfileAlone(plan) || isByRow(colouring)) return null;
  const { any, whole } = slotVisibility(plan);
  if (!whole) return null;
  const domain = colouring.domain ?? settleDomain(extremesOf(profile, any, profile.length).all, colouring, false);
  const palette = paletteOf(colouring.map);
  const background = word(...backgroundOf(colouring));
  const stepOf = stepsOf(domain, curveOf(colouring));
  const words = new Uint32Array(profile.length).fill(background);
  for (let slot = 0; slot < words.length; slot++) {
    if (any[slot] === 1) words[slot] = palette[stepOf(profile[slot] ?? 0)] ?? background;
  }
  return { words, domain };
}

/** The sample of each pixel. */
export function samplesOf(axis: Axis): Int32Array {
  return Int32Array.from({ length: axis.pixels }, (_, pixel) => sampleAt(axis, pixel));
}

/** Pixels are samples, one for one, and none lies beyond the matrix. */
export function isDirect(axis: Axis): boolean {
  return axis.step === 1 && axis.offset === 0 && axis.count >= axis.pixels;
}

/** null for pictures whose colours are not functions of δ. */
export function diagonalPainting(frame: Frame): Painting | null {
  const colours = diagonalColours(frame);
  return colours && { domain: colours.domain, into: (image) => paintDiagonals(frame, colours, image) };
}

/** Paints rows by copying: the next row is the same colours, a diagonal further. */
function paintDiagonals(frame: Frame, { words }: DiagonalColours, image: ImageData): void {
  const { grid, diagonals } = frame.plan;
  const pixels = new Uint32Array(image.data.buffer);
  const rowOf =
    isDirect(grid.columns) && diagonals.columnStep === 1
      ? copiedRow(words, diagonals.shift)
      : gatheredRow(words, frame, samplesOf(grid.columns));
  const background = word(...backgroundOf(frame.colouring));
  const rows = samplesOf(grid.rows);
  for (let y = 0; y < frame.height; y++) {
    const start = y * frame.width;
    const k = rows[y] ?? -1;
    if (k < 0) pixels.fill(background, start, start + frame.width);
    else if (y > 0 && k === rows[y - 1]) pixels.copyWithin(start, start - frame.width, start);
    else pixels.set(rowOf(k * diagonals.rowStep, frame.width), start);
  }
}

type RowOf = (firstSlot: number, width: number) => Uint32Array;

function copiedRow(words: Uint32Array, shift: number): RowOf {
  const backwards = words.toReversed();
  return (slot, width) => {
    const start = words.length - 1 - slot - shift;
    return backwards.subarray(start, start + width);
  };
}

function gatheredRow(words: Uint32Array, { plan, colouring }: Frame, columns: Int32Array): RowOf {
  const { columnStep, shift } = plan.diagonals;
  const background = word(...backgroundOf(colouring));
  const row = new Uint32Array(columns.length);
  return (slot) => {
    for (let x = 0; x < row.length; x++) {
      const l = columns[x] ?? -1;
      row[x] = l < 0 ? background : (words[slot + shift - l * columnStep] ?? background);
    }
    return row;
  };
}
