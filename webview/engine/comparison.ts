import { Pace } from "./adaptiveResolution.ts";
import { type Domain, isByRow, settleDomain } from "./colouring.ts";
import { evaluate, visibility } from "./evaluate.ts";
import { extremesOf } from "./extremes.ts";
import { FigureRenderer } from "./figureRenderer.ts";
import { extentOf } from "./gated.ts";
import { gridOf } from "./grid.ts";
import { NormaliserClient } from "./normaliserClient.ts";
import type { Frame } from "./painter.ts";
import type { Plan } from "./plan.ts";
import { type Planned, type Planner, type Planning, planSource, rowsTakeLong } from "./planner.ts";
import type { Colouring, CreateRenderer, Picture, Source } from "./renderer.ts";

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

/** Grids that are kept: those of the page, coarse and fine, and one of an export. */
const KEPT = 3;

function gridKey({ viewport, width, height }: Picture, { progress }: Planning): string {
  const { row, column, rows, columns } = viewport;
  return JSON.stringify([row, column, rows, columns, width, height, progress === null]);
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
  readonly #pace = new Pace();
  readonly #planner: Planner = {
    takesLong: (picture) => this.#takesLong(picture),
    plan: (picture, planning) => this.#plan(picture, planning),
    leave: () => {
      this.#clients.a.leave();
      this.#clients.b.leave();
    },
    // What the three renderers have in common outlives each of them.
    dispose: () => undefined,
  };
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

  /** @param leads whether the pictures that are asked for together are counted by this one's requests */
  creator(leads: boolean): CreateRenderer {
    const pace = leads ? this.#pace : this.#pace.follower();
    return (host, options = {}) => new FigureRenderer(host, { ...options, prefer: "cpu" }, this.#planner, pace);
  }

  /** Ends what goes on and gives the workers back. */
  release(): void {
    this.#clients.a.dispose();
    this.#clients.b.dispose();
    this.#clients = { a: new NormaliserClient(), b: new NormaliserClient() };
  }

  #pairOf({ source }: Picture): { readonly pair: Pair; readonly part: Part } {
    const known = this.#pairs.get(source);
    if (known === undefined) throw new Error("this source belongs to no comparison");
    return known;
  }

  #takesLong(picture: Picture): boolean {
    const { a, b } = this.#pairOf(picture).pair;
    const grid = gridOf(picture.viewport, extentOf(a), picture);
    return rowsTakeLong(this.#clients.a, a, grid) || rowsTakeLong(this.#clients.b, b, grid);
  }

  async #plan(picture: Picture, planning: Planning): Promise<Planned | null> {
    const { pair, part } = this.#pairOf(picture);
    const evaluated = await this.#evaluated(pair, picture, planning);
    return evaluated === null ? null : { frame: frameOf(evaluated, part, picture), estimated: evaluated.estimated };
  }

  /** The three pictures that are asked for together are evaluated for the first of them. */
  #evaluated(pair: Pair, picture: Picture, planning: Planning): Promise<Evaluated | null> {
    const key = gridKey(picture, planning);
    const known = pair.known.get(key);
    if (known !== undefined) return known;
    const stopped = () => planning.stopped() || !pair.known.has(key);
    // One after another: a client of normalisers gives up the older of two requests.
    const evaluated = this.#queue.then(() =>
      stopped() ? null : this.#evaluate(pair, picture, { ...planning, stopped }),
    );
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
    { progress, stopped }: Planning,
  ): Promise<Evaluated | null> {
    const grid = gridOf(viewport, extentOf(a), { width, height });
    const half = (from: number): Planning => ({
      progress: progress === null ? null : (fraction) => progress(from + fraction / 2),
      stopped,
    });
    const own = await planSource(this.#clients.a, a, grid, half(0));
    const other = own === null ? null : await planSource(this.#clients.b, b, grid, half(0.5));
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
  const domain = isByRow(colouring) ? null : domainOf(evaluated, part, colouring);
  return { plan, colouring: { ...colouring, domain }, width, height };
}
