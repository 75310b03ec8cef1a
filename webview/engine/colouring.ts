import { type ColourMap, colourTable } from "../../src/core/export/colourMaps.ts";
import type { Colouring } from "./renderer.ts";

/** Cells whose value is not a number, RGB: none of the maps has this colour. */
export const BAD_COLOUR = [214, 39, 140] as const;

/** Share of the largest value at which a logarithmic scale of its own ends: below, weights are as good as zero. */
export const LOG_FLOOR = 1e-6;

export function backgroundOf({ background }: Colouring): [number, number, number] {
  const value = Number.parseInt(background.slice(1, 7), 16);
  return [(value >> 16) & 255, (value >> 8) & 255, value & 255];
}

/** RGBA of a byte triple, as an ImageData's words hold it on every machine that browsers run on. */
export function word(r: number, g: number, b: number): number {
  return ((255 << 24) | (b << 16) | (g << 8) | r) >>> 0;
}

/** Step of values that are not numbers: after the map's own. */
export const BAD_STEP = 256;

const palettes = new Map<ColourMap, Uint32Array>();

/** A word for each step of a map, and for `BAD_STEP`; a multiple of four of them. */
export function paletteOf(map: ColourMap): Uint32Array {
  const palette = palettes.get(map) ?? newPalette(colourTable(map));
  palettes.set(map, palette);
  return palette;
}

function newPalette(table: Uint8Array): Uint32Array {
  return Uint32Array.from({ length: BAD_STEP + 4 }, (_, step) =>
    step < BAD_STEP
      ? word(table[step * 3] ?? 0, table[step * 3 + 1] ?? 0, table[step * 3 + 2] ?? 0)
      : word(...BAD_COLOUR),
  );
}

export type Domain = readonly [number, number];

/**
 * The domain that colours span, from the smallest and largest visible value: weights start at 0, differences are
 * symmetric, and a logarithmic scale starts above 0 (where the values allow one; else it is drawn linear).
 */
export function settleDomain([low, high]: Domain, colouring: Colouring, weights: boolean): Domain {
  if (!(low <= high)) return [0, 1];
  if (colouring.map === "difference") {
    const reach = Math.max(Math.abs(low), Math.abs(high));
    return [-reach, reach];
  }
  if (colouring.scale === "log" && low >= 0 && high > 0) return [Math.max(low, high * LOG_FLOOR), high];
  return weights ? [0, high] : [low, high];
}

/** Step 0 … 255 of a value, `BAD_STEP` for NaN. The shader computes the same. */
export function stepOf(value: number, [low, high]: Domain, logarithmic: boolean): number {
  if (Number.isNaN(value)) return BAD_STEP;
  const fraction =
    logarithmic && low > 0 ? Math.log(Math.max(value, low) / low) / Math.log(high / low) : (value - low) / (high - low);
  return high > low ? Math.min(255, Math.max(0, Math.floor(fraction * 256))) : 128;
}
