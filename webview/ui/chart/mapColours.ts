import { colourTable } from "../../../src/core/export/colourMaps.ts";
import { themeColourMap } from "../palette.ts";
import type { Theme } from "../theme.ts";

/** The map's colour at a fraction, as `rgb(…)`. */
export function mapColour(theme: Theme, fraction: number): string {
  const step = Math.round(255 * Math.min(1, Math.max(0, fraction))) * 3;
  const table = colourTable(themeColourMap(theme));
  return `rgb(${table[step]}, ${table[step + 1]}, ${table[step + 2]})`;
}

/** One of `count` colours that contrast with the page; the end of the map nearest to the page's colour is left out. */
export function lineColour(theme: Theme, n: number, count: number): string {
  return mapColour(theme, count < 2 ? 0.75 : 0.28 + (0.72 * n) / (count - 1));
}
