import { BAD_COLOUR, backgroundOf, type Domain, settleDomain, stepOf, stepsOf } from "./colouring.ts";
import { evaluate, visibility } from "./evaluate.ts";
import { extremesOf } from "./extremes.ts";
import { type Axis, sampleAt } from "./grid.ts";
import { type Frame, newCanvas, type Painter, resize } from "./painter.ts";

/** RGBA of a byte triple, as an ImageData's words hold it on every machine that browsers run on. */
function word(r: number, g: number, b: number): number {
  return ((255 << 24) | (b << 16) | (g << 8) | r) >>> 0;
}

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

function samplesOf(axis: Axis): Int32Array {
  return Int32Array.from({ length: axis.pixels }, (_, pixel) => sampleAt(axis, pixel));
}

function paintCells(frame: Frame): { readonly image: ImageData; readonly domain: Domain } {
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

  paint(frame: Frame): Promise<Domain> {
    const { image, domain } = paintCells(frame);
    resize(this.canvas, frame);
    this.canvas.getContext("2d")?.putImageData(image, 0, 0);
    return Promise.resolve(domain);
  }

  pixels(frame: Frame): ImageData {
    return paintCells(frame).image;
  }

  dispose(): void {
    this.canvas.remove();
  }
}
