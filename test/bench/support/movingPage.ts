import type { Encoding } from "../../../src/core/encodings/encoding.ts";
import { ENCODINGS } from "../../../src/core/encodings/index.ts";
import { suggestParams } from "../../../src/core/encodings/support/schema.ts";
import { onesContent } from "../../../src/core/terms/content.ts";
import { attentionFromSource } from "../../../webview/engine/attentionSource.ts";
import { ComparisonEngine } from "../../../webview/engine/comparisonEngine.ts";
import { createRenderer } from "../../../webview/engine/figureRenderer.ts";
import type { AttentionSource, FigureSource, PictureRequest, Renderer } from "../../../webview/engine/renderer.ts";

/** Runs in Chromium: the bench of movement, long rows and far positions, with the page's own renderer. */

const SIZE = 1024;
const DIM = 128;
/** The size of one of three pictures in a wide panel. */
const PANE = 400;

type Show = "table" | "logits" | "weights";

let made: { readonly renderer: Renderer; readonly host: HTMLElement } | null = null;

function newHost(size: number): HTMLDivElement {
  const host = document.createElement("div");
  host.style.position = "relative";
  host.style.width = `${size}px`;
  host.style.height = `${size}px`;
  document.body.append(host);
  return host;
}

function theRenderer(): Renderer {
  if (made !== null) return made.renderer;
  const host = newHost(SIZE);
  made = { renderer: createRenderer(host), host };
  return made.renderer;
}

function recipeOf(
  encoding: Encoding,
  length: number,
  given: AttentionSource["params"],
  content: AttentionSource["scene"]["content"],
): AttentionSource {
  return {
    encoding: encoding.id,
    params: suggestParams(encoding, given),
    scene: {
      queryLength: length,
      keyLength: length,
      shift: 0,
      head: 0,
      centre: length - SIZE / 2,
      content,
      inputs: {},
    },
    mask: { causal: true },
  };
}

function sourceOf(recipe: AttentionSource, encoding: Encoding, show: Show): FigureSource | null {
  if (show !== "table") {
    const of = show === "logits" ? ({ of: "logits", hidden: [] } as const) : ({ of: "weights" } as const);
    return { kind: "attention", attention: attentionFromSource(recipe), attentionSource: recipe, show: of };
  }
  // A table does not use its scene's content, but a scene requires one.
  const table = encoding.positionTable?.(recipe.params, { ...recipe.scene, content: onesContent });
  return table === undefined ? null : { kind: "table", rows: table.rows, count: recipe.scene.keyLength };
}

function pictureOf(source: FigureSource, row: number, rows: number): PictureRequest {
  const columns = source.kind === "table" ? source.rows.dim : rows;
  return {
    source,
    viewport: { row, column: source.kind === "table" ? 0 : row, rows, columns },
    colouring: { map: "viridis", scale: "linear", domain: null, background: "#1f1f1f" },
    width: SIZE,
    height: SIZE,
  };
}

function knownEncoding(id: Encoding["id"]): Encoding {
  const found = ENCODINGS.find((encoding) => encoding.id === id);
  if (found === undefined) throw new Error(`no encoding ${id}`);
  return found;
}

function nextFrame(): Promise<number> {
  return new Promise((resolve) => requestAnimationFrame(resolve));
}

/** The n-th picture of a slider that moves the base, over random content: a product, the slowest of all. */
function dragged(n: number): PictureRequest {
  const rope = knownEncoding("rope");
  const recipe = recipeOf(rope, SIZE, { head_dim: DIM, rope_theta: 10_000 + 100 * n }, { seed: 7 });
  const source = sourceOf(recipe, rope, "logits");
  if (source === null) throw new Error("no source");
  return pictureOf(source, 0, SIZE);
}

function gaps(times: readonly number[]): number[] {
  return times.slice(1).map((time, n) => time - (times[n] ?? time));
}

