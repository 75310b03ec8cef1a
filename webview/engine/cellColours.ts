import { backgroundOf, curveOf, type Domain, isByRow, paletteOf, settleDomain, stepsOf, word } from "./colouring.ts";
import { isDirect, samplesOf } from "./diagonals.ts";
import { evaluate, visibility } from "./evaluate.ts";
import { extremesOf } from "./extremes.ts";
import type { Frame, Painting } from "./painter.ts";

/** Pictures whose cells have colours of their own. */

export interface CellColours {
  /** RGBA, row by row. */
  readonly words: Uint32Array;
  /** Words from one row to the next. */
  readonly stride: number;
}

export function cellPainting(frame: Frame): Painting {
  const { colours, domain } = colourCells(frame);
  return { domain, into: (image) => paintCells(frame, colours, image) };
}

/** Colour of every sample, and the domain of them all. */
function colourCells({ plan, colouring }: Frame): { readonly colours: CellColours; readonly domain: Domain } {
  const values = evaluate(plan);
  const visible = visibility(plan);
  const columns = plan.grid.columns.count;
  const weights = plan.normalisers !== null;
  const extremes = extremesOf(values, visible, columns);
  const domain = colouring.domain ?? settleDomain(extremes.all, colouring, weights);
  const rowDomains = extremes.rows.map((row) => (isByRow(colouring) ? settleDomain(row, colouring, weights) : domain));
  const palette = paletteOf(colouring.map);
  const background = word(...backgroundOf(colouring));
  const curve = curveOf(colouring);
  const words = new Uint32Array(values.length).fill(background);
  rowDomains.forEach((own, k) => {
    const stepOf = stepsOf(own, curve);
    for (let n = k * columns; n < (k + 1) * columns; n++) {
      if (visible[n] === 1) words[n] = palette[stepOf(values[n] ?? 0)] ?? background;
    }
  });
  return { colours: { words, stride: columns }, domain };
}

/** Cells → pixels. Rows of one sample are copied. */
export function paintCells(frame: Frame, { words, stride }: CellColours, image: ImageData): void {
  const { plan, colouring, width, height } = frame;
  const { grid } = plan;
  const pixels = new Uint32Array(image.data.buffer);
  const background = word(...backgroundOf(colouring));
  const rows = samplesOf(grid.rows);
  const columns = samplesOf(grid.columns);
  const direct = isDirect(grid.columns);
  for (let y = 0; y < height; y++) {
    const start = y * width;
    const k = rows[y] ?? -1;
    if (k < 0) pixels.fill(background, start, start + width);
    else if (y > 0 && k === rows[y - 1]) pixels.copyWithin(start, start - width, start);
    else if (direct) pixels.set(words.subarray(k * stride, k * stride + width), start);
    else {
      for (let x = 0; x < width; x++) {
        const l = columns[x] ?? -1;
        pixels[start + x] = l < 0 ? background : (words[k * stride + l] ?? background);
      }
    }
  }
}
