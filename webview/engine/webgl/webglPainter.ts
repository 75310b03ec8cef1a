import type { CellColours } from "../cellColours.ts";
import {
  type ColourDomain,
  colourCurve,
  isByRow,
  packedPalette,
  packRgba,
  parseBackground,
  resolveDomain,
} from "../colouring.ts";
import { diagonalColours } from "../diagonals.ts";
import { cellVisibility } from "../evaluatePlan.ts";
import { computeExtremes } from "../extremes.ts";
import { type Painter, type PaintResult, type PictureFrame, resizeCanvas } from "../painter.ts";
import type { FigurePlan } from "../plan.ts";
import { type SampledGrid, sampleOfPixel } from "../sampledGrid.ts";
import { type Gpu, releaseContext } from "./context.ts";
import { type GpuDomains, readDomain, reduceDomains } from "./domains.ts";
import { type DomainOrigin, pictureShader, profileShader, rgbaShader } from "./pictureShaders.ts";
import { Programs, type UniformBlock, type UniformValue } from "./programs.ts";
import { copyToBuffer, readBuffer, waitForGpu } from "./readBack.ts";
import { valueShader } from "./shaders.ts";
import { paddedListLength, type Texture, Textures } from "./textures.ts";
import { type GpuResources, type UploadedPlan, uploadPlan } from "./uploadedPlan.ts";

/** Paints with WebGL directly onto the canvas. Only the colour domain is read back, and only if it is automatic. */
export class WebglPainter implements Painter {
  readonly canvas: HTMLCanvasElement;
  readonly #gpu: Gpu;
  readonly #resources: GpuResources;
  /** The last colours read back, reused: freshly allocated memory takes longer than reading. */
  #rgba = new Uint32Array();