/** Times until the first picture, coarse or fine, and until the fine one. The next request supersedes this one. */
function timed(picture: PictureRequest): { readonly first: Promise<number>; readonly fine: Promise<number> } {
  const began = performance.now();
  const elapsed = () => performance.now() - began;
  let tell: (time: number) => void = () => undefined;
  const coarse = new Promise<number>((resolve) => (tell = resolve));
  const fine = theRenderer()
    .draw(picture, { onCoarse: () => tell(elapsed()) })
    .then(elapsed);
  return { first: Promise.race([coarse, fine]), fine };
}

/** Longer than the pause between requests of one movement. */
function waitForRest(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 200));
}

export const movingBench = {
  /** A slider is dragged for so many frames: gaps between the page's frames, and between pictures on it. */
  async drag(frames: number): Promise<{ frames: number[]; pictures: number[]; fine: number }> {
    const renderer = theRenderer();
    const shown: number[] = [];
    const times: number[] = [];
    let last: Promise<unknown> = Promise.resolve();
    for (let n = 0; n < frames; n++) {
      times.push(await nextFrame());
      last = renderer.draw(dragged(n), { onCoarse: () => shown.push(performance.now()) });
    }
    await last;
    await waitForRest();
    return { frames: gaps(times), pictures: gaps(shown), fine: await timed(dragged(frames)).fine };
  },

  /** The same for a comparison with three pictures: gaps between frames, and between pictures of A − B. */
  async dragCompared(frames: number): Promise<{ frames: number[]; pictures: number[] }> {
    const engine = new ComparisonEngine();
    const [width, height] = [PANE, PANE];
    const renderers = [true, false, false].map((leads) => engine.rendererFactory(leads)(newHost(PANE)));
    const shown: number[] = [];
    const times: number[] = [];
    let last: Promise<unknown> = Promise.resolve();
    for (let n = 0; n < frames; n++) {
      times.push(await nextFrame());
      const { a, b, difference } = engine.sources(dragged(n).source, dragged(0).source, true);
      const asked = [a, b, difference].map((source, at) => {
        const coarse = () => at === 2 && shown.push(performance.now());
        return renderers[at]?.draw({ ...dragged(n), source, width, height }, { onCoarse: coarse });
      });
      last = Promise.all(asked);
    }
    await last;
    for (const renderer of renderers) renderer.dispose();
    engine.release();
    return { frames: gaps(times), pictures: gaps(shown) };
  },

  /** Weights over a million keys: the first picture, and the time from another request to its picture. */
  async longRows(): Promise<{ first: number; left: number }> {
    const rope = knownEncoding("rope");
    const length = 2 ** 20;
    const source = sourceOf(recipeOf(rope, length, { head_dim: DIM }, { seed: 7 }), rope, "weights");
    const other = sourceOf(recipeOf(rope, SIZE, { head_dim: DIM }, "ones"), rope, "logits");
    if (source === null || other === null) throw new Error("no source");
    await waitForRest();
    const began = performance.now();
    let first = Number.NaN;
    let slow: Promise<unknown> = Promise.resolve();
    await new Promise<void>((underWay) => {
      slow = theRenderer().draw(pictureOf(source, 0, length), {
        onCoarse: () => (first = performance.now() - began),
        onProgress: () => underWay(),
      });
    });
    // Any sooner, the two requests would count as one movement, and the second picture would be coarse until it ends.
    await waitForRest();
    const left = await timed(pictureOf(other, 0, SIZE)).fine;
    await slow;
    return { first, left };
  },

  /** Unbounded encodings whose cells are independent. */
  unbounded(): Encoding["id"][] {
    return ENCODINGS.filter(
      (encoding) => encoding.cellsAreIndependent && encoding.domain(suggestParams(encoding, {})).kind === "any",
    ).map(({ id }) => id);
  },

  /** The last 1,024 positions of a sequence; null if the encoding has no such view. */
  async end(id: Encoding["id"], show: Show, length: number): Promise<number | null> {
    const encoding = knownEncoding(id);
    const source = sourceOf(recipeOf(encoding, length, {}, "ones"), encoding, show);
    if (source === null) return null;
    await waitForRest();
    const { first, fine } = timed(pictureOf(source, length - SIZE, SIZE));
    return show === "weights" ? first : fine;
  },
};

export type MovingBench = typeof movingBench;

Object.assign(window, { movingBench });
