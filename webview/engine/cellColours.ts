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
import { isPixelPerSample, samplesOfPixels } from "./diagonals.ts";
import { cellVisibility, evaluatePlan } from "./evaluatePlan.ts";
import { computeExtremes } from "./extremes.ts";
import type { Painting, PictureFrame } from "./painter.ts";

/** Pictures in which each cell has its own colour. */

export interface CellColours {
  /** Packed RGBA, row by row. */
  readonly rgba: Uint32Array;
  /** Numbers from one row to the next. */
  readonly stride: number;
}

export function paintingByCell(frame: PictureFrame): Painting {
  const { colours, domain } = colourCells(frame);
  return { domain, fillImage: (image) => paintCells(frame, colours, image) };
}

/** Colour of every sample, and the domain of them all. */
function colourCells({ plan, colouring }: PictureFrame): {
  readonly colours: CellColours;
  readonly domain: ColourDomain;
} {
  const values = evaluatePlan(plan);
  const visible = cellVisibility(plan);
  const columns = plan.grid.columns.count;
  const weights = plan.normalisers !== null;
  const extremes = computeExtremes(values, visible, columns);
  const domain = colouring.domain ?? resolveDomain(extremes.all, colouring, weights);
  const rowDomains = extremes.rows.map((row) => (isByRow(colouring) ? resolveDomain(row, colouring, weights) : domain));
  const palette = packedPalette(colouring.map);
  const background = packRgba(...parseBackground(colouring));
  const curve = colourCurve(colouring);
  const rgba = new Uint32Array(values.length).fill(background);
  rowDomains.forEach((rowDomain, k) => {
    const stepOf = colourStepper(rowDomain, curve);
    for (let n = k * columns; n < (k + 1) * columns; n++) {
      if (visible[n] === 1) rgba[n] = palette[stepOf(values[n] ?? 0)] ?? background;
    }
  });
  return { colours: { rgba, stride: columns }, domain };
}

/** Cells → pixels. Pixel rows that show the same sample are copied. */
export function paintCells(frame: PictureFrame, { rgba, stride }: CellColours, image: ImageData): void {
  const { plan, colouring, width, height } = frame;
  const { grid } = plan;
  const pixels = new Uint32Array(image.data.buffer);
  const background = packRgba(...parseBackground(colouring));
  const rows = samplesOfPixels(grid.rows);
  const columns = samplesOfPixels(grid.columns);
  const direct = isPixelPerSample(grid.columns);
  for (let y = 0; y < height; y++) {
    const start = y * width;
    const k = rows[y] ?? -1;
    if (k < 0) pixels.fill(background, start, start + width);
    else if (y > 0 && k === rows[y - 1]) pixels.copyWithin(start, start - width, start);
    else if (direct) pixels.set(rgba.subarray(k * stride, k * stride + width), start);
    else {
      for (let x = 0; x < width; x++) {
        const l = columns[x] ?? -1;
        pixels[start + x] = l < 0 ? background : (rgba[k * stride + l] ?? background);
      }
    }
  }
}
