import { colourCells, paintCells } from "./cellColours.ts";
import type { Domain } from "./colouring.ts";
import { diagonalColours, paintDiagonals } from "./diagonals.ts";
import { type Frame, newCanvas, type Painted, type Painter, resize } from "./painter.ts";

/** Painted where there is no GPU: a canvas in plain memory takes pixels in without one. */
const CONTEXT: CanvasRenderingContext2DSettings = { alpha: false, willReadFrequently: true };

interface Image {
  readonly image: ImageData;
  readonly domain: Domain;
}

function paintFrame(frame: Frame): Image {
  const diagonal = diagonalColours(frame);
  if (diagonal !== null) return { image: paintDiagonals(frame, diagonal), domain: diagonal.domain };
  const { colours, domain } = colourCells(frame);
  return { image: paintCells(frame, colours), domain };
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
    this.show(image);
    return { domain, by: "cpu" };
  }

  show(image: ImageData): void {
    resize(this.canvas, image);
    this.canvas.getContext("2d", CONTEXT)?.putImageData(image, 0, 0);
  }

  pixels(frame: Frame): Promise<ImageData> {
    return Promise.resolve(paintFrame(frame).image);
  }

  dispose(): void {
    this.canvas.remove();
  }
}