  constructor(canvas: HTMLCanvasElement, gpu: Gpu) {
    this.canvas = canvas;
    this.#gpu = gpu;
    const buffers: unknown = gpu.gl.getParameter(gpu.gl.MAX_DRAW_BUFFERS);
    this.#resources = {
      gpu,
      programs: new Programs(gpu),
      textures: new Textures(gpu.gl),
      groups: typeof buffers === "number" && buffers >= 8 ? 2 : 1,
    };
  }

  get lost(): boolean {
    return this.#gpu.gl.isContextLost();
  }

  /** Number of textures; constant from frame to frame. */
  get textureCount(): number {
    return this.#resources.textures.count;
  }

  async paint(frame: PictureFrame): Promise<PaintResult> {
    resizeCanvas(this.canvas, frame);
    const domain = this.#paintDiagonals(frame) ?? this.#paintValues(frame);
    return { domain: await domain, by: "webgl" };
  }

  /**
   * Computes packed cell colours for a canvas that is painted without WebGL. Use them at once: the next call overwrites
   * them. Leaves the page's canvas as it is; if the context is lost, the colours are zero.
   */
  async cellColours(frame: PictureFrame): Promise<{ readonly colours: CellColours; readonly domain: ColourDomain }> {
    const { programs, textures, gpu, groups } = this.#resources;
    const { rows, columns } = frame.plan.grid;
    const uploaded = uploadPlan(this.#resources, frame.plan);
    const domains = this.#resolveDomains(frame, uploaded);
    const domainUniforms = toDomainUniforms(domains);
    const size = { width: Math.ceil(columns.count / 4), height: rows.count };
    const target = textures.framebufferFor("words", textures.acquire("words", "rgba32ui", size));
    const curve = colourCurve(frame.colouring);
    programs.run(
      rgbaShader(uploaded.parts, { groups, curve, domainOrigin: domainOrigin(domainUniforms) }),
      target,
      size,
      {
        ...uploaded.uniforms,
        ...domainUniforms,
        steps: packedPalette(frame.colouring.map),
        backgroundWord: Uint32Array.of(packRgba(...parseBackground(frame.colouring))),
      },
    );
    const buffer = copyToBuffer(gpu.gl, target, size, "uint");
    await waitForGpu(gpu.gl);
    const stride = size.width * 4;
    if (this.#rgba.length !== stride * size.height) this.#rgba = new Uint32Array(stride * size.height);
    readBuffer(gpu.gl, buffer, this.#rgba);
    return { colours: { rgba: this.#rgba, stride }, domain: this.#readDomain(domains) };
  }

  pixels(frame: PictureFrame): Promise<ImageData> {
    return Promise.resolve(this.#pixels(frame));
  }

  #pixels(frame: PictureFrame): ImageData {
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

  /** The values of a plan as the GPU computes them: [rows.count][columns.count]. */
  values(plan: FigurePlan): Float32Array {
    const { gl } = this.#gpu;
    const { programs, textures, groups } = this.#resources;
    const { parts, uniforms } = uploadPlan(this.#resources, plan);
    const size = { width: plan.grid.columns.count, height: plan.grid.rows.count };
    const target = textures.framebufferFor("values", textures.acquire("values", "rgba32f", size));
    programs.run(valueShader(parts, groups), target, size, uniforms);
    const texels = new Float32Array(size.width * size.height * 4);
    gl.readPixels(0, 0, size.width, size.height, gl.RGBA, gl.FLOAT, texels);
    return Float32Array.from({ length: size.width * size.height }, (_, n) => texels[n * 4] ?? 0);
  }

  dispose(): void {
    this.#resources.programs.dispose();
    this.#resources.textures.dispose();
    releaseContext(this.#gpu);
    this.canvas.remove();
  }

  /** Paints a picture that is a function of δ alone; returns null for other pictures. */
  #paintDiagonals(frame: PictureFrame): ColourDomain | null {
    const colours = diagonalColours(frame);
    if (colours === null) return null;
    const bytes = new Uint8Array(paddedListLength(colours.rgba.length, 4));
    bytes.set(new Uint8Array(colours.rgba.buffer));
    const { rowStep, columnStep, shift } = frame.plan.diagonals;
    this.#drawToCanvas(frame, profileShader(hasMargins(frame.plan.grid)), {
      steps: [rowStep, columnStep, shift],
      colours: this.#resources.textures.uploadList("colours", "rgba8", bytes, 4),
    });
    return colours.domain;
  }

  async #paintValues(frame: PictureFrame): Promise<ColourDomain> {
    const uploaded = uploadPlan(this.#resources, frame.plan);
    const domains = this.#resolveDomains(frame, uploaded);
    this.#paintUploaded(frame, uploaded, toDomainUniforms(domains));
    if ("all" in domains) await waitForGpu(this.#gpu.gl);
    return this.#readDomain(domains);
  }

  /** The domain, or the GPU buffers that will contain it. */
  #resolveDomains(frame: PictureFrame, uploaded: UploadedPlan): ColourDomain | GpuDomains {
    const { domain: chosen } = frame.colouring;
    const domain = isByRow(frame.colouring) ? null : (chosen ?? this.#cellDomain(frame));
    return domain ?? reduceDomains(this.#resources, uploaded, frame);
  }

  /** Reads the domain after the GPU is done. */
  #readDomain(domains: ColourDomain | GpuDomains): ColourDomain {
    return "all" in domains ? readDomain(this.#gpu, domains) : domains;
  }

  /** The domain of pictures whose cells are already on the CPU; null for others. */
  #cellDomain({ plan, colouring }: PictureFrame): ColourDomain | null {
    const { cells, profile, products, relatives, normalisers } = plan;
    if (cells === null || profile !== null || normalisers !== null || products.length + relatives.length > 0)
      return null;
    return resolveDomain(computeExtremes(cells, cellVisibility(plan), plan.grid.columns.count).all, colouring, false);
  }

  #paintUploaded(frame: PictureFrame, { parts, uniforms }: UploadedPlan, domainUniforms: DomainUniforms): void {
    const text = pictureShader(parts, {
      groups: this.#resources.groups,
      domainOrigin: domainOrigin(domainUniforms),
      curve: colourCurve(frame.colouring),
      margins: hasMargins(frame.plan.grid),
    });
    this.#drawToCanvas(frame, text, { ...uniforms, ...domainUniforms, steps: this.#uploadSteps(frame.colouring.map) });
  }

  #drawToCanvas(frame: PictureFrame, text: string, uniforms: Readonly<Record<string, UniformValue>>): void {
    const { grid } = frame.plan;
    this.#resources.programs.run(text, null, frame, {
      ...uniforms,
      origin: gridOrigin(grid),
      counts: [grid.columns.count, grid.rows.count],
      pixelHeight: frame.height,
      background: parseBackground(frame.colouring).map((c) => c / 255),
    });
  }

  #uploadSteps(map: PictureFrame["colouring"]["map"]): Texture {
    const palette = packedPalette(map);
    const size = { width: palette.length, height: 1 };
    return this.#resources.textures.upload("steps", "rgba8", size, new Uint8Array(palette.buffer));
  }
}

type DomainUniforms =
  | { readonly domain: ColourDomain }
  | { readonly domains: Texture }
  | { readonly Reduced: UniformBlock };

function toDomainUniforms(domains: ColourDomain | GpuDomains): DomainUniforms {
  if (!("all" in domains)) return { domain: domains };
  return domains.rows === null ? { Reduced: domains.all } : { domains: domains.rows };
}

function domainOrigin(uniforms: DomainUniforms): DomainOrigin {
  if ("domain" in uniforms) return "set";
  return "domains" in uniforms ? "rows" : "all";
}

/** Whether some pixels lie outside the matrix. */
function hasMargins({ rows, columns }: SampledGrid): boolean {
  return [rows, columns].some((axis) => sampleOfPixel(axis, 0) < 0 || sampleOfPixel(axis, axis.pixels - 1) < 0);
}

function gridOrigin({ rows, columns }: SampledGrid): number[] {
  return [columns.offset, rows.offset, columns.step, rows.step];
}
