import { type ColourMap, colourTable } from "../../src/core/export/colourMaps.ts";
import type { Colouring } from "./renderer.ts";

/** RGB of cells whose value is NaN; none of the maps contains it. */
export const NAN_COLOUR = [214, 39, 140] as const;

/** A logarithmic scale ends at this share of the largest value: weights below it are practically zero. */
export const LOG_FLOOR = 1e-6;

export function parseBackground({ background }: Colouring): [number, number, number] {
  const value = Number.parseInt(background.slice(1, 7), 16);
  return [(value >> 16) & 255, (value >> 8) & 255, value & 255];
}

/** Packs RGB bytes as opaque RGBA in the little-endian layout of ImageData. */
export function packRgba(r: number, g: number, b: number): number {
  return ((255 << 24) | (b << 16) | (g << 8) | r) >>> 0;
}

/** Step of NaN, after the map's 256 steps. */
export const NAN_STEP = 256;

const packedPalettes = new Map<ColourMap, Uint32Array>();

/** Packed RGBA for each step of a map and for `NAN_STEP`, padded to a multiple of four. */
export function packedPalette(map: ColourMap): Uint32Array {
  const palette = packedPalettes.get(map) ?? packPalette(colourTable(map));
  packedPalettes.set(map, palette);
  return palette;
}

function packPalette(table: Uint8Array): Uint32Array {
  return Uint32Array.from({ length: NAN_STEP + 4 }, (_, step) =>
    step < NAN_STEP
      ? packRgba(table[step * 3] ?? 0, table[step * 3 + 1] ?? 0, table[step * 3 + 2] ?? 0)
      : packRgba(...NAN_COLOUR),
  );
}

export type ColourDomain = readonly [number, number];

/**
 * Share of the largest size below which a signed logarithmic scale is linear. Logits are in float32 on the GPU, which
 * has no more decades to show; differences are in float64, and those of weights need as many as weights.
 */
export function linearShare({ map }: Pick<Colouring, "map">): number {
  return map === "difference" ? LOG_FLOOR : 1e-4;
}

/** Shape of a colour scale: linear, or logarithmic with this `linearShare`. */
export type ColourCurve = number | "linear";

export function colourCurve(colouring: Pick<Colouring, "map" | "scale">): ColourCurve {
  return isLogarithmic(colouring) ? linearShare(colouring) : "linear";
}

export function isByRow({ scale }: Pick<Colouring, "scale">): boolean {
  return scale === "row" || scale === "rowLog";
}

export function isLogarithmic({ scale }: Pick<Colouring, "scale">): boolean {
  return scale === "log" || scale === "rowLog";
}

/**
 * The colour domain for the smallest and largest visible value. Weights start at 0, differences are symmetric, and a
 * logarithmic scale starts above 0 if all values allow it; otherwise it is a signed one.
 */
export function resolveDomain([low, high]: ColourDomain, colouring: Colouring, weights: boolean): ColourDomain {
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

/** Position of a value in a domain, 0 … 1. The shader computes the same. */
export function domainFraction(value: number, [low, high]: ColourDomain, curve: ColourCurve): number {
  if (curve === "linear") return (value - low) / (high - low);
  if (low > 0) return Math.log(Math.max(value, low) / low) / Math.log(high / low);
  const epsilon = Math.max(-low, high) * curve;
  const from = signedLog(low, epsilon);
  return (signedLog(value, epsilon) - from) / (signedLog(high, epsilon) - from);
}

/** Returns a function from a value to its step 0 … 255, or `NAN_STEP`. */
export function colourStepper(domain: ColourDomain, curve: ColourCurve): (value: number) => number {
  const [low, high] = domain;
  if (!(high > low)) return (value) => (Number.isNaN(value) ? NAN_STEP : 128);
  // Inlined because it runs a million times per picture; this halves the time of the general form.
  const fraction =
    curve === "linear"
      ? (value: number) => (value - low) / (high - low)
      : (value: number) => domainFraction(value, domain, curve);
  return (value) => {
    const step = fraction(value) * 256;
    return Number.isNaN(value) ? NAN_STEP : step < 255 ? Math.max(0, Math.floor(step)) : 255;
  };
}
