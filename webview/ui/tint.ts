import { type ColourMap, colourStep, colourTable } from "../../src/core/export/colourMaps.ts";

/** A value's colour, with black or white for readable text on it. */
export function tintColours(value: number, domain: readonly [number, number], map: ColourMap) {
  const step = Math.max(0, colourStep(value, domain)) * 3;
  const [r = 0, g = 0, b = 0] = colourTable(map).subarray(step, step + 3);
  const bright = 0.299 * r + 0.587 * g + 0.114 * b > 140;
  return { background: `rgb(${r}, ${g}, ${b})`, text: bright ? "#000" : "#fff" };
}
