import { type Domain, settleDomain } from "./colouring.ts";
import { CpuPainter } from "./cpuPainter.ts";
import { evaluate, visibility } from "./evaluate.ts";
import { extremesOf } from "./extremes.ts";
import { extentOf, planOf } from "./gated.ts";
import { type Grid, gridOf, isSampled } from "./grid.ts";
import { NormaliserClient } from "./normaliserClient.ts";
import type { Frame } from "./painter.ts";
import type { Plan } from "./plan.ts";
import type { Colouring, CreateRenderer, Drawn, Picture, Renderer, Source, Telling } from "./renderer.ts";

/** The three pictures of a comparison, as sources that only this engine's renderers can draw. */
export interface ComparedSources {
  readonly a: Source;
  readonly b: Source;
  readonly difference: Source;
}

type Part = keyof ComparedSources;

/** Cells of both sides on one grid, in float64, and what they have in common. */
interface Evaluated {
  readonly plan: Plan;
  readonly values: Readonly<Record<Part, Float64Array>>;
  /** Smallest and largest visible value that each picture's colours span. */
  readonly extremes: Readonly<Record<Part, Domain>>;
  readonly weights: boolean;
  readonly estimated: boolean;
}

interface Pair {
  readonly a: Source;
  readonly b: Source;
  /** Equal colours are equal numbers on both sides. */
  readonly shared: boolean;
  /** By grid: the three pictures of one size are evaluated once. */
  readonly known: Map<string, Promise<Evaluated | null>>;
}

/** Grids that are kept: that of the page, and one of an export. */
const KEPT = 2;

type FrameOf = (picture: Picture, progress: (fraction: number) => void) => Promise<Framed | null>;

function gridKey({ viewport, width, height }: Picture): string {
  return JSON.stringify([viewport.row, viewport.column, viewport.rows, viewport.columns, width, height]);
}

function subtract(a: Float64Array, b: Float64Array): Float64Array {
  // The same infinity on both sides is no difference.
  return a.map((value, n) => (value === b[n] ? 0 : value - (b[n] ?? Number.NaN)));
}

function union(a: Domain, b: Domain): Domain {
  return [Math.min(a[0], b[0]), Math.max(a[1], b[1])];
}

/**
 * Draws two sources and their difference on the CPU: each is evaluated once on one grid, and the two sides can share
 * their colours' domain, so that equal colours are equal numbers.
 */
export class ComparisonEngine {
  #clients = { a: new NormaliserClient(), b: new NormaliserClient() };
  #queue: Promise<unknown> = Promise.resolve();
  readonly #pairs = new WeakMap<Source, { readonly pair: Pair; readonly part: Part }>();

  /** New sources for a pair; they are other objects whenever either side is another one. */
  sources(a: Source, b: Source, shared: boolean): ComparedSources {
    const pair: Pair = { a, b, shared, known: new Map() };
    const known = (part: Part, source: Source): Source => {
      const own = { ...source };
      this.#pairs.set(own, { pair, part });
      return own;
    };
    return { a: known("a", a), b: known("b", b), difference: known("difference", a) };
  }

  readonly create: CreateRenderer = (host, options = {}) => {
    options.onModeChange?.({ by: "cpu", reason: "asked" });
    return new ComparisonRenderer(host, (picture, progress) => this.#frame(picture, progress));
  };

  /** Ends what goes on and gives the workers back. */
  release(): void {
    this.#clients.a.dispose();
    this.#clients.b.dispose();
    this.#clients = { a: new NormaliserClient(), b: new NormaliserClient() };
  }

  async #frame(picture: Picture, progress: (fraction: number) => void): Promise<Framed | null> {
    const known = this.#pairs.get(picture.source);
    if (known === undefined) throw new Error("this source belongs to no comparison");
    const evaluated = await this.#evaluated(known.pair, picture, progress);
    if (evaluated === null) return null;
    return { frame: frameOf(evaluated, known.part, picture), evaluated };
  }

