import { paintingByCell } from "./cellColours.ts";
import { paintingByDiagonal } from "./diagonals.ts";
import {
  createCanvas,
  type Painter,
  type Painting,
  type PaintResult,
  type PictureFrame,
  resizeCanvas,
} from "./painter.ts";

/** A canvas in plain memory, because there is no GPU to copy the pixels to. */
const CONTEXT_SETTINGS: CanvasRenderingContext2DSettings = { alpha: false, willReadFrequently: true };

const createPainting = (frame: PictureFrame): Painting => paintingByDiagonal(frame) ?? paintingByCell(frame);

/** Paints float64 values into a 2-D canvas, without a GPU. */
export class CpuPainter implements Painter {
  readonly canvas: HTMLCanvasElement;
  readonly lost = false;
  /** The last image, reused: painting into it takes a tenth of the time that freshly allocated memory takes. */
  #image: ImageData | null = null;

  constructor(host: HTMLElement) {
    this.canvas = createCanvas(host, "cpu");
  }

  async paint(frame: PictureFrame): Promise<PaintResult> {
    const painting = createPainting(frame);
    this.show(frame, painting);
    return { domain: painting.domain, by: "cpu" };
  }

  show({ width, height }: PictureFrame, { fillImage }: Painting): void {
    const fits = this.#image?.width === width && this.#image.height === height;
    const image = fits && this.#image !== null ? this.#image : new ImageData(width, height);
    this.#image = image;
    fillImage(image);
    resizeCanvas(this.canvas, image);
    this.canvas.getContext("2d", CONTEXT_SETTINGS)?.putImageData(image, 0, 0);
  }

  async pixels(frame: PictureFrame): Promise<ImageData> {
    const image = new ImageData(frame.width, frame.height);
    createPainting(frame).fillImage(image);
    return image;
  }

  dispose(): void {
    this.canvas.remove();
  }
}
