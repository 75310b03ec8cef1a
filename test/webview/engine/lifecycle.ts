import { memory } from "@tensorflow/tfjs-core/dist/base";
import { logitMatrix } from "../../../src/core/terms/engine.ts";
import type { Attention } from "../../../src/core/terms/term.ts";
import { inSlices } from "../../../webview/engine/breathe.ts";
import { planOf } from "../../../webview/engine/gated.ts";
import { axisOf, gridOf } from "../../../webview/engine/grid.ts";
import { createRenderer } from "../../../webview/engine/index.ts";
import { NormaliserClient } from "../../../webview/engine/normaliserClient.ts";
import { normaliserStream } from "../../../webview/engine/normalisers.ts";
import { cook } from "../../../webview/engine/recipe.ts";
import type { Drawn, Mode, Picture, Recipe, Renderer } from "../../../webview/engine/renderer.ts";
import { takeContext } from "../../../webview/engine/webgl/context.ts";
import { WebglPainter } from "../../../webview/engine/webgl/webglPainter.ts";
import { madeUpAttentions } from "./madeUp.ts";
import { attentionFor, LOGITS, pictureOf, WEIGHTS } from "./pictures.ts";
import { comparePixels, newHost } from "./pixels.ts";

/** What happens to a renderer over its life. */

interface Bench {
  readonly host: HTMLDivElement;
  readonly renderer: Renderer;
  readonly modes: Mode[];
  /** Resolves at the n-th mode from now (the first is reported at once). */
  readonly nextMode: () => Promise<Mode>;
  readonly end: () => void;
}

