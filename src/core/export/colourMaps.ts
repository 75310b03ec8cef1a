import { rgb } from "d3-color";
import {
  interpolateCividis,
  interpolateGreys,
  interpolateMagma,
  interpolateRdBu,
  interpolateViridis,
} from "d3-scale-chromatic";

/**
 * Perceptually uniform colour maps that are readable with colour vision deficiency; `difference` is centred at zero.
 */
export const COLOUR_MAPS = {
  viridis: interpolateViridis,
  /** For light themes: large values are dark. */
  viridisReversed: (fraction: number) => interpolateViridis(1 - fraction),
  cividis: interpolateCividis,
  magma: interpolateMagma,
  greys: interpolateGreys,
  difference: (fraction: number) => interpolateRdBu(1 - fraction),
} as const;

export type ColourMap = keyof typeof COLOUR_MAPS;

/** 256 RGB steps of a map, as bytes; used by the shader's texture, indexed PNGs and the CPU renderer. */
export function colourTable(map: ColourMap): Uint8Array {
  const table = new Uint8Array(256 * 3);
  for (let n = 0; n < 256; n++) {
    const colour = rgb(COLOUR_MAPS[map](n / 255));
    table.set([Math.round(colour.r), Math.round(colour.g), Math.round(colour.b)], n * 3);
  }
  return table;
}

/** Step 0 … 255 of a value on a linear domain, clamped; −1 for NaN. If the domain is a single value, the middle. */
export function colourStep(value: number, domain: readonly [number, number]): number {
  if (Number.isNaN(value)) return -1;
  const [low, high] = domain;
  const fraction = high > low ? (value - low) / (high - low) : 0.5;
  return Math.min(255, Math.max(0, Math.floor(fraction * 256)));
}

/** Smallest and largest finite value of the visible cells; [0, 1] if there is none. */
export function valueDomain(values: ArrayLike<number>, visible?: ArrayLike<number>): [number, number] {
  let low = Number.POSITIVE_INFINITY;
  let high = Number.NEGATIVE_INFINITY;
  for (let n = 0; n < values.length; n++) {
    const value = values[n] ?? Number.NaN;
    if (visible?.[n] === 0 || !Number.isFinite(value)) continue;
    low = Math.min(low, value);
    high = Math.max(high, value);
  }
  return low <= high ? [low, high] : [0, 1];
}
