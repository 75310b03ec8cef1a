import type { Viewport } from "../../engine/renderer.ts";
import type { Cell } from "../../state/viewport.ts";

export interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** Where the parts of a figure stand, in CSS pixels from its top left corner. */
export interface Geometry {
  readonly width: number;
  readonly height: number;
  readonly plot: Box;
  readonly bar: Box;
  /** Values along the crosshair's row. */
  readonly profile: Box;
  readonly narrow: boolean;
  /** Middle of the title of the rows. */
  readonly rowTitleX: number;
}

export interface GeometryInput {
  readonly width: number;
  readonly height: number;
  /** Widest tick text on the left, in pixels. */
  readonly tickWidth: number;
  /** Size of a text line. */
  readonly line: number;
  /** Rows and columns are the same thing: keep cells near to square. */
  readonly square: boolean;
  /** Rows that can be seen. */
  readonly rows: number;
}

const NARROW = 460;
const BAR = 12;
const GAP = 18;

/** A row of decoding is a strip, not a wall: its cells are no taller than this, and its line has the rest. */
const TALLEST_ROW = 64;
const FLAT = 160;
const TALLEST_PROFILE = 260;

/** Height of the rows and of the profile below them. */
function heights(height: number, around: number, rows: number, profile: number): { plot: number; profile: number } {
  const room = Math.max(40, height - around - profile);
  const plot = Math.max(40, Math.min(room, rows * TALLEST_ROW));
  return { plot, profile: Math.min(Math.max(TALLEST_PROFILE, profile), profile + room - plot) };
}

/** Places the plot, its colour bar (below it where there is little width, or little height to put it beside) and the row's profile. */
export function placeFigure({ width, height, tickWidth, line, square, rows }: GeometryInput): Geometry {
  const narrow = width < NARROW || rows * TALLEST_ROW < FLAT;
  const left = Math.ceil(tickWidth + line * (narrow ? 1.8 : 2.1));
  const top = Math.ceil(line * 2.6);
  const right = narrow ? 12 : GAP + BAR + 8 + line * 4;
  const least = width < NARROW ? 56 : Math.min(92, Math.max(48, height * 0.14));
  const around = top + GAP + 4 + (narrow ? BAR + GAP + line * 1.4 : 0);
  const high = heights(height, around, rows, least);
  const room = Math.max(40, width - left - right);
  const plotWidth = square && !(rows * TALLEST_ROW < FLAT) ? Math.min(room, high.plot * 1.3) : room;
  const x = Math.round(left + (room - plotWidth) / 2);
  const plot = { x, y: top, width: Math.round(plotWidth), height: Math.round(high.plot) };
  const bottom = plot.y + plot.height;
  const bar = narrow
    ? { x, y: bottom + GAP, width: plot.width, height: BAR }
    : { x: plot.x + plot.width + GAP, y: top, width: BAR, height: plot.height };
  const profileTop = narrow ? bar.y + BAR + line * 1.4 + 4 : bottom + GAP;
  const profile = { x, y: Math.round(profileTop), width: plot.width, height: Math.round(high.profile) };
  const rowTitleX = plot.x - left + line * (narrow ? 0.6 : 0.9);
  return { width, height, plot, bar, profile, narrow, rowTitleX };
}

/** The cell under a point of the plot; null outside. */
export function cellAt(plot: Box, viewport: Viewport, x: number, y: number): Cell | null {
  const fx = (x - plot.x) / plot.width;
  const fy = (y - plot.y) / plot.height;
  if (fx < 0 || fx >= 1 || fy < 0 || fy >= 1) return null;
  return {
    row: Math.floor(viewport.row + fy * viewport.rows),
    column: Math.floor(viewport.column + fx * viewport.columns),
  };
}

/** Middle of a column on the page. */
export function columnX(plot: Box, viewport: Viewport, column: number): number {
  return plot.x + ((column + 0.5 - viewport.column) / viewport.columns) * plot.width;
}

/** Middle of a row on the page. */
export function rowY(plot: Box, viewport: Viewport, row: number): number {
  return plot.y + ((row + 0.5 - viewport.row) / viewport.rows) * plot.height;
}
