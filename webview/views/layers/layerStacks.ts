import { buildLayerCells, groupByStack, type LayerCell } from "../../../src/core/config/report/layerStrip.ts";
import { positiveOrNull } from "../../../src/core/measure/trainingContext.ts";
import type { EncodingSpec } from "../../../src/core/spec.ts";

/** A layer with the position parameters of its attention. */
export interface Layer extends LayerCell {
  readonly stack: string;
  readonly index: number;
  /** rope_theta; null: none. */
  readonly base: number | null;
  /** Window in keys; null: all keys. */
  readonly window: number | null;
  readonly factor: number | null;
}

export interface LayerStack {
  readonly where: string;
  readonly layers: readonly Layer[];
}

/** The layers of each stack; empty if the config has no number of layers. */
export function buildLayerStacks(specs: readonly EncodingSpec[]): readonly LayerStack[] {
  return groupByStack(specs).map((stack) => ({
    where: stack.where,
    layers: buildLayerCells(stack, specs).map((cell, index) => {
      const params = cell.spec === null ? undefined : specs[cell.spec]?.params;
      return {
        ...cell,
        stack: stack.where,
        index,
        base: positiveOrNull(params?.["rope_theta"]),
        window: positiveOrNull(params?.["sliding_window"]),
        factor: positiveOrNull(params?.["factor"]),
      };
    }),
  }));
}

/** The layer with this number among those of all stacks. */
export function layerAt(stacks: readonly LayerStack[], number: number): Layer | undefined {
  return stacks.flatMap(({ layers }) => layers)[number];
}

/** Whether present values differ. Missing values are shown by the cells. */
export function hasDifferentValues(values: readonly (number | null)[]): boolean {
  return new Set(values.filter((value) => value !== null)).size > 1;
}

/** Formats numbers as ranges: "0 … 4, 6, 8 … 10". */
export function formatRanges(numbers: readonly number[]): string {
  const runs: { from: number; to: number }[] = [];
  for (const number of numbers) {
    const last = runs.at(-1);
    if (last !== undefined && number === last.to + 1) last.to = number;
    else runs.push({ from: number, to: number });
  }
  return runs.map(({ from, to }) => (from === to ? String(from) : `${from} … ${to}`)).join(", ");
}
