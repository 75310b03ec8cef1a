import {
  type ColourDomain,
  colourCurve,
  colourStepper,
  isByRow,
  packedPalette,
  packRgba,
  parseBackground,
  resolveDomain,
} from "./colouring.ts";
import { computeExtremes } from "./extremes.ts";
import type { Painting, PictureFrame } from "./painter.ts";
import type { FigurePlan } from "./plan.ts";
import { type SampledAxis, sampleOfPixel } from "./sampledGrid.ts";
import { slotVisibility } from "./slotVisibility.ts";

/** Pictures of a function of δ alone: one colour per diagonal. */

export interface DiagonalColours {
  /** Packed RGBA by slot. */
  readonly rgba: Uint32Array;
  readonly domain: ColourDomain;
}

function isProfileOnly({ products, relatives, cells, normalisers }: FigurePlan): boolean {
  return products.length + relatives.length === 0 && cells === null && normalisers === null;
}

/** null if the colours are not a function of δ. */
export function diagonalColours({ plan, colouring }: PictureFrame): DiagonalColours | null {
  const { profile } = plan;
  if (profile === null || !isProfileOnly(plan) || isByRow(colouring)) return null;
  const { any, whole } = slotVisibility(plan);
  if (!whole) return null;
  const domain = colouring.domain ?? resolveDomain(computeExtremes(profile, any, profile.length).all, colouring, false);
  const palette = packedPalette(colouring.map);
  const background = packRgba(...parseBackground(colouring));
  const stepOf = colourStepper(domain, colourCurve(colouring));
  const rgba = new Uint32Array(profile.length).fill(background);
  for (let slot = 0; slot < rgba.length; slot++) {
    if (any[slot] === 1) rgba[slot] = palette[stepOf(profile[slot] ?? 0)] ?? background;
  }
  return { rgba, domain };
}

/** The sample of each pixel. */
export function samplesOfPixels(axis: SampledAxis): Int32Array {
  return Int32Array.from({ length: axis.pixels }, (_, pixel) => sampleOfPixel(axis, pixel));
}

/** Each pixel shows one sample, and none lies outside the matrix. */
export function isPixelPerSample(axis: SampledAxis): boolean {
  return axis.step === 1 && axis.offset === 0 && axis.count >= axis.pixels;
}

/** null if the colours are not a function of δ. */
export function paintingByDiagonal(frame: PictureFrame): Painting | null {
  const colours = diagonalColours(frame);
  return colours && { domain: colours.domain, fillImage: (image) => paintDiagonals(frame, colours, image) };
}

/** Copies pixel rows: the next row has the same colours, shifted by one diagonal. */
function paintDiagonals(frame: PictureFrame, { rgba }: DiagonalColours, image: ImageData): void {
  const { grid, diagonals } = frame.plan;
  const pixels = new Uint32Array(image.data.buffer);
  const rowOf =
    isPixelPerSample(grid.columns) && diagonals.columnStep === 1
      ? copiedRow(rgba, diagonals.shift)
      : gatheredRow(rgba, frame, samplesOfPixels(grid.columns));
  const background = packRgba(...parseBackground(frame.colouring));
  const rows = samplesOfPixels(grid.rows);
  for (let y = 0; y < frame.height; y++) {
    const start = y * frame.width;
    const k = rows[y] ?? -1;
    if (k < 0) pixels.fill(background, start, start + frame.width);
    else if (y > 0 && k === rows[y - 1]) pixels.copyWithin(start, start - frame.width, start);
    else pixels.set(rowOf(k * diagonals.rowStep, frame.width), start);
  }
}

type RowPixels = (firstSlot: number, width: number) => Uint32Array;

function copiedRow(rgba: Uint32Array, shift: number): RowPixels {
  const backwards = rgba.toReversed();
  return (slot, width) => {
    const start = rgba.length - 1 - slot - shift;
    return backwards.subarray(start, start + width);
  };
}

function gatheredRow(rgba: Uint32Array, { plan, colouring }: PictureFrame, columns: Int32Array): RowPixels {
  const { columnStep, shift } = plan.diagonals;
  const background = packRgba(...parseBackground(colouring));
  const row = new Uint32Array(columns.length);
  return (slot) => {
    for (let x = 0; x < row.length; x++) {
      const l = columns[x] ?? -1;
      row[x] = l < 0 ? background : (rgba[slot + shift - l * columnStep] ?? background);
    }
    return row;
  };
}
