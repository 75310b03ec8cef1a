import { encode } from "fast-png";
import type { Encoding } from "../encodings/encoding.ts";
import type { Params } from "../spec.ts";
import { colourStep, colourTable, valueDomain } from "./colourMaps.ts";
import { computeMiniature, type Miniature } from "./miniature.ts";

export interface Thumbnail {
  readonly png: Uint8Array;
  /** Width and height in pixels. */
  readonly size: number;
  readonly view: Miniature["view"];
}

/** Positions per side, and pixels: one per cell. */
export const THUMBNAIL_SIZE = 96;

/** Palette sizes, tried in turn until the PNG is small enough: the pictures of a hover share 27,000 bytes. */
const PALETTE_SIZES = [64, 32, 16] as const;
const MAX_PNG_BYTES = 6000;

/**
 * A small indexed PNG of the matrix over positions 0 … 95 with content of ones; masked cells are transparent.
 * @param given values as read; unknown names are ignored, missing ones are defaults
 * @param light for light themes: large values are dark, so that they stand out
 * @returns undefined if a value is invalid, or if the picture would be too large or take too long
 */
export function encodeThumbnail(encoding: Encoding, given: Params, light = false): Thumbnail | undefined {
  const miniature = computeMiniature(encoding, given, THUMBNAIL_SIZE);
  if (miniature === undefined) return undefined;
  const { values, rows, columns, view } = miniature;
  const pixels = resizeToSquare(values, rows, columns.length);
  for (const levels of PALETTE_SIZES) {
    const png = encodeIndexedPng(pixels, levels, light);
    if (png.length <= MAX_PNG_BYTES) return { png, size: THUMBNAIL_SIZE, view };
  }
  return undefined;
}

/** Fills the square by repeating cells, which keeps sharp edges. */
function resizeToSquare(values: Float64Array, rows: number, columns: number): Float64Array {
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

function encodeIndexedPng(values: Float64Array, levels: number, light: boolean): Uint8Array {
  const table = colourTable("viridis");
  const domain = valueDomain(values);
  const width = 256 / levels;
  const colours = Array.from({ length: levels }, (_, level) => {
    const at = 3 * Math.min(255, Math.round((level + 0.5) * width));
    return [table[at] ?? 0, table[at + 1] ?? 0, table[at + 2] ?? 0, 255];
  });
  // The transparent colour must come first, because the encoder writes alpha only for the leading entries.
  const palette = [[0, 0, 0, 0], ...(light ? colours.reverse() : colours)];
  const data = Uint8Array.from(values, (value) =>
    Number.isFinite(value) ? 1 + Math.floor(colourStep(value, domain) / width) : 0,
  );
  const size = { width: THUMBNAIL_SIZE, height: THUMBNAIL_SIZE };
  return encode({ ...size, data, channels: 1, depth: 8, palette }, { zlib: { level: 9 } });
}
