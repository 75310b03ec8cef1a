import { paintCells } from "./cellColours.ts";
import type { CpuPainter } from "./cpuPainter.ts";
import { paintingByDiagonal } from "./diagonals.ts";
import type { Painter, Painting, PaintResult, PictureFrame } from "./painter.ts";
import type { WebglPainter } from "./webgl/webglPainter.ts";

/**
 * For WebGL without a GPU: shading a million pixels takes longer there than copying a thousand rows. WebGL computes
 * only the cells' colours; pixels, and pictures with one colour per diagonal, are painted on the CPU.
 */
export class SoftwarePainter implements Painter {
  readonly #webgl: WebglPainter;
  readonly #cpu: CpuPainter;
  #generation = 0;

  constructor(webgl: WebglPainter, cpu: CpuPainter) {
    this.#webgl = webgl;
    this.#cpu = cpu;
  }

  get lost(): boolean {
    return this.#webgl.lost;
  }

  async paint(frame: PictureFrame): Promise<PaintResult> {
    const generation = ++this.#generation;
    const diagonal = paintingByDiagonal(frame);
    const painting = diagonal ?? (await this.#cells(frame));
    // An older picture that finishes late must not replace a newer one.
    if (generation === this.#generation && !this.lost) this.#cpu.show(frame, painting);
    return { domain: painting.domain, by: diagonal === null ? "webgl" : "cpu" };
  }

  async pixels(frame: PictureFrame): Promise<ImageData> {
    const image = new ImageData(frame.width, frame.height);
    (paintingByDiagonal(frame) ?? (await this.#cells(frame))).fillImage(image);
    return image;
  }

  async #cells(frame: PictureFrame): Promise<Painting> {
    const { colours, domain } = await this.#webgl.cellColours(frame);
    return { domain, fillImage: (image) => paintCells(frame, colours, image) };
  }

  dispose(): void {
    this.#generation++;
    this.#webgl.dispose();
    this.#cpu.dispose();
  }
}
