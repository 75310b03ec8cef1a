import { logitMatrix } from "../../../src/core/terms/engine.ts";
import type { Attention } from "../../../src/core/terms/term.ts";
import { REST_DELAY_MS } from "../../../webview/engine/adaptiveResolution.ts";
import { ComparisonEngine } from "../../../webview/engine/comparisonEngine.ts";
import { createRenderer } from "../../../webview/engine/figureRenderer.ts";
import type { DrawResult, PictureRequest, Renderer, RenderMode } from "../../../webview/engine/renderer.ts";
import { madeUpAttentions } from "./madeUp.ts";
import { attentionFor, LOGITS, pictureOf, WEIGHTS } from "./pictures.ts";
import { comparePixels, newHost } from "./pixels.ts";

/** The lifecycle of a renderer. */

interface Bench {
  readonly host: HTMLDivElement;
  readonly renderer: Renderer;
  readonly modes: RenderMode[];
  /** Resolves at the n-th mode from now (the first is reported at once). */
  readonly nextMode: () => Promise<RenderMode>;
  readonly end: () => void;
}

function start(prefer: "auto" | "cpu" = "auto"): Bench {
  const host = newHost();
  const modes: RenderMode[] = [];
  let tell: (mode: RenderMode) => void = () => undefined;
  const renderer = createRenderer(host, {
    prefer,
    onModeChange: (mode) => {
      modes.push(mode);
      tell(mode);
    },
  });
  const end = () => {
    renderer.dispose();
    host.remove();
  };
  return { host, renderer, modes, nextMode: () => new Promise((resolve) => (tell = resolve)), end };
}

async function drawn(renderer: Renderer, picture: PictureRequest): Promise<DrawResult> {
  const result = await renderer.draw(picture);
  if (result === null) throw new Error("cancelled");
  return result;
}

const product = () => pictureOf(attentionFor("rope", "random", 45, { causal: true }), LOGITS);

/** Wrong pixels before, during and after the loss, and the modes in between. */
export async function contextLoss() {
  const { host, renderer, modes, nextMode, end } = start();
  const picture = product();
  const wrong = async (result: DrawResult) => comparePixels(picture, result, await renderer.pixels()).wrong;
  const first = await drawn(renderer, picture);
  const counts = [await wrong(first)];
  const gl = host.querySelector("canvas")?.getContext("webgl2");
  const extension = gl?.getExtension("WEBGL_lose_context");
  const lost = nextMode();
  extension?.loseContext();
  await lost;
  // The picture must be restored without a request.
  counts.push(await wrong(first));
  const canvases = [...host.querySelectorAll("canvas")].map((canvas) => canvas.dataset["by"]);
  const during = await drawn(renderer, picture);
  const restored = nextMode();
  extension?.restoreContext();
  await restored;
  counts.push(await wrong(first));
  const after = await drawn(renderer, picture);
  counts.push(await wrong(after));
  end();
  return {
    counts,
    modes,
    canvases,
    by: [first.by, during.by, after.by],
    left: document.querySelectorAll("canvas").length,
  };
}

/** Loses and restores the context repeatedly: who drew in between, and wrong pixels and resources left at the end. */
export async function lossesInARow(times: number) {
  const { host, renderer, modes, nextMode, end } = start();
  const picture = product();
  const extension = host.querySelector("canvas")?.getContext("webgl2")?.getExtension("WEBGL_lose_context");
  const by: string[] = [];
  for (let n = 0; n < times; n++) {
    const lost = nextMode();
    extension?.loseContext();
    await lost;
    by.push((await drawn(renderer, picture)).by);
    const restored = nextMode();
    extension?.restoreContext();
    await restored;
    by.push((await drawn(renderer, picture)).by);
  }
  const { wrong } = comparePixels(picture, await drawn(renderer, picture), await renderer.pixels());
  const canvases = host.querySelectorAll("canvas").length;
  end();
  return { changes: modes.length, by, wrong, canvases, left: document.querySelectorAll("canvas").length };
}

/** A picture requested after the context was lost and before the page is notified. */
export async function lossDuringPicture() {
  const { host, renderer, end } = start();
  await drawn(renderer, product());
  const gl = host.querySelector("canvas")?.getContext("webgl2");
  const asked = renderer.draw(pictureOf(attentionFor("t5_bias", "random", 30), LOGITS));
  gl?.getExtension("WEBGL_lose_context")?.loseContext();
  const result = await asked;
  end();
  return result?.by;
}

export async function oneContext() {
  const first = start();
  const second = start();
  const modes = [first.renderer.mode, second.renderer.mode];
  const drawnBySecond = (await drawn(second.renderer, product())).by;
  const gl = first.host.querySelector("canvas")?.getContext("webgl2");
  first.end();
  const third = start();
  modes.push(third.renderer.mode);
  const result = { modes, drawnBySecond, lost: gl?.isContextLost(), empty: first.host.childElementCount === 0 };
  second.end();
  third.end();
  return result;
}