function start(prefer: "auto" | "cpu" = "auto"): Bench {
  const host = newHost();
  const modes: Mode[] = [];
  let tell: (mode: Mode) => void = () => undefined;
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

async function drawn(renderer: Renderer, picture: Picture): Promise<Drawn> {
  const result = await renderer.draw(picture);
  if (result === null) throw new Error("cancelled");
  return result;
}

const product = () => pictureOf(attentionFor("rope", "random", 45, { causal: true }), LOGITS);

/** Wrong pixels before the loss, while it lasts, and after; and the modes on the way. */
export async function contextLoss() {
  const { host, renderer, modes, nextMode, end } = start();
  const picture = product();
  const wrong = async (result: Drawn) => comparePixels(picture, result, await renderer.pixels()).wrong;
  const first = await drawn(renderer, picture);
  const counts = [await wrong(first)];
  const gl = host.querySelector("canvas")?.getContext("webgl2");
  const extension = gl?.getExtension("WEBGL_lose_context");
  const lost = nextMode();
  extension?.loseContext();
  await lost;
  // What stood there must stand there again, without anybody asking.
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

/** A picture that is asked for after the context was lost and before the page is told. */
export async function lossOnTheWay() {
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

/** The same host again after dispose, as a panel that was hidden. */
export async function hostAgain() {
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

/** Weights over long rows are stopped by the next picture. */
export async function cancelling() {
  const { renderer, end } = start();
  const attention = madeUpAttentions["products and relatives"];
  if (attention === undefined) throw new Error("no such attention");
  const long = { ...attention, queryLength: 400_000, keyLength: 400_000 };
  const viewport = { row: 200_000, column: 0, rows: 160, columns: 200 };
  const fractions: number[] = [];
  let go: () => void = () => undefined;
  const underWay = new Promise<void>((resolve) => (go = resolve));
  const slow = renderer.draw(pictureOf(long, WEIGHTS, { viewport }), (fraction) => {
    fractions.push(fraction);
    if (fractions.length === 3) go();
  });
  await underWay;
  const quick = await renderer.draw(product());
  const rising = fractions.every((fraction, n) => fraction > (fractions[n - 1] ?? 0) && fraction <= 1);
  const cancelled = await slow;
  end();
  return { cancelled, quick: quick?.by, rising };
}

const SMALL = { width: 64, height: 64 };

/** Pictures of every kind at changing places and sizes, again and again. */
function* variety(): Generator<{
  attention: Attention;
  weights: boolean;
  row: number;
  rows: number;
  scale: "linear" | "row";
}> {
  const attentions = [
    attentionFor("rope", "ones", 4000),
    attentionFor("rope", "random", 4000, { causal: true }),
    attentionFor("t5_bias", "random", 4000),
    ...["every kind", "products and relatives", "regions by distance", "large column bias"].map((name) => {
      const found = madeUpAttentions[name];
      if (found === undefined) throw new Error(`no attention ${name}`);
      return found;
    }),
  ];
  for (let n = 0; ; n++) {
    const attention = attentions[n % attentions.length];
    if (attention === undefined) return;
    yield { attention, weights: n % 3 === 0, row: n % 50, rows: 20 + (n % 40), scale: n % 5 === 0 ? "row" : "linear" };
  }
}

/** Textures and buffers of WebGL and tensors of tfjs, counted while a painter draws. */
export async function manyDraws(count: number) {
  const canvas = document.createElement("canvas");
  document.body.append(canvas);
  const gpu = takeContext(canvas);
  if (gpu === null) throw new Error("no WebGL 2");
  const alive = { textures: 0, framebuffers: 0, buffers: 0, programs: 0 };
  watch(gpu.gl, alive);
  const painter = new WebglPainter(canvas, gpu);
  const pictures = variety();
  const draw = async () => {
    const next = pictures.next();
    if (next.done === true) throw new Error("no more pictures");
    const { attention, weights, row, rows, scale } = next.value;
    const viewport = { row, column: row, rows, columns: rows };
    const grid = gridOf(viewport, { rows: attention.queryLength, columns: attention.keyLength }, SMALL);
    const slices = { progress: () => undefined, stopped: () => false };
    const normalisers = weights ? await inSlices(normaliserStream(attention, grid.rows), slices) : null;
    const source = { kind: "attention", attention, show: weights ? WEIGHTS : LOGITS } as const;
    const plan = planOf(source, grid, normalisers === null ? {} : { normalisers: normalisers.values });
    const colouring = { map: "viridis", scale, domain: null, background: "#000000" } as const;
    await painter.paint({ plan, colouring, ...SMALL });
  };
  for (let n = 0; n < 700; n++) await draw();
  const before = { ...alive, tensors: memory().numTensors, held: painter.textureCount };
  for (let n = 0; n < count; n++) await draw();
  const after = { ...alive, tensors: memory().numTensors, held: painter.textureCount };
  const error = gpu.gl.getError();
  painter.dispose();
  return { before, after, error, end: { ...alive } };
}

/** Counts what is made and not deleted. */
function watch(
  gl: WebGL2RenderingContext,
  alive: Record<"textures" | "framebuffers" | "buffers" | "programs", number>,
): void {
  const count = (
    make: "createTexture" | "createFramebuffer" | "createBuffer" | "createProgram",
    key: keyof typeof alive,
  ) => {
    const remove = make.replace("create", "delete");
    for (const [name, step] of [
      [make, 1],
      [remove, -1],
    ] as const) {
      const original: unknown = Reflect.get(gl, name);
      if (typeof original !== "function") throw new Error(`no ${name}`);
      Reflect.set(gl, name, (...args: unknown[]) => {
        alive[key] += step;
        return Reflect.apply(original, gl, args);
      });
    }
  };
  count("createTexture", "textures");
  count("createFramebuffer", "framebuffers");
  count("createBuffer", "buffers");
  count("createProgram", "programs");
}

/** A worker and the page itself must find the same normalisers. */
export async function inWorker(recipe: Recipe, first: number, rows: number) {
  const attention = cook(recipe);
  const axis = axisOf(first, rows, attention.queryLength, rows);
  const NativeWorker = window.Worker;
  let workers = 0;
  window.Worker = class extends NativeWorker {
    constructor(url: string | URL) {
      super(url);
      workers++;
    }
  };
  const client = new NormaliserClient();
  const fractions: number[] = [];
  const slices = { progress: (fraction: number) => fractions.push(fraction), stopped: () => false };
  try {
    const far = await client.rows(attention, recipe, axis, slices);
    const again = await client.rows(attention, recipe, axis, slices);
    const here = await inSlices(normaliserStream(attention, axis), { ...slices, progress: () => undefined });
    if (far === null || again === null || here === null) throw new Error("stopped");
    const worst = Math.max(...far.values.map((value, k) => Math.abs(value - (here.values[k] ?? 0))));
    return {
      workers,
      worst,
      same: far.values.every((value, k) => value === again.values[k]),
      progress: fractions.length,
    };
  } finally {
    client.dispose();
    window.Worker = NativeWorker;
  }
}

/** Cells smaller than pixels: every pixel has the colour of a cell within it. */
export async function sampling(prefer: "auto" | "cpu") {
  const { renderer, end } = start(prefer);
  const attention = attentionFor("rope", "ones", 1000);
  const picture = pictureOf(attention, LOGITS, { width: 200, height: 200, colouring: { domain: [-12, 12] } });
  const result = await drawn(renderer, picture);
  const image = await renderer.pixels();
  // Five cells a pixel: every eighth is taken.
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

export const lifecycleTests = {
  contextLoss,
  lossOnTheWay,
  oneContext,
  hostAgain,
  withoutWebgl,
  coalescing,
  cancelling,
  manyDraws,
  inWorker,
  sampling,
};
