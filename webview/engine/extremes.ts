import type { Domain } from "./colouring.ts";

/** Smallest and largest finite visible value, of everything and row by row. An empty row is [Infinity, −Infinity]. */
export interface Extremes {
  readonly all: Domain;
  readonly rows: readonly Domain[];
}

const NOTHING: Domain = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];

export function extremesOf(values: Float64Array, visible: Uint8Array, columns: number): Extremes {
  const rows: Domain[] = [];
  for (let start = 0; start < values.length; start += columns) {
    let low = Number.POSITIVE_INFINITY;
    let high = Number.NEGATIVE_INFINITY;
    for (let n = start; n < start + columns; n++) {
      const value = values[n] ?? Number.NaN;
      if (visible[n] === 0 || !Number.isFinite(value)) continue;
      if (value < low) low = value;
      if (value > high) high = value;
    }
    rows.push([low, high]);
  }
  return {
    all: rows.reduce<Domain>((all, row) => [Math.min(all[0], row[0]), Math.max(all[1], row[1])], NOTHING),
    rows,
  };
}
