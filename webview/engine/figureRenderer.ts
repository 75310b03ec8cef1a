import { COARSEST, Pace, type Tempo } from "./adaptiveResolution.ts";
import { CpuPainter } from "./cpuPainter.ts";
import { isSampled } from "./grid.ts";
import { type Frame, newCanvas, type Painted, type Painter } from "./painter.ts";
import { type Planned, type Planner, SourcePlanner } from "./planner.ts";
import type { CreateRenderer, Drawn, Mode, Picture, Renderer, RendererOptions, Telling } from "./renderer.ts";
import { SoftwarePainter } from "./softwarePainter.ts";
import { type Gpu, isSoftware, isTaken, takeContext } from "./webgl/context.ts";
import { WebglPainter } from "./webgl/webglPainter.ts";

interface Request {
  readonly picture: Picture;
  readonly telling: Telling;
  readonly resolve: (drawn: Drawn | null) => void;
  readonly reject: (reason: unknown) => void;
}

/** A coarse picture is made even when it is overtaken, or a slider that never rests would show none; up to here. */
const PATIENCE = 100;

/** The frame loop of a figure: which painter, what is asked for, what is on the page. */
export class FigureRenderer implements Renderer {
  readonly #host: HTMLElement;
  readonly #options: RendererOptions;
  readonly #planner: Planner;
  readonly #pace: Tempo;
  #painter: Painter;
  #mode: Mode;
  /** What was asked for last, until its fine picture is on the page. */
  #asked: Request | null = null;
  /** One picture at a time: what is asked of the GPU cannot be taken back. */
  #working = false;
  /** That is a fine one, which nobody waits for once there is a newer request. */
  #finishing = false;
  #frameAsked = 0;
  #restAsked: ReturnType<typeof setTimeout> | undefined;
  #shown: Frame | null = null;
  /** Listeners on the WebGL canvas, and the canvas, for as long as the renderer lives: a lost context may come back. */
  readonly #life = new AbortController();
  #webglCanvas: HTMLCanvasElement | null = null;

  constructor(host: HTMLElement, options: RendererOptions, planner: Planner, pace: Tempo) {
    this.#host = host;
    this.#options = options;
    this.#planner = planner;
    this.#pace = pace;
    [this.#painter, this.#mode] = this.#choose();
    options.onModeChange?.(this.#mode);
  }

  get mode(): Mode {
    return this.#mode;
  }

  draw(picture: Picture, telling: Telling = {}): Promise<Drawn | null> {
    return new Promise((resolve, reject) => {
      this.#asked?.resolve(null);
      this.#asked = { picture, telling, resolve, reject };
      if (this.#finishing) this.#planner.leave();
      this.#pace.ask(performance.now());
      clearTimeout(this.#restAsked);
      this.#next();
    });
  }

  pixels(): Promise<ImageData> {
    if (this.#shown === null) return Promise.reject(new Error("nothing was drawn"));
    return this.#painter.pixels(this.#shown);
  }

  dispose(): void {
    cancelAnimationFrame(this.#frameAsked);
    clearTimeout(this.#restAsked);
    this.#asked?.resolve(null);
    this.#asked = null;
    this.#shown = null;
    this.#life.abort();
    this.#planner.dispose();
    this.#painter.dispose();
    this.#webglCanvas?.remove();
  }

  #next(): void {
    if (this.#asked === null || this.#working || this.#frameAsked !== 0) return;
    this.#frameAsked = requestAnimationFrame(() => {
      this.#frameAsked = 0;
      if (this.#asked !== null) void this.#answer(this.#asked);
    });
  }

  async #answer(request: Request): Promise<void> {
    this.#working = true;
    const coarseness = this.#pace.coarseness(performance.now());
    try {
      this.#finishing = coarseness === 1;
      if (coarseness > 1) await this.#sketch(request, coarseness, PATIENCE);
      else await this.#finish(request);
    } catch (failure) {
      request.reject(failure);
      if (request === this.#asked) this.#asked = null;
    }
    this.#working = false;
    this.#finishing = false;
    if (request !== this.#asked || coarseness === 1) this.#next();
    else this.#restAsked = setTimeout(() => this.#next(), Math.ceil(this.#pace.restsAt() - performance.now()));
  }

  /** The fine picture, after a coarse one where it takes long. */
  async #finish(request: Request): Promise<void> {
    const { picture, telling } = request;
    const began = performance.now();
    const stopped = () => request !== this.#asked;
    if (this.#planner.takesLong(picture)) await this.#sketch(request, COARSEST, 0);
    const { progress = () => undefined } = telling;
    const planned = stopped() ? null : await this.#planner.plan(picture, { progress, stopped });
    const drawn = planned === null || stopped() ? null : await this.#show(planned, began, false);
    const ended = performance.now();
    if (drawn === null) this.#pace.left(ended - began, ended);
    else this.#pace.took(ended - began, ended);
    if (drawn === null || stopped()) return;
    this.#asked = null;
    request.resolve(drawn);
  }

  /** @param patience for this long it goes on although it is overtaken */
  async #sketch(request: Request, coarseness: number, patience: number): Promise<void> {
    const { picture, telling } = request;
    const began = performance.now();
    const stopped = () =>
      this.#life.signal.aborted || (request !== this.#asked && performance.now() - began > patience);
    const width = Math.ceil(picture.width / coarseness);
    const height = Math.ceil(picture.height / coarseness);
    const planned = await this.#planner.plan({ ...picture, width, height }, { progress: null, stopped });
    if (planned === null || stopped()) return;
    telling.coarse?.(await this.#show(planned, began, true));
  }

  async #show({ frame, estimated }: Planned, began: number, coarse: boolean): Promise<Drawn> {
    this.#shown = frame;
    const painted = await this.#paint(frame);
    const milliseconds = performance.now() - began;
    return { ...painted, sampled: isSampled(frame.plan.grid), estimated, coarse, milliseconds };
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
      this.#life.signal.throwIfAborted();
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

export const createRenderer: CreateRenderer = (host, options = {}) =>
  new FigureRenderer(host, options, new SourcePlanner(), new Pace());
