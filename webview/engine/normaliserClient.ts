/// <reference path="./workerSource.d.ts" />
import type { Attention } from "../../src/core/terms/term.ts";
import { type Axis, indexAt } from "./grid.ts";
import { glanceStream, type Normalisers, normaliserStream, streamCost, takesLong } from "./normalisers.ts";
import type { Recipe } from "./renderer.ts";
import { inSlices, type Slices } from "./timeSlicing.ts";
import source from "./worker.ts?worker-source";
import type { FromWorker, ToWorker } from "./workerMessages.ts";

/** Multiplications up to which a worker's round trip costs more than the work. */
const SHORT = 2 ** 22;

interface Known {
  readonly rows: Map<number, number>;
  estimated: boolean;
}

/** Normalisers by attention and row: kept while the attention lives, computed in a worker where that pays. */
export class NormaliserClient {
  readonly #known = new WeakMap<Attention, Known>();
  readonly #life = new AbortController();
  #job = new AbortController();
  #worker: Worker | null = null;
  #generation = 0;

  /** null when a newer request, or `stopped`, ended this one. */
  async rows(
    attention: Attention,
    recipe: Recipe | undefined,
    rows: Axis,
    slices: Slices,
  ): Promise<Normalisers | null> {
    const generation = ++this.#generation;
    const known = this.#knownOf(attention);
    const missing = missingRows(known, rows);
    if (missing !== null) {
      const stopped = () => generation !== this.#generation || slices.stopped();
      const result = await this.#compute(attention, recipe, missing, { ...slices, stopped });
      if (result === null) return null;
      for (let k = 0; k < missing.count; k++) known.rows.set(indexAt(missing, k), result.values[k] ?? 0);
      known.estimated ||= result.estimated;
    }
    const values = Float64Array.from({ length: rows.count }, (_, k) => known.rows.get(indexAt(rows, k)) ?? 0);
    return { values, estimated: known.estimated };
  }

  /** An estimate of the same for a first picture; null also where the few keys that it takes are seen by too few rows. */
  async glance(attention: Attention, rows: Axis, slices: Slices): Promise<Normalisers | null> {
    const made = await inSlices(glanceStream(attention, rows), slices);
    return made?.values.every(Number.isFinite) ? made : null;
  }

  /** Whether rows that are not known yet take so long that a glance is worth it. */
  takesLong(attention: Attention, rows: Axis): boolean {
    const missing = missingRows(this.#knownOf(attention), rows);
    return missing !== null && takesLong(attention, missing);
  }

  /** Ends the request that goes on: it need not wait for the worker to hear of it. */
  leave(): void {
    this.#generation++;
    this.#job.abort();
    this.#job = new AbortController();
  }

  dispose(): void {
    this.#generation++;
    this.#life.abort();
    this.#worker?.terminate();
    this.#worker = null;
  }

  #knownOf(attention: Attention): Known {
    const known = this.#known.get(attention) ?? { rows: new Map<number, number>(), estimated: false };
    this.#known.set(attention, known);
    return known;
  }

  #compute(attention: Attention, recipe: Recipe | undefined, rows: Axis, slices: Slices): Promise<Normalisers | null> {
    const worker = recipe === undefined || streamCost(attention, rows) < SHORT ? null : this.#start();
    if (worker === null || recipe === undefined) return inSlices(normaliserStream(attention, rows), slices);
    return ask(
      worker,
      { type: "start", generation: this.#generation, recipe, rows },
      slices,
      AbortSignal.any([this.#life.signal, this.#job.signal]),
    );
  }

  /** null where the page may not start one: then the work is done in slices. */
  #start(): Worker | null {
    if (this.#worker !== null) return this.#worker;
    const url = URL.createObjectURL(new Blob([source], { type: "text/javascript" }));
    try {
      this.#worker = new Worker(url);
    } catch {
      return null;
    } finally {
      URL.revokeObjectURL(url);
    }
    return this.#worker;
  }
}

/** The part of an axis from the first to the last row that is not known yet. */
function missingRows({ rows: known }: Known, rows: Axis): Axis | null {
  let first = 0;
  let last = rows.count - 1;
  while (first <= last && known.has(indexAt(rows, first))) first++;
  while (last >= first && known.has(indexAt(rows, last))) last--;
  return last < first ? null : { ...rows, first: indexAt(rows, first), count: last - first + 1 };
}

/** One job of a worker. A job that is not the newest any more settles when its next message comes. */
function ask(
  worker: Worker,
  job: Extract<ToWorker, { type: "start" }>,
  slices: Slices,
  life: AbortSignal,
): Promise<Normalisers | null> {
  return new Promise((resolve, reject) => {
    const finish = new AbortController();
    const end = (settle: () => void) => {
      finish.abort();
      settle();
    };
    const onMessage = ({ data }: MessageEvent<FromWorker>) => {
      if (slices.stopped()) leave();
      else if (data.generation !== job.generation) return;
      else if (data.type === "progress") slices.progress(data.fraction);
      else if (data.type === "done") end(() => resolve({ values: data.values, estimated: data.estimated }));
      else end(() => reject(new Error(data.message)));
    };
    const leave = () => {
      worker.postMessage({ type: "stop", generation: job.generation });
      end(() => resolve(null));
    };
    life.addEventListener("abort", leave, { signal: finish.signal });
    worker.addEventListener("message", onMessage, { signal: finish.signal });
    worker.addEventListener("error", (event) => end(() => reject(new Error(event.message))), { signal: finish.signal });
    worker.postMessage(job);
  });
}
