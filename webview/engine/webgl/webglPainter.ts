import type { CellColours } from "../cellColours.ts";
import { backgroundOf, curveOf, type Domain, isByRow, paletteOf, settleDomain, word } from "../colouring.ts";
import { diagonalColours } from "../diagonals.ts";
import { visibility } from "../evaluate.ts";
import { extremesOf } from "../extremes.ts";
import { type Grid, sampleAt } from "../grid.ts";
import { type Frame, type Painted, type Painter, resize } from "../painter.ts";
import type { Plan } from "../plan.ts";
import { type Gpu, giveContext } from "./context.ts";
import { type Domains, reduceDomains, takeDomain } from "./domains.ts";
import { type DomainFrom, pictureShader, profileShader, wordShader } from "./pictureShaders.ts";
import { type Block, Programs, type Uniform } from "./programs.ts";
import { copyToBuffer, finished, takeBuffer } from "./readBack.ts";
import { valueShader } from "./shaders.ts";
import { listLength, type Texture, Textures } from "./textures.ts";
import { type Stage, stageOf, type Tools } from "./uploadedPlan.ts";

/** Paints with WebGL, straight onto the canvas: nothing is read back but, where nobody set one, the domain. */
export class WebglPainter implements Painter {
  readonly canvas: HTMLCanvasElement;
  readonly #gpu: Gpu;
  readonly #tools: Tools;
  /** What was read back last: memory that nobody has touched yet takes longer than reading. */
  #words = new Uint32Array();

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

  /**
   * Colours of the cells for a canvas that is painted without WebGL, to be used at once: the next ones take their
   * place. Nothing that the page shows is touched; when the context is lost on the way, the words are zero.
   */
  async cellColours(frame: Frame): Promise<{ readonly colours: CellColours; readonly domain: Domain }> {
    const { programs, textures, gpu, groups } = this.#tools;
    const { rows, columns } = frame.plan.grid;
    const stage = stageOf(this.#tools, frame.plan);
    const found = this.#domains(frame, stage);
    const from = sourceOf(found);
    const size = { width: Math.ceil(columns.count / 4), height: rows.count };
    const target = textures.target("words", textures.take("words", "rgba32ui", size));
    const curve = curveOf(frame.colouring);
    programs.run(wordShader(stage.parts, { groups, curve, domainFrom: domainFrom(from) }), target, size, {
      ...stage.uniforms,
      ...from,
      steps: paletteOf(frame.colouring.map),
      backgroundWord: Uint32Array.of(word(...backgroundOf(frame.colouring))),
    });
    const buffer = copyToBuffer(gpu.gl, target, size, "uint");
    await finished(gpu.gl);
    const stride = size.width * 4;
    if (this.#words.length !== stride * size.height) this.#words = new Uint32Array(stride * size.height);
    takeBuffer(gpu.gl, buffer, this.#words);
    return { colours: { words: this.#words, stride }, domain: this.#domainOf(found) };
  }

  pixels(frame: Frame): Promise<ImageData> {
    return Promise.resolve(this.#pixels(frame));
  }

  #pixels(frame: Frame): ImageData {
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

  async #paintValues(frame: Frame): Promise<Domain> {
    const stage = stageOf(this.#tools, frame.plan);
    const found = this.#domains(frame, stage);
    this.#paintStage(frame, stage, sourceOf(found));
    if ("all" in found) await finished(this.#gpu.gl);
    return this.#domainOf(found);
  }

  /** The domain, or where the GPU will have it. */
  #domains(frame: Frame, stage: Stage): Domain | Domains {
    const { domain: given } = frame.colouring;
    const known = isByRow(frame.colouring) ? null : (given ?? this.#knownDomain(frame));
    return known ?? reduceDomains(this.#tools, stage, frame);
  }

  /** Once the GPU is finished. */
  #domainOf(found: Domain | Domains): Domain {
    return "all" in found ? takeDomain(this.#gpu, found) : found;
  }

  /** The domain where it costs nothing to find it on the CPU. */
  #knownDomain({ plan, colouring }: Frame): Domain | null {
    const { cells, profile, products, relatives, normalisers } = plan;
    if (cells === null || profile !== null || normalisers !== null || products.length + relatives.length > 0)
      return null;
    return settleDomain(extremesOf(cells, visibility(plan), plan.grid.columns.count).all, colouring, false);
  }

  #paintStage(frame: Frame, { parts, uniforms }: Stage, from: DomainSource): void {
    const text = pictureShader(parts, {
      groups: this.#tools.groups,
      domainFrom: domainFrom(from),
      curve: curveOf(frame.colouring),
      margins: hasMargins(frame.plan.grid),
    });
    this.#onto(frame, text, { ...uniforms, ...from, steps: this.#steps(frame.colouring.map) });
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
    const palette = paletteOf(map);
    const size = { width: palette.length, height: 1 };
    return this.#tools.textures.upload("steps", "rgba8", size, new Uint8Array(palette.buffer));
  }
}

type DomainSource = { readonly domain: Domain } | { readonly domains: Texture } | { readonly Reduced: Block };

function sourceOf(found: Domain | Domains): DomainSource {
  if (!("all" in found)) return { domain: found };
  return found.rows === null ? { Reduced: found.all } : { domains: found.rows };
}

function domainFrom(from: DomainSource): DomainFrom {
  if ("domain" in from) return "set";
  return "domains" in from ? "rows" : "all";
}

/** Whether some pixels lie beyond the matrix. */
function hasMargins({ rows, columns }: Grid): boolean {
  return [rows, columns].some((axis) => sampleAt(axis, 0) < 0 || sampleAt(axis, axis.pixels - 1) < 0);
}

function originOf({ rows, columns }: Grid): number[] {
  return [columns.offset, rows.offset, columns.step, rows.step];
}
