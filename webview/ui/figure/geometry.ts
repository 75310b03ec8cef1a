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
}

const NARROW = 460;
const BAR = 12;
const GAP = 18;

/** Places the plot, its colour bar (below it where there is little width) and the row's profile. */
export function placeFigure({ width, height, tickWidth, line, square }: GeometryInput): Geometry {
  const narrow = width < NARROW;
  const left = Math.ceil(tickWidth + line * (narrow ? 1.8 : 2.1));
  const top = Math.ceil(line * 2.6);
  const right = narrow ? 12 : GAP + BAR + 8 + line * 4;
  const profileHeight = narrow ? 56 : Math.min(92, Math.max(48, height * 0.14));
  const below = profileHeight + GAP + 4 + (narrow ? BAR + GAP + line * 1.4 : 0);
  const room = { width: Math.max(40, width - left - right), height: Math.max(40, height - top - below) };
  const plotWidth = square ? Math.min(room.width, room.height * 1.3) : room.width;
  const x = Math.round(left + (room.width - plotWidth) / 2);
  const plot = { x, y: top, width: Math.round(plotWidth), height: Math.round(room.height) };
  const bottom = plot.y + plot.height;
  const bar = narrow
    ? { x, y: bottom + GAP, width: plot.width, height: BAR }
    : { x: plot.x + plot.width + GAP, y: top, width: BAR, height: plot.height };
  const profileTop = narrow ? bar.y + BAR + line * 1.4 + 4 : bottom + GAP;
  const profile = { x, y: Math.round(profileTop), width: plot.width, height: Math.round(profileHeight) };
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