  #evaluated(pair: Pair, picture: Picture, progress: (fraction: number) => void): Promise<Evaluated | null> {
    const key = gridKey(picture);
    const known = pair.known.get(key);
    if (known !== undefined) return known;
    const stopped = () => !pair.known.has(key);
    // One after another: a client of normalisers gives up the older of two requests.
    const evaluated = this.#queue.then(() => (stopped() ? null : this.#evaluate(pair, picture, { progress, stopped })));
    const forget = () => pair.known.delete(key);
    this.#queue = evaluated.then((result) => result ?? forget(), forget);
    pair.known.set(key, evaluated);
    for (const oldest of pair.known.keys()) {
      if (pair.known.size <= KEPT) break;
      pair.known.delete(oldest);
    }
    return evaluated;
  }

  async #evaluate(
    { a, b, shared }: Pair,
    { viewport, width, height }: Picture,
    slices: { readonly progress: (fraction: number) => void; readonly stopped: () => boolean },
  ): Promise<Evaluated | null> {
    const grid = gridOf(viewport, extentOf(a), { width, height });
    const half = (from: number) => (fraction: number) => slices.progress(from + fraction / 2);
    const own = await this.#plan("a", a, grid, { ...slices, progress: half(0) });
    const other = own === null ? null : await this.#plan("b", b, grid, { ...slices, progress: half(0.5) });
    if (own === null || other === null) return null;
    const values = { a: evaluate(own.plan), b: evaluate(other.plan) };
    const difference = subtract(values.a, values.b);
    const visible = visibility(own.plan);
    const extremes = (cells: Float64Array) => extremesOf(cells, visible, grid.columns.count).all;
    const [ofA, ofB] = [extremes(values.a), extremes(values.b)];
    const sides = shared ? { a: union(ofA, ofB), b: union(ofA, ofB) } : { a: ofA, b: ofB };
    return {
      plan: own.plan,
      values: { ...values, difference },
      extremes: { ...sides, difference: extremes(difference) },
      weights: own.plan.normalisers !== null,
      estimated: own.estimated || other.estimated,
    };
  }

  async #plan(
    side: "a" | "b",
    source: Source,
    grid: Grid,
    slices: { readonly progress: (fraction: number) => void; readonly stopped: () => boolean },
  ): Promise<{ plan: Plan; estimated: boolean } | null> {
    if (source.kind === "table" || source.show.of !== "weights")
      return { plan: planOf(source, grid), estimated: false };
    const rows = await this.#clients[side].rows(source.attention, source.recipe, grid.rows, slices);
    return rows === null
      ? null
      : { plan: planOf(source, grid, { normalisers: rows.values }), estimated: rows.estimated };
  }
}

interface Framed {
  readonly frame: Frame;
  readonly evaluated: Evaluated;
}

function domainOf({ extremes, weights }: Evaluated, part: Part, colouring: Colouring): Domain {
  if (part === "difference") return settleDomain(extremes.difference, colouring, false);
  return colouring.domain ?? settleDomain(extremes[part], colouring, weights);
}

function frameOf(evaluated: Evaluated, part: Part, { colouring, width, height }: Picture): Frame {
  const { grid, diagonals, ranges } = evaluated.plan;
  const cells = evaluated.values[part];
  const plan: Plan = { grid, diagonals, ranges, cells, profile: null, products: [], relatives: [], normalisers: null };
  // A scale by row settles each row's own domain.
  const domain = colouring.scale === "row" ? null : domainOf(evaluated, part, colouring);
  return { plan, colouring: { ...colouring, domain }, width, height };
}

/** One of the three pictures. */
class ComparisonRenderer implements Renderer {
  readonly mode = { by: "cpu", reason: "asked" } as const;
  readonly #painter: CpuPainter;
  readonly #frameOf: FrameOf;
  #generation = 0;
  #shown: Frame | null = null;

  constructor(host: HTMLElement, frameOf: FrameOf) {
    this.#painter = new CpuPainter(host);
    this.#frameOf = frameOf;
  }

  async draw(picture: Picture, { progress = () => undefined }: Telling = {}): Promise<Drawn | null> {
    const generation = ++this.#generation;
    await new Promise((resolve) => requestAnimationFrame(resolve));
    if (generation !== this.#generation) return null;
    const began = performance.now();
    const framed = await this.#frameOf(picture, progress);
    if (framed === null || generation !== this.#generation) return null;
    const { frame, evaluated } = framed;
    this.#shown = frame;
    const { domain, by } = await this.#painter.paint(frame);
    const { grid } = evaluated.plan;
    const milliseconds = performance.now() - began;
    return { domain, by, sampled: isSampled(grid), estimated: evaluated.estimated, coarse: false, milliseconds };
  }

  pixels(): Promise<ImageData> {
    if (this.#shown === null) return Promise.reject(new Error("nothing was drawn"));
    return this.#painter.pixels(this.#shown);
  }

  dispose(): void {
    this.#generation++;
    this.#shown = null;
    this.#painter.dispose();
  }
}
