import type { RowStatistics } from "../../src/core/terms/engine.ts";
import type { Attention } from "../../src/core/terms/term.ts";
import { axisOf } from "../engine/grid.ts";
import { NormaliserClient } from "../engine/normaliserClient.ts";
import type { Source } from "../engine/renderer.ts";
import type { Slices } from "../engine/timeSlicing.ts";

/** How far the normaliser of a row is. */
export type RowProgress =
  | { readonly done: true; readonly statistics: RowStatistics; readonly estimated: boolean }
  | { readonly done: false; readonly fraction: number };

type AttentionSource = Pick<Extract<Source, { kind: "attention" }>, "attention" | "recipe">;

/** The engine gives ln Σ exp; as statistics that is a maximum with a sum of one. */
function statisticsOf(normaliser: number): RowStatistics {
  return { max: normaliser, sum: normaliser === Number.NEGATIVE_INFINITY ? 0 : 1 };
}

/** Statistics of consecutive rows, all at once, for exports; none when it was stopped. */
export async function rowsStatistics(
  source: AttentionSource,
  first: number,
  count: number,
  slices: Slices,
): Promise<RowStatistics[]> {
  const client = new NormaliserClient();
  try {
    const rows = axisOf(first, count, first + count, count);
    const result = await client.rows(source.attention, source.recipe, rows, slices);
    return Array.from(result?.values ?? [], statisticsOf);
  } finally {
    client.dispose();
  }
}

/** The row that the crosshair is on: asked for at each frame, computed once, the newest wins. */
export class Normaliser {
  readonly #onChange: () => void;
  #client = new NormaliserClient();
  #asked: { readonly attention: Attention; readonly row: number; progress: RowProgress } | null = null;

  constructor(onChange: () => void) {
    this.#onChange = onChange;
  }

  row(source: AttentionSource, row: number): RowProgress {
    const asked = this.#asked;
    if (asked?.attention === source.attention && asked.row === row) return asked.progress;
    const job = { attention: source.attention, row, progress: { done: false, fraction: 0 } as RowProgress };
    this.#asked = job;
    void this.#compute(source, job);
    return job.progress;
  }

  /** Ends what goes on and gives the worker back. */
  cancel(): void {
    this.#asked = null;
    this.#client.dispose();
  }

  async #compute({ attention, recipe }: AttentionSource, job: { row: number; progress: RowProgress }): Promise<void> {
    const current = () => this.#asked === job;
    const tell = (progress: RowProgress) => {
      if (!current()) return;
      job.progress = progress;
      this.#onChange();
    };
    const rows = axisOf(job.row, 1, job.row + 1, 1);
    const result = await this.#client.rows(attention, recipe, rows, {
      progress: (fraction) => tell({ done: false, fraction }),
      stopped: () => !current(),
    });
    const value = result?.values[0];
    if (result === null || value === undefined) return;
    tell({ done: true, statistics: statisticsOf(value), estimated: result.estimated });
  }
}
