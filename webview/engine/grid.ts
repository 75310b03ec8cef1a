import type { Viewport } from "./renderer.ts";

/**
 * One axis of the picture: which indices are evaluated, and which of them a pixel shows.
 * Sample n stands at index `first + n · stride`; pixel p shows sample ⌊offset + (p + ½) · step⌋.
 */
export interface Axis {
  readonly first: number;
  readonly stride: number;
  readonly count: number;
  readonly pixels: number;
  readonly offset: number;
  readonly step: number;
}

export interface Grid {
  readonly rows: Axis;
  readonly columns: Axis;
}

/**
 * Cells larger than a pixel are all evaluated (stride 1). Smaller ones are sampled at multiples of a power of two,
 * so that the same cells are taken wherever the view is panned to, and δ stays on a lattice.
 * @param from first cell shown, with its fraction; @param extent cells shown; @param total cells there are
 */
export function axisOf(from: number, extent: number, total: number, pixels: number): Axis {
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

export function gridOf(viewport: Viewport, total: { rows: number; columns: number }, size: PixelSize): Grid {
  return {
    rows: axisOf(viewport.row, viewport.rows, total.rows, size.height),
    columns: axisOf(viewport.column, viewport.columns, total.columns, size.width),
  };
}

export interface PixelSize {
  readonly width: number;
  readonly height: number;
}

export function isSampled(grid: Grid): boolean {
  return grid.rows.stride > 1 || grid.columns.stride > 1;
}

/** Index of sample n. */
export function indexAt(axis: Axis, n: number): number {
  return axis.first + n * axis.stride;
}

/** Sample that a pixel shows; −1 beyond the matrix. In float32, as the shader computes it. */
export function sampleAt(axis: Axis, pixel: number): number {
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
export function diagonalsOf({ rows, columns }: Grid, deltaOffset: number): Diagonals {
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

/** A profile is worth its evaluations unless the view is stretched so far that diagonals outnumber cells' edges. */
export function profilePays({ rows, columns }: Grid, diagonals: Diagonals): boolean {
  return diagonals.count <= Math.max(4096, 4 * (rows.count + columns.count));
}
