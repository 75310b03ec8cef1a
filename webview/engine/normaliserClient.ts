/// <reference path="./workerSource.d.ts" />
import type { Attention } from "../../src/core/terms/term.ts";
import { estimateStream, type NormaliserValues, normaliserStream, streamCost, takesLong } from "./normaliserStreams.ts";
import type { AttentionSource } from "./renderer.ts";
import { type SampledAxis, sampleIndex } from "./sampledGrid.ts";
import { runInSlices, type SliceCallbacks } from "./timeSlicing.ts";
import workerSource from "./worker.ts?worker-source";
import type { FromWorker, ToWorker } from "./workerMessages.ts";

/** Number of multiplications from which a worker's round trip pays off. */
const MIN_WORKER_COST = 2 ** 22;

interface CachedNormalisers {
  readonly rows: Map<number, number>;
  estimated: boolean;
}

/** Row normalisers, cached as long as their attention lives; large jobs run in a worker. */
export class NormaliserClient {
  readonly #cache = new WeakMap<Attention, CachedNormalisers>();
  readonly #lifetime = new AbortController();
  #job = new AbortController();
  #worker: Worker | null = null;
  #generation = 0;

  /** @returns null if a newer request or `stopped` cancelled this one */
  async rows(
    attention: Attention,
    attentionSource: AttentionSource | undefined,
    rows: SampledAxis,
    slices: SliceCallbacks,
  ): Promise<NormaliserValues | null> {
    const generation = ++this.#generation;
    const cached = this.#cacheOf(attention);
    const missing = missingRows(cached, rows);
    if (missing !== null) {
      const stopped = () => generation !== this.#generation || slices.stopped();
      const result = await this.#compute(attention, attentionSource, missing, { ...slices, stopped });
      if (result === null) return null;
      for (let k = 0; k < missing.count; k++) cached.rows.set(sampleIndex(missing, k), result.values[k] ?? 0);
      cached.estimated ||= result.estimated;
    }
    const values = Float64Array.from({ length: rows.count }, (_, k) => cached.rows.get(sampleIndex(rows, k)) ?? 0);
    return { values, estimated: cached.estimated };
  }

  /** Estimates the same for a coarse picture; null also if a row sees none of the sampled keys. */
  async estimate(attention: Attention, rows: SampledAxis, slices: SliceCallbacks): Promise<NormaliserValues | null> {
    const estimated = await runInSlices(estimateStream(attention, rows), slices);
    return estimated?.values.every(Number.isFinite) ? estimated : null;
  }

  /** Whether the missing rows take so long that an estimate should be shown first. */
  takesLong(attention: Attention, rows: SampledAxis): boolean {
    const missing = missingRows(this.#cacheOf(attention), rows);
    return missing !== null && takesLong(attention, missing);
  }

  /** Cancels the current request without waiting for the worker. */
  cancel(): void {
    this.#generation++;
    this.#job.abort();
    this.#job = new AbortController();
  }

  dispose(): void {
    this.#generation++;
    this.#lifetime.abort();
    this.#worker?.terminate();
    this.#worker = null;
  }

  #cacheOf(attention: Attention): CachedNormalisers {
    const cached = this.#cache.get(attention) ?? { rows: new Map<number, number>(), estimated: false };
    this.#cache.set(attention, cached);
    return cached;
  }

  #compute(
    attention: Attention,
    attentionSource: AttentionSource | undefined,
    rows: SampledAxis,
    slices: SliceCallbacks,
  ): Promise<NormaliserValues | null> {
    const worker =
      attentionSource === undefined || streamCost(attention, rows) < MIN_WORKER_COST ? null : this.#startWorker();
    if (worker === null || attentionSource === undefined) return runInSlices(normaliserStream(attention, rows), slices);
    return runWorkerJob(
      worker,
      { type: "start", generation: this.#generation, attentionSource, rows },
      slices,
      AbortSignal.any([this.#lifetime.signal, this.#job.signal]),
    );
  }

  /** null if the page may not start a worker; the work then runs in slices. */
  #startWorker(): Worker | null {
    if (this.#worker !== null) return this.#worker;
    const url = URL.createObjectURL(new Blob([workerSource], { type: "text/javascript" }));
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

/** The part of an axis from the first to the last row that is not cached. */
function missingRows({ rows: known }: CachedNormalisers, rows: SampledAxis): SampledAxis | null {
  let first = 0;
  let last = rows.count - 1;
  while (first <= last && known.has(sampleIndex(rows, first))) first++;
  while (last >= first && known.has(sampleIndex(rows, last))) last--;
  return last < first ? null : { ...rows, first: sampleIndex(rows, first), count: last - first + 1 };
}

/** Runs one job in a worker. An outdated job settles with its next message. */
function runWorkerJob(
  worker: Worker,
  job: Extract<ToWorker, { type: "start" }>,
  slices: SliceCallbacks,
  signal: AbortSignal,
): Promise<NormaliserValues | null> {
  return new Promise((resolve, reject) => {
    const finish = new AbortController();
    const settleOnce = (settle: () => void) => {
      finish.abort();
      settle();
    };
    const onMessage = ({ data }: MessageEvent<FromWorker>) => {
      if (slices.stopped()) cancel();
      else if (data.generation !== job.generation) return;
      else if (data.type === "progress") slices.progress(data.fraction);
      else if (data.type === "done") settleOnce(() => resolve({ values: data.values, estimated: data.estimated }));
      else settleOnce(() => reject(new Error(data.message)));
    };
    const cancel = () => {
      worker.postMessage({ type: "stop", generation: job.generation });
      settleOnce(() => resolve(null));
    };
    signal.addEventListener("abort", cancel, { signal: finish.signal });
    worker.addEventListener("message", onMessage, { signal: finish.signal });
    worker.addEventListener("error", (event) => settleOnce(() => reject(new Error(event.message))), {
      signal: finish.signal,
    });
    worker.postMessage(job);
  });
}
