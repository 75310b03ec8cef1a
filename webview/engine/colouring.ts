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
 * Share of the largest size below which a signed logarithmic scale is linear. Logits are in float32 on the GPU, which
 * has no more decades to show; differences are in float64, and those of weights need as many as weights.
 */
export function linearShare({ map }: Pick<Colouring, "map">): number {
  return map === "difference" ? LOG_FLOOR : 1e-4;
}

/** How a scale runs from one end of its domain to the other: linearly, or with `linearShare`. */
export type Curve = number | "linear";

export function curveOf(colouring: Pick<Colouring, "map" | "scale">): Curve {
  return isLogarithmic(colouring) ? linearShare(colouring) : "linear";
}

export function isByRow({ scale }: Pick<Colouring, "scale">): boolean {
  return scale === "row" || scale === "rowLog";
}

export function isLogarithmic({ scale }: Pick<Colouring, "scale">): boolean {
  return scale === "log" || scale === "rowLog";
}

/**
 * The domain that colours span, from the smallest and largest visible value: weights start at 0, differences are
 * symmetric, and a logarithmic scale starts above 0 where the values allow it; else it is a signed one.
 */
export function settleDomain([low, high]: Domain, colouring: Colouring, weights: boolean): Domain {
  if (!(low <= high)) return [0, 1];
  if (colouring.map === "difference") {
    const reach = Math.max(Math.abs(low), Math.abs(high));
    return [-reach, reach];
  }
  if (isLogarithmic(colouring) && low >= 0 && high > 0) return [Math.max(low, high * LOG_FLOOR), high];
  return weights ? [0, high] : [low, high];
}

/** sign(v) · ln(1 + |v| / ε): logarithmic on both sides of zero, linear where |v| is below ε. */
function signedLog(value: number, epsilon: number): number {
  return Math.sign(value) * Math.log1p(Math.abs(value) / epsilon);
}

/** Place of a value between the ends of a domain, 0 … 1 within it. The shader computes the same. */
export function fractionOf(value: number, [low, high]: Domain, curve: Curve): number {
  if (curve === "linear") return (value - low) / (high - low);
  if (low > 0) return Math.log(Math.max(value, low) / low) / Math.log(high / low);
  const epsilon = Math.max(-low, high) * curve;
  const from = signedLog(low, epsilon);
  return (signedLog(value, epsilon) - from) / (signedLog(high, epsilon) - from);
}

/** Step 0 … 255 of a value, `BAD_STEP` for NaN. */
export function stepsOf(domain: Domain, curve: Curve): (value: number) => number {
  const [low, high] = domain;
  if (!(high > low)) return (value) => (Number.isNaN(value) ? BAD_STEP : 128);
  // Written out where it is asked for a million times: half the time of the general form.
  const fraction =
    curve === "linear"
      ? (value: number) => (value - low) / (high - low)
      : (value: number) => fractionOf(value, domain, curve);
  return (value) => {
    const step = fraction(value) * 256;
    return Number.isNaN(value) ? BAD_STEP : step < 255 ? Math.max(0, Math.floor(step)) : 255;
  };
}
