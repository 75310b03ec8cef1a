import type { CpuPainter } from "./cpuPainter.ts";
import { diagonalColours } from "./diagonals.ts";
import type { Frame, Painted, Painter } from "./painter.ts";
import type { WebglPainter } from "./webgl/webglPainter.ts";

/**
 * For WebGL that is itself software: shading a million pixels takes it longer than copying a thousand rows, so
 * pictures of one colour a diagonal are painted without it. Everything that computes stays with WebGL.
 */
export class SoftwarePainter implements Painter {
  readonly #webgl: WebglPainter;
  readonly #cpu: CpuPainter;

  constructor(webgl: WebglPainter, cpu: CpuPainter) {
    this.#webgl = webgl;
    this.#cpu = cpu;
  }

  get lost(): boolean {
    return this.#webgl.lost;
  }

  paint(frame: Frame): Promise<Painted> {
    const painter = this.#painterOf(frame);
    this.#cpu.canvas.style.display = painter === this.#cpu ? "" : "none";
    return painter.paint(frame);
  }

  pixels(frame: Frame): ImageData {
    return this.#painterOf(frame).pixels(frame);
  }

  dispose(): void {
    this.#webgl.dispose();
    this.#cpu.dispose();
  }

  #painterOf(frame: Frame): Painter {
    return diagonalColours(frame) === null ? this.#webgl : this.#cpu;
  }
}
