import { AdaptiveResolution, MAX_COARSENESS, type ResolutionControl } from "./adaptiveResolution.ts";
import { CpuPainter } from "./cpuPainter.ts";
import { createCanvas, type Painter, type PaintResult, type PictureFrame } from "./painter.ts";
import { type FramePlanner, type PlanResult, SourcePlanner } from "./planner.ts";
import type {
  CreateRenderer,
  DrawCallbacks,
  DrawResult,
  PictureRequest,
  Renderer,
  RendererOptions,
  RenderMode,
} from "./renderer.ts";
import { isSampled } from "./sampledGrid.ts";
import { SoftwarePainter } from "./softwarePainter.ts";
import { acquireContext, type Gpu, isSoftwareRenderer } from "./webgl/context.ts";
import { WebglPainter } from "./webgl/webglPainter.ts";

interface PendingDraw {
  readonly picture: PictureRequest;
  readonly callbacks: DrawCallbacks;
  readonly resolve: (drawResult: DrawResult | null) => void;
  readonly reject: (reason: unknown) => void;
}

/**
 * A coarse picture is finished even if a newer request arrives within this time; otherwise a slider in constant motion
 * would show none.
 */
const COARSE_GRACE_MS = 100;

/** The frame loop of a figure: chooses the painter, coalesces requests and presents pictures. */
export class FigureRenderer implements Renderer {
  readonly #host: HTMLElement;
  readonly #options: RendererOptions;
  readonly #planner: FramePlanner;
  readonly #resolution: ResolutionControl;
  #painter: Painter;
  #mode: RenderMode;
  /** The latest request, until its fine picture is shown. */
  #pending: PendingDraw | null = null;
  /** One picture at a time, because work submitted to the GPU cannot be cancelled. */
  #busy = false;
  /** The current picture is a fine one, which is useless once there is a newer request. */
  #drawingFine = false;
  #frameHandle = 0;
  #settleTimer: ReturnType<typeof setTimeout> | undefined;
  #shownFrame: PictureFrame | null = null;
  /**
   * Ends the listeners on the WebGL canvas. Listeners and canvas live as long as the renderer, because a lost context
   * can be restored.
   */
  readonly #lifetime = new AbortController();
  #webglCanvas: HTMLCanvasElement | null = null;

