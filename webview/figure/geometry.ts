import type { MatrixCell, Viewport } from "../matrix/viewport.ts";

export interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** Rectangles of a figure's parts, in CSS pixels from its top left corner. */
export interface FigureGeometry {
  readonly width: number;
  readonly height: number;
  readonly plot: Box;
  readonly colourBar: Box;
  /** Plot of the crosshair's row. */
  readonly profile: Box;
  readonly narrow: boolean;
  /** Centre of the row axis title. */
  readonly rowTitleX: number;
}

export interface GeometryInput {
  readonly width: number;
  readonly height: number;
  /** Widest tick text on the left, in pixels. */
  readonly tickWidth: number;
  /** Size of a text line. */
  readonly line: number;
  /** Rows and columns mean the same, so cells should be nearly square. */
  readonly square: boolean;
  /** Visible rows. */
  readonly rows: number;
}

const NARROW_WIDTH = 460;
const COLOUR_BAR_THICKNESS = 12;
const PART_GAP = 18;

/** A single decoding query is drawn as a strip: cells are at most this high, and the rest goes to the profile. */
const MAX_ROW_HEIGHT = 64;
const FLAT_PLOT_HEIGHT = 160;
const MAX_PROFILE_HEIGHT = 260;

/** Divides the height between the plot and the profile below it. */
function splitHeight(height: number, around: number, rows: number, profile: number): { plot: number; profile: number } {
  const room = Math.max(40, height - around - profile);
  const plot = Math.max(40, Math.min(room, rows * MAX_ROW_HEIGHT));
  return { plot, profile: Math.min(Math.max(MAX_PROFILE_HEIGHT, profile), profile + room - plot) };
}

/** Lays out the plot, its colour bar (below it if the figure is narrow or flat) and the row profile. */
export function layOutFigure({ width, height, tickWidth, line, square, rows }: GeometryInput): FigureGeometry {
  const narrow = width < NARROW_WIDTH || rows * MAX_ROW_HEIGHT < FLAT_PLOT_HEIGHT;
  const left = Math.ceil(tickWidth + line * (narrow ? 1.8 : 2.1));
  const top = Math.ceil(line * 2.6);
  const right = narrow ? 12 : PART_GAP + COLOUR_BAR_THICKNESS + 8 + line * 4;
  const minProfile = width < NARROW_WIDTH ? 56 : Math.min(92, Math.max(48, height * 0.14));
  const around = top + PART_GAP + 4 + (narrow ? COLOUR_BAR_THICKNESS + PART_GAP + line * 1.4 : 0);
  const split = splitHeight(height, around, rows, minProfile);
  const room = Math.max(40, width - left - right);
  const plotWidth = square && !(rows * MAX_ROW_HEIGHT < FLAT_PLOT_HEIGHT) ? Math.min(room, split.plot * 1.3) : room;
  const x = Math.round(left + (room - plotWidth) / 2);
  const plot = { x, y: top, width: Math.round(plotWidth), height: Math.round(split.plot) };
  const bottom = plot.y + plot.height;
  const colourBar = narrow
    ? { x, y: bottom + PART_GAP, width: plot.width, height: COLOUR_BAR_THICKNESS }
    : { x: plot.x + plot.width + PART_GAP, y: top, width: COLOUR_BAR_THICKNESS, height: plot.height };
  const profileTop = narrow ? colourBar.y + COLOUR_BAR_THICKNESS + line * 1.4 + 4 : bottom + PART_GAP;
  const profile = { x, y: Math.round(profileTop), width: plot.width, height: Math.round(split.profile) };
  const rowTitleX = plot.x - left + line * (narrow ? 0.6 : 0.9);
  return { width, height, plot, colourBar, profile, narrow, rowTitleX };
}

/** The cell under a point of the plot; null outside. */
export function cellAt(plot: Box, viewport: Viewport, x: number, y: number): MatrixCell | null {
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