/** The same host again after dispose, like a panel that was hidden. */
export async function sameHostTwice() {
  const host = newHost();
  const by: string[] = [];
  for (let n = 0; n < 3; n++) {
    const renderer = createRenderer(host);
    by.push((await drawn(renderer, product())).by);
    renderer.dispose();
  }
  host.remove();
  return by;
}

export async function withoutWebgl() {
  const { getContext } = HTMLCanvasElement.prototype;
  // VS Code in a snap, a VM or over remote desktop: there is no WebGL 2.
  HTMLCanvasElement.prototype.getContext = new Proxy(getContext, {
    apply: (target, canvas, args) => (args[0] === "webgl2" ? null : Reflect.apply(target, canvas, args)),
  });
  try {
    const { renderer, modes, end } = start();
    const picture = product();
    const result = await drawn(renderer, picture);
    const { wrong } = comparePixels(picture, result, await renderer.pixels());
    end();
    return { modes, by: result.by, wrong };
  } finally {
    HTMLCanvasElement.prototype.getContext = getContext;
  }
}

export async function coalescing() {
  const { renderer, end } = start("cpu");
  const asked = [1, 2, 3].map((n) => renderer.draw(pictureOf(attentionFor("alibi", "ones", 10 * n), LOGITS)));
  const results = await Promise.all(asked);
  end();
  return results.map((result) => result?.domain ?? null);
}

/** The next picture cancels weights over long rows. */
export async function cancelling() {
  const { renderer, end } = start();
  const attention = madeUpAttentions["products and relatives"];
  if (attention === undefined) throw new Error("no such attention");
  const long = { ...attention, queryLength: 400_000, keyLength: 400_000 };
  const viewport = { row: 200_000, column: 0, rows: 160, columns: 200 };
  const fractions: number[] = [];
  let go: () => void = () => undefined;
  const underWay = new Promise<void>((resolve) => (go = resolve));
  const slow = renderer.draw(pictureOf(long, WEIGHTS, { viewport }), {
    onProgress: (fraction) => {
      fractions.push(fraction);
      if (fractions.length === 3) go();
    },
  });
  await underWay;
  const quick = await renderer.draw(product());
  const rising = fractions.every((fraction, n) => fraction > (fractions[n - 1] ?? 0) && fraction <= 1);
  const cancelled = await slow;
  end();
  return { cancelled, quick: quick?.by, rising };
}

/** Large enough to be slow on any renderer. */
function slowPicture(n: number): PictureRequest {
  const size = { width: 1024, height: 1024 };
  return pictureOf(attentionFor("rope", "random", 1024 + n), LOGITS, size);
}

function nextFrame(): Promise<number> {
  return new Promise((resolve) => requestAnimationFrame(resolve));
}

/** Requests a picture each frame, like a dragged slider, until a coarse one is reported. */
async function dragUntilCoarse(renderer: Renderer) {
  const told: DrawResult[] = [];
  let last: Promise<DrawResult | null> = Promise.resolve(null);
  for (let n = 0; told.length === 0; n++) {
    last = renderer.draw(slowPicture(n), { onCoarse: (sketch) => told.push(sketch) });
    await nextFrame();
  }
  return { told, last };
}

/** Coarse while something moves, fine at rest. */
export async function dragging(prefer: "auto" | "cpu") {
  const { renderer, host, end } = start(prefer);
  const { told, last } = await dragUntilCoarse(renderer);
  const widths = [canvasWidth(host)];
  const fine = await last;
  widths.push(canvasWidth(host));
  end();
  return { coarse: told.map(({ coarse, sampled }) => ({ coarse, sampled })), fine, widths };
}

/** The same for the three pictures of a comparison, until each one was coarse. */
export async function draggingCompared() {
  const engine = new ComparisonEngine();
  const hosts = [newHost(), newHost(), newHost()];
  const renderers = hosts.map((host, n) => engine.rendererFactory(n === 0)(host));
  const coarse = new Set<number>();
  let last: Promise<DrawResult | null>[] = [];
  for (let n = 1; coarse.size < 3; n++) {
    const picture = slowPicture(n);
    const { a, b, difference } = engine.sources(picture.source, slowPicture(0).source, true);
    last = renderers.map((renderer, at) => {
      const source = [a, b, difference][at] ?? a;
      return renderer.draw({ ...picture, source }, { onCoarse: () => coarse.add(at) });
    });
    await nextFrame();
  }
  const fine = await Promise.all(last);
  const widths = hosts.map(canvasWidth);
  for (const renderer of renderers) renderer.dispose();
  for (const host of hosts) host.remove();
  engine.release();
  return { fine, widths };
}

function canvasWidth(host: HTMLElement): number {
  return host.querySelector<HTMLCanvasElement>("canvas[data-by=cpu]")?.width ?? 0;
}

