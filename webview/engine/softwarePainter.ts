import { paintCells } from "./cellColours.ts";
import type { CpuPainter } from "./cpuPainter.ts";
import { diagonalPainting } from "./diagonals.ts";
import type { Frame, Painted, Painter, Painting } from "./painter.ts";
import type { WebglPainter } from "./webgl/webglPainter.ts";

/**
 * For WebGL that is itself software: shading a million pixels takes it longer than copying a thousand rows, and what
 * it computes is in plain memory already. It computes the cells' colours; their pixels are painted without it, and
 * pictures of one colour a diagonal altogether so.
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

  async paint(frame: Frame): Promise<Painted> {
    const generation = ++this.#generation;
    const diagonal = diagonalPainting(frame);
    const painting = diagonal ?? (await this.#cells(frame));
    // Two pictures on the way must not end in the order in which they are heard of.
    if (generation === this.#generation && !this.lost) this.#cpu.show(frame, painting);
    return { domain: painting.domain, by: diagonal === null ? "webgl" : "cpu" };
  }

  async pixels(frame: Frame): Promise<ImageData> {
    const image = new ImageData(frame.width, frame.height);
    (diagonalPainting(frame) ?? (await this.#cells(frame))).into(image);
    return image;
  }

  async #cells(frame: Frame): Promise<Painting> {
    const { colours, domain } = await this.#webgl.cellColours(frame);
    return { domain, into: (image) => paintCells(frame, colours, image) };
  }

  dispose(): void {
    this.#generation++;
    this.#webgl.dispose();
    this.#cpu.dispose();
  }
}
