/**
 * The visible part of the matrix, in cells, with fractions while zooming. `row` and `column` are the first visible
 * ones.
 */
export interface Viewport {
  readonly row: number;
  readonly column: number;
  readonly rows: number;
  readonly columns: number;
}

/** Size of the whole matrix, in cells. */
export interface Extent {
  readonly rows: number;
  readonly columns: number;
}

export interface MatrixCell {
  readonly row: number;
  readonly column: number;
}

/** Limit of zooming in: fewer cells than this show no structure. */
const MIN_VISIBLE_CELLS = 4;

export function fitViewport(extent: Extent): Viewport {
  return { row: 0, column: 0, rows: extent.rows, columns: extent.columns };
}

function clampAxis(first: number, count: number, total: number): { first: number; count: number } {
  const shown = Math.min(Math.max(count, Math.min(MIN_VISIBLE_CELLS, total)), total);
  return { first: Math.min(Math.max(first, 0), total - shown), count: shown };
}

/** The nearest viewport that lies within the matrix. */
export function clampViewport(viewport: Viewport, extent: Extent): Viewport {
  const rows = clampAxis(viewport.row, viewport.rows, extent.rows);
  const columns = clampAxis(viewport.column, viewport.columns, extent.columns);
  return { row: rows.first, column: columns.first, rows: rows.count, columns: columns.count };
}

/** The saved viewport, or the whole matrix. */
export function effectiveViewport(saved: Viewport | null, extent: Extent): Viewport {
  return saved === null ? fitViewport(extent) : clampViewport(saved, extent);
}

/**
 * Shows `factor` times as many cells (below 1: zooms in), keeping the cell under a point in place.
 * @param at the point as fractions of width and height
 */
export function zoomViewport(
  viewport: Viewport,
  extent: Extent,
  factor: number,
  at: { x: number; y: number },
): Viewport {
  const size = clampViewport({ ...viewport, rows: viewport.rows * factor, columns: viewport.columns * factor }, extent);
  return clampViewport(
    {
      row: viewport.row + at.y * (viewport.rows - size.rows),
      column: viewport.column + at.x * (viewport.columns - size.columns),
      rows: size.rows,
      columns: size.columns,
    },
    extent,
  );
}

export function panViewport(viewport: Viewport, extent: Extent, rows: number, columns: number): Viewport {
  return clampViewport({ ...viewport, row: viewport.row + rows, column: viewport.column + columns }, extent);
}

function revealAxis(first: number, count: number, index: number): number {
  if (index < first) return index;
  return index + 1 > first + count ? index + 1 - count : first;
}

/** The nearest viewport of the same size that contains a cell. */
export function revealCell(viewport: Viewport, extent: Extent, cell: MatrixCell): Viewport {
  return clampViewport(
    {
      ...viewport,
      row: revealAxis(viewport.row, viewport.rows, cell.row),
      column: revealAxis(viewport.column, viewport.columns, cell.column),
    },
    extent,
  );
}

/** Centres a cell and zooms in to at most `maxCells` rows and columns. */
export function centreOn(viewport: Viewport, extent: Extent, cell: MatrixCell, maxCells = 256): Viewport {
  const rows = Math.min(viewport.rows, maxCells);
  const columns = Math.min(viewport.columns, maxCells);
  return clampViewport(
    { row: cell.row + 0.5 - rows / 2, column: cell.column + 0.5 - columns / 2, rows, columns },
    extent,
  );
}

export function clampCell(cell: MatrixCell, extent: Extent): MatrixCell {
  const clamp = (index: number, count: number) => Math.min(Math.max(Math.floor(index), 0), count - 1);
  return { row: clamp(cell.row, extent.rows), column: clamp(cell.column, extent.columns) };
}

/** The saved crosshair, or a cell where queries look back at some distance. */
export function effectiveCrosshair(saved: MatrixCell | null, viewport: Viewport, extent: Extent): MatrixCell {
  if (saved !== null) return clampCell(saved, extent);
  return clampCell(
    { row: viewport.row + viewport.rows * 0.75, column: viewport.column + viewport.columns * 0.5 },
    extent,
  );
}

/** Whole visible cells, half-open. */
export function visibleRange(first: number, count: number, total: number): { from: number; to: number } {
  return { from: Math.max(0, Math.floor(first + 1e-9)), to: Math.min(total, Math.ceil(first + count - 1e-9)) };
}

/** `count` indices spread over a range of an axis, one under the middle of each pixel. */
export function sampleIndices(first: number, span: number, count: number, total: number): number[] {
  return Array.from({ length: count }, (_, n) =>
    Math.min(total - 1, Math.max(0, Math.floor(first + ((n + 0.5) * span) / count))),
  );
}
