import type { Viewport } from "../matrix/viewport.ts";

/**
 * One axis of a picture: which indices are evaluated, and which of them each pixel shows.
 * Sample n has index `first + n · stride`; pixel p shows sample ⌊offset + (p + ½) · step⌋.
 */
export interface SampledAxis {
  readonly first: number;
  readonly stride: number;
  readonly count: number;
  readonly pixels: number;
  readonly offset: number;
  readonly step: number;
}

export interface SampledGrid {
  readonly rows: SampledAxis;
  readonly columns: SampledAxis;
}

/**
 * Cells larger than a pixel are all evaluated (stride 1). Smaller ones are sampled at multiples of a power of two, so
 * that panning keeps the same samples and δ stays on a lattice.
 * @param from first visible cell, with its fraction; @param extent visible cells; @param total cells of the matrix
 */
export function sampleAxis(from: number, extent: number, total: number, pixels: number): SampledAxis {
  const cellsPerPixel = extent / pixels;
  const stride = cellsPerPixel <= 1 ? 1 : 2 ** Math.ceil(Math.log2(cellsPerPixel));
  const first = Math.max(0, Math.floor(from / stride) * stride);
  const end = Math.min(total, Math.ceil(from + extent));
  return {
    first,
    stride,
    count: Math.max(0, Math.ceil((end - first) / stride)),
    pixels,
    offset: (from - first) / stride,
    step: cellsPerPixel / stride,
  };
}

export function sampleGrid(viewport: Viewport, total: { rows: number; columns: number }, size: PixelSize): SampledGrid {
  return {
    rows: sampleAxis(viewport.row, viewport.rows, total.rows, size.height),
    columns: sampleAxis(viewport.column, viewport.columns, total.columns, size.width),
  };
}

export interface PixelSize {
  readonly width: number;
  readonly height: number;
}

export function isSampled(grid: SampledGrid): boolean {
  return grid.rows.stride > 1 || grid.columns.stride > 1;
}

/** Index of sample n. */
export function sampleIndex(axis: SampledAxis, n: number): number {
  return axis.first + n * axis.stride;
}

/** Sample that a pixel shows; −1 outside the matrix. In float32, as the shader computes it. */
export function sampleOfPixel(axis: SampledAxis, pixel: number): number {
  const n = Math.floor(
    Math.fround(Math.fround(axis.offset) + Math.fround(Math.fround(pixel + 0.5) * Math.fround(axis.step))),
  );
  return n >= 0 && n < axis.count ? n : -1;
}

/**
 * The visible diagonals. δ of samples (k, l) is `deltaFirst + (k · rowStep − l · columnStep + shift) · unit`, and its
 * slot in a profile is k · rowStep − l · columnStep + shift, from 0 to `count` − 1.
 */
export interface Diagonals {
  readonly unit: number;
  readonly rowStep: number;
  readonly columnStep: number;
  readonly shift: number;
  readonly count: number;
  readonly deltaFirst: number;
}

/** @param deltaOffset as in `Attention` */
export function visibleDiagonals({ rows, columns }: SampledGrid, deltaOffset: number): Diagonals {
  // Strides are powers of two: the smaller one divides the larger.
  const unit = Math.min(rows.stride, columns.stride);
  const rowStep = rows.stride / unit;
  const columnStep = columns.stride / unit;
  const shift = Math.max(0, columns.count - 1) * columnStep;
  return {
    unit,
    rowStep,
    columnStep,
    shift,
    count: Math.max(0, rows.count - 1) * rowStep + shift + 1,
    deltaFirst: rows.first - columns.first + deltaOffset - shift * unit,
  };
}

/** A profile saves work unless the view is stretched so far that there are more diagonals than rows and columns. */
export function isProfileWorthwhile({ rows, columns }: SampledGrid, diagonals: Diagonals): boolean {
  return diagonals.count <= Math.max(4096, 4 * (rows.count + columns.count));
}
