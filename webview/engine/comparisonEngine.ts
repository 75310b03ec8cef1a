import { AdaptiveResolution } from "./adaptiveResolution.ts";
import { type ColourDomain, isByRow, resolveDomain } from "./colouring.ts";
import { cellVisibility, evaluatePlan } from "./evaluatePlan.ts";
import { computeExtremes } from "./extremes.ts";
import { FigureRenderer } from "./figureRenderer.ts";
import { NormaliserClient } from "./normaliserClient.ts";
import type { PictureFrame } from "./painter.ts";
import type { FigurePlan } from "./plan.ts";
import {
  type FramePlanner,
  type PlanCallbacks,
  type PlanResult,
  planWithNormalisers,
  rowsTakeLong,
  sourceSize,
} from "./planner.ts";
import type { Colouring, CreateRenderer, FigureSource, PictureRequest } from "./renderer.ts";
import { sampleGrid } from "./sampledGrid.ts";

/** Sources of a comparison's three pictures. Only the renderers of the same engine can draw them. */
export interface ComparedSources {
  readonly a: FigureSource;
  readonly b: FigureSource;
  readonly difference: FigureSource;
}

type ComparedPart = keyof ComparedSources;

/** Values of both sides on one grid, in float64, with what the three pictures share. */
interface EvaluatedPair {
  readonly plan: FigurePlan;
  readonly values: Readonly<Record<ComparedPart, Float64Array>>;
  /** The range of visible values that each picture's colours span. */
  readonly extremes: Readonly<Record<ComparedPart, ColourDomain>>;
  readonly weights: boolean;
  readonly estimated: boolean;
}

interface SourcePair {
  readonly a: FigureSource;
  readonly b: FigureSource;
  /** Both sides share one colour domain, so equal colours mean equal values. */
  readonly shared: boolean;
  /** Evaluations by grid, so that the three pictures of one size share one. */
  readonly evaluations: Map<string, Promise<EvaluatedPair | null>>;
}

/** The page's coarse and fine grid, and one of an export. */
const MAX_CACHED_GRIDS = 3;

function gridKey({ viewport, width, height }: PictureRequest, { progress }: PlanCallbacks): string {
  const { row, column, rows, columns } = viewport;
  return JSON.stringify([row, column, rows, columns, width, height, progress === null]);
}

function subtract(a: Float64Array, b: Float64Array): Float64Array {
  // Equal infinities differ by 0, not by NaN.
  return a.map((value, n) => (value === b[n] ? 0 : value - (b[n] ?? Number.NaN)));
}

function unionDomain(a: ColourDomain, b: ColourDomain): ColourDomain {
  return [Math.min(a[0], b[0]), Math.max(a[1], b[1])];
}

/**
 * Draws two sources and their difference on the CPU. Each source is evaluated once per grid, and both sides can share
 * one colour domain.
 */
