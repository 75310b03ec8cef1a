import { cellPainting } from "./cellColours.ts";
import { diagonalPainting } from "./diagonals.ts";
import { type Frame, newCanvas, type Painted, type Painter, type Painting, resize } from "./painter.ts";

/** Painted where there is no GPU: a canvas in plain memory takes pixels in without one. */
const CONTEXT: CanvasRenderingContext2DSettings = { alpha: false, willReadFrequently: true };

const paintingOf = (frame: Frame): Painting => diagonalPainting(frame) ?? cellPainting(frame);

/** The same picture without a GPU: float64 values, painted into a 2-D canvas. */
export class CpuPainter implements Painter {
  readonly canvas: HTMLCanvasElement;
  readonly lost = false;
  /** What was shown last: painting takes a tenth of the time that memory takes which nobody has touched yet. */
  #image: ImageData | null = null;

  constructor(host: HTMLElement) {
    this.canvas = newCanvas(host, "cpu");
  }

  async paint(frame: Frame): Promise<Painted> {
    const painting = paintingOf(frame);
    this.show(frame, painting);
    return { domain: painting.domain, by: "cpu" };
  }

  show({ width, height }: Frame, { into }: Painting): void {
    const fits = this.#image?.width === width && this.#image.height === height;
    const image = fits && this.#image !== null ? this.#image : new ImageData(width, height);
    this.#image = image;
    into(image);
    resize(this.canvas, image);
    this.canvas.getContext("2d", CONTEXT)?.putImageData(image, 0, 0);
  }

  async pixels(frame: Frame): Promise<ImageData> {
    const image = new ImageData(frame.width, frame.height);
    paintingOf(frame).into(image);
    return image;
  }

  dispose(): void {
    this.canvas.remove();
  }
}
