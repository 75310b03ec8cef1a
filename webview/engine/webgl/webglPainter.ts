import { BAD_COLOUR, backgroundOf, type Domain, settleDomain, stepsOf } from "../colouring.ts";
import { diagonalColours } from "../diagonals.ts";
import { visibility } from "../evaluate.ts";
import { extremesOf } from "../extremes.ts";
import { type Grid, sampleAt } from "../grid.ts";
import { type Frame, type Painted, type Painter, resize } from "../painter.ts";
import type { Plan } from "../plan.ts";
import { type Gpu, giveContext } from "./context.ts";
import { readDomain, reduceDomains } from "./domains.ts";
import { type Block, Programs, type Uniform } from "./programs.ts";
import { BAD_STEP, pictureShader, profileShader, valueShader } from "./shaders.ts";
import { type Stage, stageOf, type Tools } from "./stage.ts";
import { listLength, type Texture, Textures } from "./textures.ts";

/** Paints with WebGL, straight onto the canvas: nothing is read back but, where nobody set one, the domain. */
export class WebglPainter implements Painter {
  readonly canvas: HTMLCanvasElement;
  readonly #gpu: Gpu;
  readonly #tools: Tools;

  constructor(canvas: HTMLCanvasElement, gpu: Gpu) {
    this.canvas = canvas;
    this.#gpu = gpu;
    const buffers: unknown = gpu.gl.getParameter(gpu.gl.MAX_DRAW_BUFFERS);
    this.#tools = {
      gpu,
      programs: new Programs(gpu),
      textures: new Textures(gpu.gl),
      groups: typeof buffers === "number" && buffers >= 8 ? 2 : 1,
    };
  }

  get lost(): boolean {
    return this.#gpu.gl.isContextLost();
  }

  /** Textures held: constant from frame to frame. */
  get textureCount(): number {
    return this.#tools.textures.count;
  }

  async paint(frame: Frame): Promise<Painted> {
    resize(this.canvas, frame);
    const domain = this.#paintDiagonals(frame) ?? this.#paintValues(frame);
    return { domain: await domain, by: "webgl" };
  }

  pixels(frame: Frame): ImageData {
    const { gl } = this.#gpu;
    const { width, height } = frame;
    void this.paint(frame);
    gl.bindFramebuffer(gl.FRAMEBUFFER, null);
    const bytes = new Uint8Array(width * height * 4);
    gl.readPixels(0, 0, width, height, gl.RGBA, gl.UNSIGNED_BYTE, bytes);
    const image = new ImageData(width, height);
    for (let y = 0; y < height; y++) {
      image.data.set(bytes.subarray((height - 1 - y) * width * 4, (height - y) * width * 4), y * width * 4);
    }
    return image;
  }

  /** The values that a plan's picture shows, as the GPU has them: [rows.count][columns.count]. */
  values(plan: Plan): Float32Array {
    const { gl } = this.#gpu;
    const { programs, textures, groups } = this.#tools;
    const { parts, uniforms } = stageOf(this.#tools, plan);
    const size = { width: plan.grid.columns.count, height: plan.grid.rows.count };
    const target = textures.target("values", textures.take("values", "rgba32f", size));
    programs.run(valueShader(parts, groups), target, size, uniforms);
    const texels = new Float32Array(size.width * size.height * 4);
    gl.readPixels(0, 0, size.width, size.height, gl.RGBA, gl.FLOAT, texels);
    return Float32Array.from({ length: size.width * size.height }, (_, n) => texels[n * 4] ?? 0);
  }

  dispose(): void {
    this.#tools.programs.dispose();
    this.#tools.textures.dispose();
    giveContext(this.#gpu);
    this.canvas.remove();
  }

  /** A function of δ and nothing else. null for other pictures. */
  #paintDiagonals(frame: Frame): Domain | null {
    const colours = diagonalColours(frame);
    if (colours === null) return null;
    const bytes = new Uint8Array(listLength(colours.words.length, 4));
    bytes.set(new Uint8Array(colours.words.buffer));
    const { rowStep, columnStep, shift } = frame.plan.diagonals;
    this.#onto(frame, profileShader(hasMargins(frame.plan.grid)), {
      steps: [rowStep, columnStep, shift],
      colours: this.#tools.textures.uploadList("colours", "rgba8", bytes, 4),
    });
    return colours.domain;
  }

  #paintValues(frame: Frame): Domain | Promise<Domain> {
    const { plan, colouring } = frame;
    const stage = stageOf(this.#tools, plan);
    const domain = colouring.scale === "row" ? null : (colouring.domain ?? this.#knownDomain(frame));
    if (domain !== null) {
      this.#paintStage(frame, stage, { domain });
      return domain;
    }
    const domains = reduceDomains(this.#tools, stage, frame);
    this.#paintStage(frame, stage, domains.rows === null ? { Reduced: domains.all } : { domains: domains.rows });
    return readDomain(this.#gpu, domains);
  }

  /** The domain where it costs nothing to find it on the CPU. */
  #knownDomain({ plan, colouring }: Frame): Domain | null {
    const { cells, profile, products, relatives, normalisers } = plan;
    if (cells === null || profile !== null || normalisers !== null || products.length + relatives.length > 0)
      return null;
    return settleDomain(extremesOf(cells, visibility(plan), plan.grid.columns.count).all, colouring, false);
  }

  #paintStage(
    frame: Frame,
    { parts, uniforms }: Stage,
    from: { domain: Domain } | { domains: Texture } | { Reduced: Block },
  ): void {
    const { scale, map } = frame.colouring;
    const text = pictureShader(parts, {
      groups: this.#tools.groups,
      domainFrom: "domain" in from ? "set" : "domains" in from ? "rows" : "all",
      logarithmic: scale === "log",
      margins: hasMargins(frame.plan.grid),
    });
    this.#onto(frame, text, { ...uniforms, ...from, steps: this.#steps(map) });
  }

  #onto(frame: Frame, text: string, uniforms: Readonly<Record<string, Uniform>>): void {
    const { grid } = frame.plan;
    this.#tools.programs.run(text, null, frame, {
      ...uniforms,
      origin: originOf(grid),
      counts: [grid.columns.count, grid.rows.count],
      pixelHeight: frame.height,
      background: backgroundOf(frame.colouring).map((c) => c / 255),
    });
  }

  #steps(map: Frame["colouring"]["map"]): Texture {
    const data = new Uint8Array((BAD_STEP + 1) * 4).fill(255);
    stepsOf(map).forEach((byte, n) => {
      data[Math.floor(n / 3) * 4 + (n % 3)] = byte;
    });
    data.set(BAD_COLOUR, BAD_STEP * 4);
    return this.#tools.textures.upload("steps", "rgba8", { width: BAD_STEP + 1, height: 1 }, data);
  }
}

/** Whether some pixels lie beyond the matrix. */
function hasMargins({ rows, columns }: Grid): boolean {
  return [rows, columns].some((axis) => sampleAt(axis, 0) < 0 || sampleAt(axis, axis.pixels - 1) < 0);
}

function originOf({ rows, columns }: Grid): number[] {
  return [columns.offset, rows.offset, columns.step, rows.step];
}
