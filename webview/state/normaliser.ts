import { type RowStatistics, streamRowStatistics } from "../../src/core/terms/engine.ts";
import type { Attention } from "../../src/core/terms/term.ts";

/** How far the normaliser of a row is. */
export type RowProgress =
  | { readonly done: true; readonly statistics: RowStatistics }
  | { readonly done: false; readonly fraction: number };

/** Work goes on this long before the page gets its turn. */
const SLICE = 8;

/** Lets events, frames and messages through, and goes on. */
function breathe(): Promise<void> {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      resolve();
    };
    port2.postMessage(null);
  });
}

/**
 * Statistics of one row, giving way to the page every few milliseconds.
 * @returns null when `stop` said so
 */
export async function streamRow(
  attention: Attention,
  row: number,
  { onProgress, stop }: { readonly onProgress?: (fraction: number) => void; readonly stop: () => boolean },
): Promise<RowStatistics | null> {
  const stream = streamRowStatistics(attention, row);
  let until = performance.now() + SLICE;
  for (let step = stream.next(); ; step = stream.next()) {
    if (step.done === true) return step.value;
    if (performance.now() < until) continue;
    onProgress?.(step.value);
    await breathe();
    if (stop()) return null;
    until = performance.now() + SLICE;
  }
}

/** Rows that were asked for lately, and the one that is being computed: the newest request wins. */
export class Normaliser {
  readonly #known = new WeakMap<Attention, Map<number, RowStatistics>>();
  readonly #onChange: () => void;
  #running: { attention: Attention; row: number; fraction: number } | null = null;

  constructor(onChange: () => void) {
    this.#onChange = onChange;
  }

  row(attention: Attention, row: number): RowProgress {
    const statistics = this.#known.get(attention)?.get(row);
    if (statistics !== undefined) return { done: true, statistics };
    const running = this.#running;
    if (running?.attention === attention && running.row === row) return { done: false, fraction: running.fraction };
    return this.#start(attention, row);
  }

  cancel(): void {
    this.#running = null;
  }

  #start(attention: Attention, row: number): RowProgress {
    const job = { attention, row, fraction: 0 };
    this.#running = job;
    const finished = streamRow(attention, row, {
      stop: () => this.#running !== job,
      onProgress: (fraction) => {
        job.fraction = fraction;
        if (this.#running === job) this.#onChange();
      },
    });
    void finished.then((statistics) => {
      if (statistics === null) return;
      this.#remember(attention, row, statistics);
      if (this.#running === job) this.#running = null;
      this.#onChange();
    });
    return { done: false, fraction: 0 };
  }

  #remember(attention: Attention, row: number, statistics: RowStatistics): void {
    const rows = this.#known.get(attention) ?? new Map<number, RowStatistics>();
    if (rows.size > 2000) rows.clear();
    rows.set(row, statistics);
    this.#known.set(attention, rows);
  }
}
