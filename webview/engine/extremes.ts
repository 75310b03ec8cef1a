import type { ColourDomain } from "./colouring.ts";

/** Smallest and largest finite visible value, overall and by row. An empty row is [Infinity, −Infinity]. */
export interface Extremes {
  readonly all: ColourDomain;
  readonly rows: readonly ColourDomain[];
}

const EMPTY_RANGE: ColourDomain = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];

export function computeExtremes(values: Float64Array, visible: Uint8Array, columns: number): Extremes {
  const rows: ColourDomain[] = [];
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
    all: rows.reduce<ColourDomain>((all, row) => [Math.min(all[0], row[0]), Math.max(all[1], row[1])], EMPTY_RANGE),
    rows,
  };
}
