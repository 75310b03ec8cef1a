import { type Cell, cellsOf, stacksOf } from "../../../src/core/config/report/layerStrip.ts";
import type { EncodingSpec } from "../../../src/core/spec.ts";

/** A layer with what its attention knows of positions. */
export interface Layer extends Cell {
  readonly stack: string;
  readonly index: number;
  /** null: none. */
  readonly base: number | null;
  /** Keys that it sees; null: all there are. */
  readonly window: number | null;
  readonly factor: number | null;
}

export interface LayerStack {
  readonly where: string;
  readonly layers: readonly Layer[];
}

function positive(value: unknown): number | null {
  return typeof value === "number" && value > 0 ? value : null;
}

/** The layers of each stack of a model whose number of layers is known. */
export function layerStacks(specs: readonly EncodingSpec[]): readonly LayerStack[] {
  return stacksOf(specs).map((stack) => ({
    where: stack.where,
    layers: cellsOf(stack, specs).map((cell, index) => {
      const params = cell.spec === null ? undefined : specs[cell.spec]?.params;
      return {
        ...cell,
        stack: stack.where,
        index,
        base: positive(params?.["rope_theta"]),
        window: positive(params?.["sliding_window"]),
        factor: positive(params?.["factor"]),
      };
    }),
  }));
}

/** Number of a layer among those of all stacks, and back. */
export function layerAt(stacks: readonly LayerStack[], number: number): Layer | undefined {
  return stacks.flatMap(({ layers }) => layers)[number];
}

/** Values that differ are worth a chart; having none at all is shown by the cells. */
export function differ(values: readonly (number | null)[]): boolean {
  return new Set(values.filter((value) => value !== null)).size > 1;
}

/** "0 … 4, 6, 8 … 10": neighbouring numbers in one. */
export function ranges(numbers: readonly number[]): string {
  const runs: { from: number; to: number }[] = [];
  for (const number of numbers) {
    const last = runs.at(-1);
    if (last !== undefined && number === last.to + 1) last.to = number;
    else runs.push({ from: number, to: number });
  }
  return runs.map(({ from, to }) => (from === to ? String(from) : `${from} … ${to}`)).join(", ");
}
