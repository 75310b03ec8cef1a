import { CpuPainter } from "./cpuPainter.ts";
import { extentOf, planOf } from "./gated.ts";
import { gridOf, isSampled } from "./grid.ts";
import { NormaliserClient } from "./normaliserClient.ts";
import { type Frame, newCanvas, type Painted, type Painter } from "./painter.ts";
import type { CreateRenderer, Drawn, Mode, Picture, Renderer, RendererOptions } from "./renderer.ts";
import { SoftwarePainter } from "./softwarePainter.ts";
import { type Gpu, isSoftware, isTaken, takeContext } from "./webgl/context.ts";
import { WebglPainter } from "./webgl/webglPainter.ts";

interface Request {
  readonly picture: Picture;
  readonly progress: (fraction: number) => void;
  readonly resolve: (drawn: Drawn | null) => void;
  readonly reject: (reason: unknown) => void;
}

/** The frame loop of a figure: which painter, what is asked for, what is on the page. */
class FigureRenderer implements Renderer {
  readonly #host: HTMLElement;
  readonly #options: RendererOptions;
  readonly #normalisers = new NormaliserClient();
  #painter: Painter;
  #mode: Mode;
  #waiting: Request | null = null;
  #frameAsked = 0;
  #generation = 0;
  #shown: Frame | null = null;
  /** Listeners on the WebGL canvas, and the canvas, for as long as the renderer lives: a lost context may come back. */
  readonly #life = new AbortController();
  #webglCanvas: HTMLCanvasElement | null = null;

  constructor(host: HTMLElement, options: RendererOptions) {
    this.#host = host;
    this.#options = options;
    [this.#painter, this.#mode] = this.#choose();
    options.onModeChange?.(this.#mode);
  }

  get mode(): Mode {
    return this.#mode;
  }

  draw(picture: Picture, progress: (fraction: number) => void = () => undefined): Promise<Drawn | null> {
    return new Promise((resolve, reject) => {
      this.#waiting?.resolve(null);
      this.#waiting = { picture, progress, resolve, reject };
      this.#generation++;
      if (this.#frameAsked === 0) this.#frameAsked = requestAnimationFrame(() => this.#onFrame());
    });
  }

  pixels(): Promise<ImageData> {
    if (this.#shown === null) return Promise.reject(new Error("nothing was drawn"));
    return this.#painter.pixels(this.#shown);
  }

  dispose(): void {
    this.#generation++;
    cancelAnimationFrame(this.#frameAsked);
    this.#waiting?.resolve(null);
    this.#waiting = null;
    this.#shown = null;
    this.#life.abort();
    this.#normalisers.dispose();
    this.#painter.dispose();
    this.#webglCanvas?.remove();
  }

  #onFrame(): void {
    this.#frameAsked = 0;
    const request = this.#waiting;
    this.#waiting = null;
    if (request === null) return;
    this.#answer(request).then(request.resolve, request.reject);
  }

  async #answer({ picture, progress }: Request): Promise<Drawn | null> {
    const generation = this.#generation;
    const began = performance.now();
    const planned = await this.#plan(picture, progress, () => generation !== this.#generation);
    if (planned === null || generation !== this.#generation) return null;
    const { frame, estimated } = planned;
    this.#shown = frame;
    const painted = await this.#paint(frame);
    if (generation !== this.#generation) return null;
    return {
      ...painted,
      sampled: isSampled(frame.plan.grid),
      estimated,
      milliseconds: performance.now() - began,
    };
  }

  /** With the painter that there is; again, when it was lost on the way. */
  async #paint(frame: Frame): Promise<Painted> {
    for (;;) {
      const painter = this.#painter;
      try {
        const painted = await painter.paint(frame);
        if (painter === this.#painter && !painter.lost) return painted;
      } catch (failure) {
        if (painter === this.#painter && !painter.lost) throw failure;
      }
      // A lost context draws nothing and says nothing; the page may be told later.
      this.#onLost(painter);
    }
  }

  #whenLost(event: Event): void {
    // Without this the browser never gives the context back.
    event.preventDefault();
    if (this.#mode.by === "webgl") this.#onLost(this.#painter);
  }

  #onLost(painter: Painter): void {
    if (painter !== this.#painter) return;
    painter.dispose();
    this.#use(new CpuPainter(this.#host), { by: "cpu", reason: "context-lost" });
  }

  #onRestored(canvas: HTMLCanvasElement): void {
    const gpu = isTaken() ? null : takeContext(canvas);
    if (gpu === null) return;
    this.#painter.dispose();
    this.#host.append(canvas);
    this.#use(webglPainter(this.#host, canvas, gpu), { by: "webgl" });
  }

  #use(painter: Painter, mode: Mode): void {
    this.#painter = painter;
    this.#mode = mode;
    this.#options.onModeChange?.(mode);
    // What fails here failed for the request that asked for it, or the context is lost once more.
    if (this.#shown !== null) painter.paint(this.#shown).catch(() => undefined);
  }

  async #plan(picture: Picture, progress: (fraction: number) => void, stopped: () => boolean) {
    const { source, viewport, colouring, width, height } = picture;
    const grid = gridOf(viewport, extentOf(source), { width, height });
    if (source.kind === "table" || source.show.of !== "weights") {
      return { frame: { plan: planOf(source, grid), colouring, width, height }, estimated: false };
    }
    const { attention, recipe } = source;
    const rows = await this.#normalisers.rows(attention, recipe, grid.rows, { progress, stopped });
    if (rows === null) return null;
    const plan = planOf(source, grid, { normalisers: rows.values });
    return { frame: { plan, colouring, width, height }, estimated: rows.estimated };
  }

  #choose(): [Painter, Mode] {
    const cpu = (reason: Extract<Mode, { by: "cpu" }>["reason"]): [Painter, Mode] => [
      new CpuPainter(this.#host),
      { by: "cpu", reason },
    ];
    if (this.#options.prefer === "cpu") return cpu("asked");
    if (isTaken()) return cpu("busy");
    const canvas = newCanvas(this.#host, "webgl");
    const gpu = takeContext(canvas);
    if (gpu === null) {
      canvas.remove();
      return cpu("no-webgl2");
    }
    const { signal } = this.#life;
    canvas.addEventListener("webglcontextlost", (event) => this.#whenLost(event), { signal });
    canvas.addEventListener("webglcontextrestored", () => this.#onRestored(canvas), { signal });
    this.#webglCanvas = canvas;
    return [webglPainter(this.#host, canvas, gpu), { by: "webgl" }];
  }
}

/** The painter for a context, by what stands behind it. */
export function webglPainter(host: HTMLElement, canvas: HTMLCanvasElement, gpu: Gpu): Painter {
  const webgl = new WebglPainter(canvas, gpu);
  return isSoftware(gpu) ? new SoftwarePainter(webgl, new CpuPainter(host)) : webgl;
}

export const createRenderer: CreateRenderer = (host, options = {}) => new FigureRenderer(host, options);
