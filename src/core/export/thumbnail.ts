import { encode } from "fast-png";
import type { Encoding } from "../encodings/encoding.ts";
import type { Params } from "../spec.ts";
import { colourStep, colourTable, valueDomain } from "./colourMaps.ts";
import { type Miniature, miniature } from "./miniature.ts";

export interface Thumbnail {
  readonly png: Uint8Array;
  /** Width and height in pixels. */
  readonly size: number;
  readonly view: Miniature["view"];
}

/** Positions, and pixels: one pixel a cell. */
export const THUMBNAIL_SIZE = 96;

/** Colours tried in turn until the file is small enough: a hover's pictures share 27,000 bytes. */
const LEVELS = [64, 32, 16] as const;
const BYTES = 6000;

/**
 * A small indexed PNG of the matrix over positions 0 … 95 with content of ones, masked cells transparent.
 * @param given values as they were found; what the encoding does not know is left out, the rest are defaults
 * @param light the ground is light: large values are then the dark ones, so that they stand out from it
 * @returns undefined for values that break a rule, and for pictures that would be too large or too slow
 */
export function thumbnail(encoding: Encoding, given: Params, light = false): Thumbnail | undefined {
  const small = miniature(encoding, given, THUMBNAIL_SIZE);
  if (small === undefined) return undefined;
  const { values, rows, columns, view } = small;
  const pixels = stretched(values, rows, columns.length);
  for (const levels of LEVELS) {
    const png = indexedPng(pixels, levels, light);
    if (png.length <= BYTES) return { png, size: THUMBNAIL_SIZE, view };
  }
  return undefined;
}

/** Fills the square by repeating cells: short tables keep hard edges. */
function stretched(values: Float64Array, rows: number, columns: number): Float64Array {
  const out = new Float64Array(THUMBNAIL_SIZE * THUMBNAIL_SIZE);
  for (let y = 0; y < THUMBNAIL_SIZE; y++) {
    const row = Math.floor((y * rows) / THUMBNAIL_SIZE);
    for (let x = 0; x < THUMBNAIL_SIZE; x++) {
      const column = Math.floor((x * columns) / THUMBNAIL_SIZE);
      out[y * THUMBNAIL_SIZE + x] = values[row * columns + column] ?? Number.NaN;
    }
  }
  return out;
}

function indexedPng(values: Float64Array, levels: number, light: boolean): Uint8Array {
  const table = colourTable("viridis");
  const domain = valueDomain(values);
  const width = 256 / levels;
  const colours = Array.from({ length: levels }, (_, level) => {
    const at = 3 * Math.min(255, Math.round((level + 0.5) * width));
    return [table[at] ?? 0, table[at + 1] ?? 0, table[at + 2] ?? 0, 255];
  });
  // The transparent colour must come first: the encoder writes alphas of the leading entries only.
  const palette = [[0, 0, 0, 0], ...(light ? colours.reverse() : colours)];
  const data = Uint8Array.from(values, (value) =>
    Number.isFinite(value) ? 1 + Math.floor(colourStep(value, domain) / width) : 0,
  );
  const size = { width: THUMBNAIL_SIZE, height: THUMBNAIL_SIZE };
  return encode({ ...size, data, channels: 1, depth: 8, palette }, { zlib: { level: 9 } });
}