  constructor(host: HTMLElement, options: RendererOptions, planner: FramePlanner, resolution: ResolutionControl) {
    this.#host = host;
    this.#options = options;
    this.#planner = planner;
    this.#resolution = resolution;
    [this.#painter, this.#mode] = this.#choosePainter();
    options.onModeChange?.(this.#mode);
  }

  get mode(): RenderMode {
    return this.#mode;
  }

  draw(picture: PictureRequest, callbacks: DrawCallbacks = {}): Promise<DrawResult | null> {
    return new Promise((resolve, reject) => {
      this.#pending?.resolve(null);
      this.#pending = { picture, callbacks, resolve, reject };
      if (this.#drawingFine) this.#planner.cancel();
      this.#resolution.recordRequest(performance.now());
      clearTimeout(this.#settleTimer);
      this.#scheduleFrame();
    });
  }

  pixels(): Promise<ImageData> {
    if (this.#shownFrame === null) return Promise.reject(new Error("nothing was drawn"));
    return this.#painter.pixels(this.#shownFrame);
  }

  dispose(): void {
    cancelAnimationFrame(this.#frameHandle);
    clearTimeout(this.#settleTimer);
    this.#pending?.resolve(null);
    this.#pending = null;
    this.#shownFrame = null;
    this.#lifetime.abort();
    this.#planner.dispose();
    this.#painter.dispose();
    this.#webglCanvas?.remove();
  }

  #scheduleFrame(): void {
    if (this.#pending === null || this.#busy || this.#frameHandle !== 0) return;
    this.#frameHandle = requestAnimationFrame(() => {
      this.#frameHandle = 0;
      if (this.#pending !== null) void this.#process(this.#pending);
    });
  }

  async #process(request: PendingDraw): Promise<void> {
    this.#busy = true;
    const coarseness = this.#resolution.coarseness(performance.now());
    try {
      this.#drawingFine = coarseness === 1;
      if (coarseness > 1) await this.#drawCoarse(request, coarseness, COARSE_GRACE_MS);
      else await this.#drawFine(request);
    } catch (failure) {
      request.reject(failure);
      if (request === this.#pending) this.#pending = null;
    }
    this.#busy = false;
    this.#drawingFine = false;
    if (request !== this.#pending || coarseness === 1) this.#scheduleFrame();
    else
      this.#settleTimer = setTimeout(
        () => this.#scheduleFrame(),
        Math.ceil(this.#resolution.settlesAt() - performance.now()),
      );
  }

  /** Draws the fine picture, preceded by a coarse one if it takes long. */
  async #drawFine(request: PendingDraw): Promise<void> {
    const { picture, callbacks } = request;
    const began = performance.now();
    const stopped = () => request !== this.#pending;
    if (this.#planner.takesLong(picture)) await this.#drawCoarse(request, MAX_COARSENESS, 0);
    const { onProgress = () => undefined } = callbacks;
    const planned = stopped() ? null : await this.#planner.plan(picture, { progress: onProgress, stopped });
    const drawResult = planned === null || stopped() ? null : await this.#present(planned, began, false);
    const ended = performance.now();
    if (drawResult === null) this.#resolution.recordCancelled(ended - began, ended);
    else this.#resolution.recordFrame(ended - began, ended);
    if (drawResult === null || stopped()) return;
    this.#pending = null;
    request.resolve(drawResult);
  }

  /** @param graceMs keeps drawing for this long although a newer request has arrived */
  async #drawCoarse(request: PendingDraw, coarseness: number, graceMs: number): Promise<void> {
    const { picture, callbacks } = request;
    const began = performance.now();
    const stopped = () =>
      this.#lifetime.signal.aborted || (request !== this.#pending && performance.now() - began > graceMs);
    const width = Math.ceil(picture.width / coarseness);
    const height = Math.ceil(picture.height / coarseness);
    const planned = await this.#planner.plan({ ...picture, width, height }, { progress: null, stopped });
    if (planned === null || stopped()) return;
    callbacks.onCoarse?.(await this.#present(planned, began, true));
  }

  async #present({ frame, estimated }: PlanResult, began: number, coarse: boolean): Promise<DrawResult> {
    this.#shownFrame = frame;
    const painted = await this.#paint(frame);
    const milliseconds = performance.now() - began;
    return { ...painted, sampled: isSampled(frame.plan.grid), estimated, coarse, milliseconds };
  }

  /** Paints, and paints again with another painter if the context was lost meanwhile. */
  async #paint(frame: PictureFrame): Promise<PaintResult> {
    for (;;) {
      const painter = this.#painter;
      try {
        const painted = await painter.paint(frame);
        if (painter === this.#painter && !painter.lost) return painted;
      } catch (failure) {
        if (painter === this.#painter && !painter.lost) throw failure;
      }
      this.#lifetime.signal.throwIfAborted();
      // A lost context fails silently, and its event may come later.
      this.#replaceLost(painter);
    }
  }

  #onContextLost(event: Event): void {
    // Without this the browser never restores the context.
    event.preventDefault();
    if (this.#mode.by === "webgl") this.#replaceLost(this.#painter);
  }

  #replaceLost(painter: Painter): void {
    if (painter !== this.#painter) return;
    painter.dispose();
    this.#switchPainter(new CpuPainter(this.#host), { by: "cpu", reason: "context-lost" });
  }

  #onRestored(canvas: HTMLCanvasElement): void {
    const gpu = acquireContext(canvas);
    if ("reason" in gpu) return;
    this.#painter.dispose();
    this.#host.append(canvas);
    this.#switchPainter(createWebglPainter(this.#host, canvas, gpu), { by: "webgl" });
  }

  #switchPainter(painter: Painter, mode: RenderMode): void {
    this.#painter = painter;
    this.#mode = mode;
    this.#options.onModeChange?.(mode);
    // A failure here was already reported for its request, or the context was lost again.
    if (this.#shownFrame !== null) painter.paint(this.#shownFrame).catch(() => undefined);
  }

  #choosePainter(): [Painter, RenderMode] {
    const cpu = (reason: Extract<RenderMode, { by: "cpu" }>["reason"]): [Painter, RenderMode] => [
      new CpuPainter(this.#host),
      { by: "cpu", reason },
    ];
    if (this.#options.prefer === "cpu") return cpu("asked");
    const canvas = createCanvas(this.#host, "webgl");
    const gpu = acquireContext(canvas);
    if ("reason" in gpu) {
      canvas.remove();
      return cpu(gpu.reason);
    }
    const { signal } = this.#lifetime;
    canvas.addEventListener("webglcontextlost", (event) => this.#onContextLost(event), { signal });
    canvas.addEventListener("webglcontextrestored", () => this.#onRestored(canvas), { signal });
    this.#webglCanvas = canvas;
    return [createWebglPainter(this.#host, canvas, gpu), { by: "webgl" }];
  }
}

/** The painter for a context: with software WebGL, pixels are painted on the CPU. */
export function createWebglPainter(host: HTMLElement, canvas: HTMLCanvasElement, gpu: Gpu): Painter {
  const webgl = new WebglPainter(canvas, gpu);
  return isSoftwareRenderer(gpu) ? new SoftwarePainter(webgl, new CpuPainter(host)) : webgl;
}

export const createRenderer: CreateRenderer = (host, options = {}) =>
  new FigureRenderer(host, options, new SourcePlanner(), new AdaptiveResolution());
