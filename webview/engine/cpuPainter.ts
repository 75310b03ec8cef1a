import { BAD_COLOUR, backgroundOf, type Domain, settleDomain, stepOf, stepsOf } from "./colouring.ts";
import { diagonalColours, paintDiagonals, samplesOf, word } from "./diagonals.ts";
import { evaluate, visibility } from "./evaluate.ts";
import { extremesOf } from "./extremes.ts";
import { type Frame, newCanvas, type Painted, type Painter, resize } from "./painter.ts";

/** Painted where there is no GPU: a canvas in plain memory takes pixels in without one. */
const CONTEXT: CanvasRenderingContext2DSettings = { alpha: false, willReadFrequently: true };

function palette({ colouring }: Frame): { steps: Uint32Array; bad: number; background: number } {
  const table = stepsOf(colouring.map);
  const steps = Uint32Array.from({ length: 256 }, (_, n) =>
    word(table[n * 3] ?? 0, table[n * 3 + 1] ?? 0, table[n * 3 + 2] ?? 0),
  );
  return { steps, bad: word(...BAD_COLOUR), background: word(...backgroundOf(colouring)) };
}

/** Colour of every sample, and the domain of them all. */
function colourCells(frame: Frame): { readonly words: Uint32Array; readonly domain: Domain } {
  const { plan, colouring } = frame;
  const values = evaluate(plan);
  const visible = visibility(plan);
  const columns = plan.grid.columns.count;
  const weights = plan.normalisers !== null;
  const extremes = extremesOf(values, visible, columns);
  const domain = colouring.domain ?? settleDomain(extremes.all, colouring, weights);
  const rowDomains = extremes.rows.map((row) =>
    colouring.scale === "row" ? settleDomain(row, colouring, weights) : domain,
  );
  const { steps, bad, background } = palette(frame);
  const words = Uint32Array.from(values, (value, n) => {
    if (visible[n] === 0) return background;
    const step = stepOf(value, rowDomains[Math.floor(n / columns)] ?? domain, colouring.scale === "log");
    return step < 0 ? bad : (steps[step] ?? bad);
  });
  return { words, domain };
}

interface Image {
  readonly image: ImageData;
  readonly domain: Domain;
}

function paintFrame(frame: Frame): Image {
  const colours = diagonalColours(frame);
  if (colours === null) return paintCells(frame);
  return { image: paintDiagonals(frame, colours), domain: colours.domain };
}

function paintCells(frame: Frame): Image {
  const { words, domain } = colourCells(frame);
  const { background } = palette(frame);
  const rows = samplesOf(frame.plan.grid.rows);
  const columns = samplesOf(frame.plan.grid.columns);
  const count = frame.plan.grid.columns.count;
  const image = new ImageData(frame.width, frame.height);
  const pixels = new Uint32Array(image.data.buffer);
  rows.forEach((k, y) => {
    columns.forEach((l, x) => {
      pixels[y * frame.width + x] = k < 0 || l < 0 ? background : (words[k * count + l] ?? background);
    });
  });
  return { image, domain };
}

/** The same picture without a GPU: float64 values, painted into a 2-D canvas. */
export class CpuPainter implements Painter {
  readonly canvas: HTMLCanvasElement;
  readonly lost = false;

  constructor(host: HTMLElement) {
    this.canvas = newCanvas(host, "cpu");
  }

  async paint(frame: Frame): Promise<Painted> {
    const { image, domain } = paintFrame(frame);
    resize(this.canvas, frame);
    this.canvas.getContext("2d", CONTEXT)?.putImageData(image, 0, 0);
    return { domain, by: "cpu" };
  }

  pixels(frame: Frame): ImageData {
    return paintFrame(frame).image;
  }

  dispose(): void {
    this.canvas.remove();
  }
}