/** A panel hidden while a slider moves: canvas calls from then on. */
export async function hiddenWhileDragging() {
  const { renderer, end } = start();
  const { last } = await dragUntilCoarse(renderer);
  end();
  let calls = 0;
  const watched: readonly object[] = [CanvasRenderingContext2D.prototype, WebGL2RenderingContext.prototype];
  const restore = watched.flatMap((prototype) =>
    ["putImageData", "drawArrays", "drawElements", "texSubImage2D"].map((name) =>
      countCalls(prototype, name, () => calls++),
    ),
  );
  const result = await last;
  // Equal timers fire in the order in which they were set, so the timer of a picture at rest would have fired before.
  await new Promise((resolve) => setTimeout(resolve, REST_DELAY_MS));
  await nextFrame();
  for (const undo of restore) undo();
  return { result, calls };
}

function countCalls(prototype: object, name: string, count: () => void): () => void {
  const original: unknown = Reflect.get(prototype, name);
  if (typeof original !== "function") return () => undefined;
  Reflect.set(
    prototype,
    name,
    new Proxy(original, {
      apply: (target, self, args) => {
        count();
        return Reflect.apply(target, self, args);
      },
    }),
  );
  return () => Reflect.set(prototype, name, original);
}

/** Weights over a million keys: what is reported before the exact picture, and whether another request cancels it. */
export async function millionKeys() {
  const { renderer, end } = start();
  const attention = attentionFor("rope", "random", 2 ** 20, { causal: true });
  const fractions: number[] = [];
  let first: DrawResult | null = null;
  let go: () => void = () => undefined;
  const underWay = new Promise<void>((resolve) => (go = resolve));
  const slow = renderer.draw(pictureOf(attention, WEIGHTS), {
    onCoarse: (sketch) => {
      first ??= sketch;
    },
    onProgress: (fraction) => {
      fractions.push(fraction);
      if (fractions.length === 3) go();
    },
  });
  await underWay;
  const quick = await renderer.draw(product());
  const cancelled = await slow;
  end();
  return { first, cancelled, quick: quick?.by };
}

/** Cells smaller than pixels: every pixel has the colour of a cell within it. */
export async function sampling(prefer: "auto" | "cpu") {
  const { renderer, end } = start(prefer);
  const attention = attentionFor("rope", "ones", 1000);
  const picture = pictureOf(attention, LOGITS, { width: 200, height: 200, colouring: { domain: [-12, 12] } });
  const result = await drawn(renderer, picture);
  const image = await renderer.pixels();
  // Five cells per pixel: every eighth is sampled.
  const indices = Array.from({ length: 125 }, (_, n) => 8 * n);
  const reduced: Attention = { ...attention, queryLength: 125, keyLength: 125 };
  const values = logitMatrix(attention, indices, indices);
  const expected = pictureOf(
    {
      ...reduced,
      terms: [
        {
          kind: "bias",
          id: "sampled",
          role: "position_position",
          name: { en: "sampled", zh: "采样" },
          scale: 1,
          value: (i, j) => values[i * 125 + j] ?? 0,
        },
      ],
    },
    LOGITS,
    { width: 200, height: 200, colouring: { domain: [-12, 12] } },
  );
  const { wrong, first } = comparePixels(expected, result, image);
  end();
  return { sampled: result.sampled, wrong, first };
}

/** Whole sequences of ten million positions, far more than pixels: what the first picture of each view reports. */
export async function zoomedOut(prefer: "auto" | "cpu") {
  const { renderer, end } = start(prefer);
  const length = 10_000_000;
  const logits = attentionFor("alibi", "ones", length, { causal: true });
  const rows = { dim: 64, write: (i: number, out: Float64Array, at: number) => out.fill(Math.sin(i), at, at + 64) };
  const whole = { row: 0, column: 0, rows: length, columns: length };
  const pictures: Readonly<Record<string, PictureRequest>> = {
    table: {
      ...pictureOf(logits, LOGITS, { viewport: { ...whole, columns: 64 } }),
      source: { kind: "table", count: length, rows },
    },
    scores: pictureOf(logits, LOGITS, { viewport: whole }),
    attention: pictureOf(logits, WEIGHTS, { viewport: whole }),
  };
  const said: Record<string, boolean> = {};
  for (const [view, picture] of Object.entries(pictures)) {
    said[view] = await new Promise<boolean>((resolve) => {
      const first = (drawn: DrawResult | null) => drawn !== null && resolve(drawn.sampled);
      void renderer.draw(picture, { onCoarse: first }).then(first);
    });
  }
  end();
  return said;
}

export const lifecycleTests = {
  contextLoss,
  lossesInARow,
  lossDuringPicture,
  oneContext,
  sameHostTwice,
  withoutWebgl,
  coalescing,
  cancelling,
  dragging,
  draggingCompared,
  hiddenWhileDragging,
  millionKeys,
  sampling,
  zoomedOut,
};
