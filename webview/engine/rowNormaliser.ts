import type { RowStatistics } from "../../src/core/terms/engine.ts";
import type { Attention } from "../../src/core/terms/term.ts";
import { NormaliserClient } from "./normaliserClient.ts";
import type { FigureSource } from "./renderer.ts";
import { sampleAxis } from "./sampledGrid.ts";
import type { SliceCallbacks } from "./timeSlicing.ts";

/** Progress of one row's normaliser. */
export type NormaliserProgress =
  | { readonly done: true; readonly statistics: RowStatistics; readonly estimated: boolean }
  | { readonly done: false; readonly fraction: number };

type NormaliserSource = Pick<Extract<FigureSource, { kind: "attention" }>, "attention" | "attentionSource">;

/** The engine returns ln Σ exp, which is the statistics with that maximum and a sum of one. */
function asStatistics(normaliser: number): RowStatistics {
  return { max: normaliser, sum: normaliser === Number.NEGATIVE_INFINITY ? 0 : 1 };
}

/** Statistics of consecutive rows for exports; empty if it was stopped. */
export async function computeRowStatistics(
  source: NormaliserSource,
  first: number,
  count: number,
  slices: SliceCallbacks,
): Promise<RowStatistics[]> {
  const client = new NormaliserClient();
  try {
    const rows = sampleAxis(first, count, first + count, count);
    const result = await client.rows(source.attention, source.attentionSource, rows, slices);
    return Array.from(result?.values ?? [], asStatistics);
  } finally {
    client.dispose();
  }
}

/**
 * The normaliser of the crosshair's row. The page asks in each frame; each row is computed once, and a newer row
 * cancels an older one.
 */
export class RowNormaliser {
  readonly #onChange: () => void;
  #client = new NormaliserClient();
  #job: { readonly attention: Attention; readonly row: number; progress: NormaliserProgress } | null = null;

  constructor(onChange: () => void) {
    this.#onChange = onChange;
  }

  progressOf(source: NormaliserSource, row: number): NormaliserProgress {
    const current = this.#job;
    if (current?.attention === source.attention && current.row === row) return current.progress;
    const job = { attention: source.attention, row, progress: { done: false, fraction: 0 } as NormaliserProgress };
    this.#job = job;
    void this.#compute(source, job);
    return job.progress;
  }

  /** Cancels the computation and releases the worker. */
  cancel(): void {
    this.#job = null;
    this.#client.dispose();
  }

  async #compute(
    { attention, attentionSource }: NormaliserSource,
    job: { row: number; progress: NormaliserProgress },
  ): Promise<void> {
    const isCurrent = () => this.#job === job;
    const report = (progress: NormaliserProgress) => {
      if (!isCurrent()) return;
      job.progress = progress;
      this.#onChange();
    };
    const rows = sampleAxis(job.row, 1, job.row + 1, 1);
    const result = await this.#client.rows(attention, attentionSource, rows, {
      progress: (fraction) => report({ done: false, fraction }),
      stopped: () => !isCurrent(),
    });
    const value = result?.values[0];
    if (result === null || value === undefined) return;
    report({ done: true, statistics: asStatistics(value), estimated: result.estimated });
  }
}
