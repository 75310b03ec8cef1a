import { extentOf, planOf } from "./gated.ts";
import { type Grid, gridOf } from "./grid.ts";
import { NormaliserClient } from "./normaliserClient.ts";
import type { Frame } from "./painter.ts";
import type { Plan } from "./plan.ts";
import type { Picture, Source } from "./renderer.ts";

export interface Planned {
  readonly frame: Frame;
  /** Normalisers are from a sample of the keys. */
  readonly estimated: boolean;
}

/** What is told of a plan while it is made. */
export interface Planning {
  /** null: for a first picture, where rows that take long are estimated. */
  readonly progress: ((fraction: number) => void) | null;
  readonly stopped: () => boolean;
}

/** Where a renderer has its frames from. */
export interface Planner {
  /** Whether a first, estimated picture is worth it. */
  takesLong(picture: Picture): boolean;
  /** null when it was stopped. */
  plan(picture: Picture, planning: Planning): Promise<Planned | null>;
  /** Ends what goes on. */
  leave(): void;
  dispose(): void;
}

export function rowsTakeLong(client: NormaliserClient, source: Source, grid: Grid): boolean {
  if (source.kind === "table" || source.show.of !== "weights") return false;
  return client.takesLong(source.attention, grid.rows);
}

/** A source's plan, for weights with the normalisers of its rows. */
export async function planSource(
  client: NormaliserClient,
  source: Source,
  grid: Grid,
  { progress, stopped }: Planning,
): Promise<{ readonly plan: Plan; readonly estimated: boolean } | null> {
  if (source.kind === "table" || source.show.of !== "weights") return { plan: planOf(source, grid), estimated: false };
  const { attention, recipe } = source;
  const slices = { progress: progress ?? (() => undefined), stopped };
  const rows =
    progress === null && client.takesLong(attention, grid.rows)
      ? await client.glance(attention, grid.rows, slices)
      : await client.rows(attention, recipe, grid.rows, slices);
  if (rows === null) return null;
  return { plan: planOf(source, grid, { normalisers: rows.values }), estimated: rows.estimated };
}

/** Of one source, for one figure. */
export class SourcePlanner implements Planner {
  readonly #normalisers = new NormaliserClient();

  takesLong({ source, viewport, width, height }: Picture): boolean {
    return rowsTakeLong(this.#normalisers, source, gridOf(viewport, extentOf(source), { width, height }));
  }

  async plan({ source, viewport, colouring, width, height }: Picture, planning: Planning): Promise<Planned | null> {
    const grid = gridOf(viewport, extentOf(source), { width, height });
    const planned = await planSource(this.#normalisers, source, grid, planning);
    if (planned === null) return null;
    return { frame: { plan: planned.plan, colouring, width, height }, estimated: planned.estimated };
  }

  leave(): void {
    this.#normalisers.leave();
  }

  dispose(): void {
    this.#normalisers.dispose();
  }
}
