import { gatedCells } from "./gated.ts";
import { NormaliserClient } from "./normaliserClient.ts";
import type { PictureFrame } from "./painter.ts";
import {
  addScaled,
  type FigurePlan,
  type FigurePlanOptions,
  isUngated,
  planTable,
  planTerms,
  termsToShow,
} from "./plan.ts";
import type { FigureSource, PictureRequest } from "./renderer.ts";
import { type SampledGrid, sampleGrid } from "./sampledGrid.ts";

export interface PlanResult {
  readonly frame: PictureFrame;
  /** The normalisers were computed from a sample of the keys. */
  readonly estimated: boolean;
}

/** Progress and cancellation of planning. */
export interface PlanCallbacks {
  /** null for a coarse picture, in which expensive rows are estimated. */
  readonly progress: ((fraction: number) => void) | null;
  readonly stopped: () => boolean;
}

/** Plans the pictures of a renderer. */
export interface FramePlanner {
  /** Whether a coarse, estimated picture should be shown first. */
  takesLong(picture: PictureRequest): boolean;
  /** @returns null if it was stopped */
  plan(picture: PictureRequest, planning: PlanCallbacks): Promise<PlanResult | null>;
  /** Cancels the plan in progress. */
  cancel(): void;
  dispose(): void;
}

/** Number of rows and columns of a source. */
export function sourceSize(source: FigureSource): { rows: number; columns: number } {
  if (source.kind === "table") return { rows: source.count, columns: source.rows.dim };
  return { rows: source.attention.queryLength, columns: source.attention.keyLength };
}

/** Plans a picture of a source. */
export function planSource(source: FigureSource, grid: SampledGrid, options: FigurePlanOptions = {}): FigurePlan {
  if (source.kind === "table") return planTable(source.rows, grid);
  const { attention } = source;
  const terms = termsToShow(source);
  const plan = planTerms(attention, terms.filter(isUngated), grid, options);
  const cells = gatedCells(attention, terms, grid);
  if (cells === null) return plan;
  if (plan.cells !== null) addScaled(cells, plan.cells, 1);
  return { ...plan, cells };
}

export function rowsTakeLong(client: NormaliserClient, source: FigureSource, grid: SampledGrid): boolean {
  if (source.kind === "table" || source.show.of !== "weights") return false;
  return client.takesLong(source.attention, grid.rows);
}

/** Plans a source; for weights, computes the normalisers of its rows first. */
export async function planWithNormalisers(
  client: NormaliserClient,
  source: FigureSource,
  grid: SampledGrid,
  { progress, stopped }: PlanCallbacks,
): Promise<{ readonly plan: FigurePlan; readonly estimated: boolean } | null> {
  if (source.kind === "table" || source.show.of !== "weights")
    return { plan: planSource(source, grid), estimated: false };
  const { attention, attentionSource } = source;
  const slices = { progress: progress ?? (() => undefined), stopped };
  const rows =
    progress === null && client.takesLong(attention, grid.rows)
      ? await client.estimate(attention, grid.rows, slices)
      : await client.rows(attention, attentionSource, grid.rows, slices);
  if (rows === null) return null;
  return { plan: planSource(source, grid, { normalisers: rows.values }), estimated: rows.estimated };
}

/** Plans the pictures of one figure. */
export class SourcePlanner implements FramePlanner {
  readonly #client = new NormaliserClient();

  takesLong({ source, viewport, width, height }: PictureRequest): boolean {
    return rowsTakeLong(this.#client, source, sampleGrid(viewport, sourceSize(source), { width, height }));
  }

  async plan(
    { source, viewport, colouring, width, height }: PictureRequest,
    callbacks: PlanCallbacks,
  ): Promise<PlanResult | null> {
    const grid = sampleGrid(viewport, sourceSize(source), { width, height });
    const planned = await planWithNormalisers(this.#client, source, grid, callbacks);
    if (planned === null) return null;
    return { frame: { plan: planned.plan, colouring, width, height }, estimated: planned.estimated };
  }

  cancel(): void {
    this.#client.cancel();
  }

  dispose(): void {
    this.#client.dispose();
  }
}
