import type { FigurePlan } from "./plan.ts";

/** Number of samples of each diagonal that are on the grid, and that are visible. */
interface SlotCounts {
  readonly onGrid: Int32Array;
  readonly seen: Int32Array;
}

function countSlots({ grid, diagonals, ranges }: FigurePlan): SlotCounts {
  const onGrid = new Int32Array(diagonals.count + diagonals.columnStep);
  const seen = new Int32Array(diagonals.count + diagonals.columnStep);
  for (let k = 0; k < grid.rows.count; k++) {
    // Samples [from, to) of a row are slots start − (to − 1) · columnStep … start − from · columnStep.
    const start = k * diagonals.rowStep + diagonals.shift;
    const mark = (counts: Int32Array, from: number, to: number) => {
      if (to <= from) return;
      const low = start - (to - 1) * diagonals.columnStep;
      const high = start - (from - 1) * diagonals.columnStep;
      counts[low] = (counts[low] ?? 0) + 1;
      counts[high] = (counts[high] ?? 0) - 1;
    };
    mark(onGrid, 0, grid.columns.count);
    if (ranges !== null) for (const n of [0, 2]) mark(seen, ranges[k * 4 + n] ?? 0, ranges[k * 4 + n + 1] ?? 0);
  }
  return {
    onGrid: accumulate(onGrid, diagonals.columnStep),
    seen: ranges === null ? onGrid : accumulate(seen, diagonals.columnStep),
  };
}

function accumulate(steps: Int32Array, columnStep: number): Int32Array {
  for (let n = columnStep; n < steps.length; n++) steps[n] = (steps[n] ?? 0) + (steps[n - columnStep] ?? 0);
  return steps;
}

export interface SlotVisibility {
  /** 1 if any sample of the diagonal is visible. */
  readonly any: Uint8Array;
  /** Every diagonal is visible as a whole or not at all. */
  readonly whole: boolean;
}

export function slotVisibility(plan: FigurePlan): SlotVisibility {
  const { onGrid, seen } = countSlots(plan);
  const any = new Uint8Array(plan.diagonals.count);
  let whole = true;
  for (let slot = 0; slot < any.length; slot++) {
    const count = seen[slot] ?? 0;
    if (count > 0) any[slot] = 1;
    if (count > 0 && count < (onGrid[slot] ?? 0)) whole = false;
  }
  return { any, whole };
}