export class ComparisonEngine {
  #clients = { a: new NormaliserClient(), b: new NormaliserClient() };
  #queue: Promise<unknown> = Promise.resolve();
  readonly #resolution = new AdaptiveResolution();
  readonly #planner: FramePlanner = {
    takesLong: (picture) => this.#takesLong(picture),
    plan: (picture, planning) => this.#plan(picture, planning),
    cancel: () => {
      this.#clients.a.cancel();
      this.#clients.b.cancel();
    },
    // The three renderers share this planner, so disposing one of them must not dispose it.
    dispose: () => undefined,
  };
  readonly #pairs = new WeakMap<FigureSource, { readonly pair: SourcePair; readonly part: ComparedPart }>();

  /** Creates the sources of a pair. Call it again when either side changes. */
  sources(a: FigureSource, b: FigureSource, shared: boolean): ComparedSources {
    const pair: SourcePair = { a, b, shared, evaluations: new Map() };
    const register = (part: ComparedPart, source: FigureSource): FigureSource => {
      const own = { ...source };
      this.#pairs.set(own, { pair, part });
      return own;
    };
    return { a: register("a", a), b: register("b", b), difference: register("difference", a) };
  }

  /** @param leads whether this renderer's requests set the resolution for all three */
  rendererFactory(leads: boolean): CreateRenderer {
    const resolution = leads ? this.#resolution : this.#resolution.follower();
    return (host, options = {}) => new FigureRenderer(host, { ...options, prefer: "cpu" }, this.#planner, resolution);
  }

  /** Cancels running work and releases the workers. */
  release(): void {
    this.#clients.a.dispose();
    this.#clients.b.dispose();
    this.#clients = { a: new NormaliserClient(), b: new NormaliserClient() };
  }

  #pairOf({ source }: PictureRequest): { readonly pair: SourcePair; readonly part: ComparedPart } {
    const entry = this.#pairs.get(source);
    if (entry === undefined) throw new Error("this source belongs to no comparison");
    return entry;
  }

  #takesLong(picture: PictureRequest): boolean {
    const { a, b } = this.#pairOf(picture).pair;
    const grid = sampleGrid(picture.viewport, sourceSize(a), picture);
    return rowsTakeLong(this.#clients.a, a, grid) || rowsTakeLong(this.#clients.b, b, grid);
  }

  async #plan(picture: PictureRequest, planning: PlanCallbacks): Promise<PlanResult | null> {
    const { pair, part } = this.#pairOf(picture);
    const evaluated = await this.#evaluateOnce(pair, picture, planning);
    return evaluated === null ? null : { frame: partFrame(evaluated, part, picture), estimated: evaluated.estimated };
  }

  /** Pictures requested together share one evaluation. */
  #evaluateOnce(pair: SourcePair, picture: PictureRequest, planning: PlanCallbacks): Promise<EvaluatedPair | null> {
    const key = gridKey(picture, planning);
    const cached = pair.evaluations.get(key);
    if (cached !== undefined) return cached;
    const stopped = () => planning.stopped() || !pair.evaluations.has(key);
    // One at a time, because a normaliser client cancels the older of two requests.
    const evaluated = this.#queue.then(() =>
      stopped() ? null : this.#evaluate(pair, picture, { ...planning, stopped }),
    );
    const forget = () => pair.evaluations.delete(key);
    this.#queue = evaluated.then((result) => result ?? forget(), forget);
    pair.evaluations.set(key, evaluated);
    for (const oldest of pair.evaluations.keys()) {
      if (pair.evaluations.size <= MAX_CACHED_GRIDS) break;
      pair.evaluations.delete(oldest);
    }
    return evaluated;
  }

  async #evaluate(
    { a, b, shared }: SourcePair,
    { viewport, width, height }: PictureRequest,
    { progress, stopped }: PlanCallbacks,
  ): Promise<EvaluatedPair | null> {
    const grid = sampleGrid(viewport, sourceSize(a), { width, height });
    const halfProgress = (from: number): PlanCallbacks => ({
      progress: progress === null ? null : (fraction) => progress(from + fraction / 2),
      stopped,
    });
    const planA = await planWithNormalisers(this.#clients.a, a, grid, halfProgress(0));
    const planB = planA === null ? null : await planWithNormalisers(this.#clients.b, b, grid, halfProgress(0.5));
    if (planA === null || planB === null) return null;
    const values = { a: evaluatePlan(planA.plan), b: evaluatePlan(planB.plan) };
    const difference = subtract(values.a, values.b);
    const visible = cellVisibility(planA.plan);
    const extremes = (cells: Float64Array) => computeExtremes(cells, visible, grid.columns.count).all;
    const [ofA, ofB] = [extremes(values.a), extremes(values.b)];
    const sides = shared ? { a: unionDomain(ofA, ofB), b: unionDomain(ofA, ofB) } : { a: ofA, b: ofB };
    return {
      plan: planA.plan,
      values: { ...values, difference },
      extremes: { ...sides, difference: extremes(difference) },
      weights: planA.plan.normalisers !== null,
      estimated: planA.estimated || planB.estimated,
    };
  }
}

function partDomain({ extremes, weights }: EvaluatedPair, part: ComparedPart, colouring: Colouring): ColourDomain {
  if (part === "difference") return resolveDomain(extremes.difference, colouring, false);
  return colouring.domain ?? resolveDomain(extremes[part], colouring, weights);
}

function partFrame(
  evaluated: EvaluatedPair,
  part: ComparedPart,
  { colouring, width, height }: PictureRequest,
): PictureFrame {
  const { grid, diagonals, ranges } = evaluated.plan;
  const cells = evaluated.values[part];
  const plan: FigurePlan = {
    grid,
    diagonals,
    ranges,
    cells,
    profile: null,
    products: [],
    relatives: [],
    normalisers: null,
  };
  // With a scale by row each row resolves its own domain.
  const domain = isByRow(colouring) ? null : partDomain(evaluated, part, colouring);
  return { plan, colouring: { ...colouring, domain }, width, height };
}
