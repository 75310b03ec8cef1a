import { type ColourMap, colourTable } from "../../src/core/export/colourMaps.ts";
import type { ColourScale } from "../../src/core/protocol/state.ts";
import { type ColourDomain, domainFraction, linearShare } from "../engine/colouring.ts";
import type { MatrixCell, Viewport } from "../matrix/viewport.ts";
import { groupDigits } from "../ui/format.ts";
import type { Palette } from "../ui/palette.ts";
import { positionTicks, powerText, tickText, valueTicks } from "../ui/ticks.ts";
import { type Box, columnX, type FigureGeometry, rowY } from "./geometry.ts";
import type { MatrixAxis } from "./matrixSource.ts";

/** Everything in a figure except its cells, on the page and in a PNG alike. */
export interface Overlay {
  readonly geometry: FigureGeometry;
  readonly palette: Palette;
  readonly viewport: Viewport;
  readonly rowAxis: MatrixAxis;
  readonly columnAxis: MatrixAxis;
  readonly map: ColourMap;
  readonly scale: ColourScale;
  readonly domain: readonly [number, number] | null;
  readonly crosshair: MatrixCell | null;
  readonly profile: RowProfile | null;
}

/** Values of one row, per pixel column or cell. */
export interface RowProfile {
  readonly label: string;
  readonly values: Float64Array;
  /** Horizontal position of a value: 0 at the plot's left edge, 1 at its right. */
  readonly at: (index: number) => number;
}

type Context2d = CanvasRenderingContext2D;

export function paintOverlay(context: Context2d, overlay: Overlay): void {
  const { geometry, palette } = overlay;
  context.clearRect(0, 0, geometry.width, geometry.height);
  context.lineWidth = 1;
  paintAxes(context, overlay);
  paintColourBar(context, overlay);
  paintProfile(context, overlay);
  strokeFrame(context, geometry.plot, palette.line);
  paintCrosshair(context, overlay);
}

function strokeFrame(context: Context2d, { x, y, width, height }: Box, colour: string): void {
  context.strokeStyle = colour;
  context.strokeRect(x - 0.5, y - 0.5, width + 1, height + 1);
}

function setTextStyle(context: Context2d, { font, size }: Palette, colour: string, align: CanvasTextAlign): void {
  context.font = `${Math.round(size * 0.85)}px ${font}`;
  context.fillStyle = colour;
  context.textAlign = align;
  context.textBaseline = "middle";
}

function paintAxes(context: Context2d, overlay: Overlay): void {
  const { geometry, palette, viewport, rowAxis, columnAxis } = overlay;
  const { plot } = geometry;
  const line = palette.size;
  setTextStyle(context, palette, palette.muted, "center");
  context.fillText(`${columnAxis.label} →`, plot.x + plot.width / 2, plot.y - line * 2);
  const maxColumnTicks = Math.max(3, Math.floor(plot.width / (line * 6.5)));
  for (const tick of positionTicks(viewport.column + columnAxis.first, viewport.columns, maxColumnTicks)) {
    const x = columnX(plot, viewport, tick - columnAxis.first);
    strokeLine(context, palette.line, x, plot.y - 4, x, plot.y);
    context.fillText(groupDigits(tick), x, plot.y - line * 0.9);
  }
  context.textAlign = "right";
  const maxRowTicks = Math.max(2, Math.floor(plot.height / (line * 4.5)));
  for (const tick of positionTicks(viewport.row + rowAxis.first, viewport.rows, maxRowTicks)) {
    const y = rowY(plot, viewport, tick - rowAxis.first);
    strokeLine(context, palette.line, plot.x - 4, y, plot.x, y);
    context.fillText(groupDigits(tick), plot.x - 7, y);
  }
  paintRowTitle(context, overlay);
}

function paintRowTitle(context: Context2d, { geometry, rowAxis }: Overlay): void {
  const { plot, rowTitleX } = geometry;
  context.save();
  context.textAlign = "center";
  context.translate(rowTitleX, plot.y + plot.height / 2);
  context.rotate(-Math.PI / 2);
  context.fillText(`← ${rowAxis.label}`, 0, 0);
  context.restore();
}

function strokeLine(context: Context2d, colour: string, x0: number, y0: number, x1: number, y1: number): void {
  context.strokeStyle = colour;
  context.beginPath();
  context.moveTo(Math.round(x0) + 0.5, Math.round(y0) + 0.5);
  context.lineTo(Math.round(x1) + 0.5, Math.round(y1) + 0.5);
  context.stroke();
}

/** Ticks of the colour bar, at fractions of its length. */
export function colourBarTicks(
  overlay: Pick<Overlay, "domain" | "scale" | "map">,
  maxTicks: number,
): { readonly at: number; readonly text: string }[] {
  const { domain, scale, map } = overlay;
  if (domain === null) return [];
  const [low, high] = domain;
  if (scale === "row" || scale === "rowLog")
    return [
      { at: 0, text: "min" },
      { at: 1, text: "max" },
    ];
  if (scale === "log")
    return low > 0 ? logBarTicks(low, high, maxTicks) : signedBarTicks([low, high], linearShare({ map }), maxTicks);
  const ticks = valueTicks(low, high, maxTicks);
  const step = (ticks[1] ?? 1) - (ticks[0] ?? 0);
  return ticks.map((value) => ({ at: (value - low) / (high - low), text: tickText(value, step) }));
}

function logBarTicks(low: number, high: number, maxTicks: number): { at: number; text: string }[] {
  const from = Math.log10(low);
  const span = Math.log10(high) - from;
  if (!(span > 0)) return [];
  const every = Math.max(1, Math.ceil(span / maxTicks));
  const ticks: { at: number; text: string }[] = [];
  for (let power = Math.ceil(from - 1e-9); power <= from + span + 1e-9; power += every) {
    ticks.push({ at: (power - from) / span, text: powerText(power) });
  }
  return ticks;
}

/** Ticks at 0 and at powers of ten on both sides, as dense as space allows. */
function signedBarTicks([low, high]: ColourDomain, share: number, maxTicks: number): { at: number; text: string }[] {
  const top = Math.floor(Math.log10(Math.max(-low, high)));
  const at = (value: number) => domainFraction(value, [low, high], share);
  const ticks = low <= 0 && high >= 0 ? [{ at: at(0), text: "0" }] : [];
  for (let power = top; power > top + Math.log10(share); power--) {
    const sides = [
      { at: at(10 ** power), text: powerText(power) },
      { at: at(-(10 ** power)), text: `\u2212${powerText(power)}` },
    ];
    const room = sides.filter((tick) => ticks.every((other) => Math.abs(other.at - tick.at) >= 0.8 / maxTicks));
    ticks.push(...room.filter((tick) => tick.at >= 0 && tick.at <= 1));
  }
  return ticks;
}

function paintColourBar(context: Context2d, overlay: Overlay): void {
  const { geometry, palette, map } = overlay;
  const { colourBar, narrow } = geometry;
  const table = colourTable(map);
  const length = narrow ? colourBar.width : colourBar.height;
  for (let n = 0; n < length; n++) {
    const step = Math.min(255, Math.floor((256 * (n + 0.5)) / length)) * 3;
    context.fillStyle = `rgb(${table[step]}, ${table[step + 1]}, ${table[step + 2]})`;
    if (narrow) context.fillRect(colourBar.x + n, colourBar.y, 1, colourBar.height);
    else context.fillRect(colourBar.x, colourBar.y + length - 1 - n, colourBar.width, 1);
  }
  setTextStyle(context, palette, palette.muted, narrow ? "center" : "left");
  const line = palette.size;
  const maxTicks = Math.max(2, Math.floor(length / (line * 4)));
  for (const { at, text } of colourBarTicks(overlay, maxTicks)) {
    if (narrow) context.fillText(text, colourBar.x + at * length, colourBar.y + colourBar.height + line * 0.8);
    else {
      const y = colourBar.y + (1 - at) * length;
      strokeLine(context, palette.line, colourBar.x + colourBar.width, y, colourBar.x + colourBar.width + 3, y);
      context.fillText(text, colourBar.x + colourBar.width + 7, y);
    }
  }
}

/** Points of the row profile in its box; null for values that are not finite. */
export function profilePoints({ values, at }: RowProfile, box: Box): (readonly [x: number, y: number] | null)[] {
  const finite = values.filter((value) => Number.isFinite(value));
  const low = finite.reduce((a, b) => Math.min(a, b), Number.POSITIVE_INFINITY);
  const high = finite.reduce((a, b) => Math.max(a, b), Number.NEGATIVE_INFINITY);
  const span = high > low ? high - low : 1;
  const middle = high > low ? 0 : 0.5;
  return Array.from(values, (value, n) => {
    if (!Number.isFinite(value)) return null;
    const y = box.y + box.height - 6 - ((value - low) / span + middle) * (box.height - 12);
    return [box.x + at(n) * box.width, y];
  });
}

function paintProfile(context: Context2d, { geometry, palette, profile }: Overlay): void {
  const { profile: box } = geometry;
  strokeFrame(context, box, palette.line);
  if (profile === null) return;
  context.save();
  context.beginPath();
  context.rect(box.x, box.y, box.width, box.height);
  context.clip();
  context.strokeStyle = palette.accent;
  context.beginPath();
  let pen = false;
  for (const point of profilePoints(profile, box)) {
    if (point !== null && pen) context.lineTo(...point);
    else if (point !== null) context.moveTo(...point);
    pen = point !== null;
  }
  context.stroke();
  context.restore();
  setTextStyle(context, palette, palette.muted, "left");
  paintLabel(context, profile.label, box.x + 8, box.y + palette.size * 0.9, palette);
}

/** Text with a background, readable over a line. */
function paintLabel(context: Context2d, text: string, x: number, y: number, { page, size }: Palette): void {
  const { fillStyle } = context;
  context.globalAlpha = 0.8;
  context.fillStyle = page;
  context.fillRect(x - 3, y - size * 0.6, context.measureText(text).width + 6, size * 1.2);
  context.globalAlpha = 1;
  context.fillStyle = fillStyle;
  context.fillText(text, x, y);
}

function paintCrosshair(context: Context2d, { geometry, palette, viewport, crosshair }: Overlay): void {
  if (crosshair === null) return;
  const { plot, profile, narrow } = geometry;
  const x = columnX(plot, viewport, crosshair.column);
  const y = rowY(plot, viewport, crosshair.row);
  const inColumns = x >= plot.x && x <= plot.x + plot.width;
  const inRows = y >= plot.y && y <= plot.y + plot.height;
  // A dark line under a light dashed one is visible on every colour.
  for (const [colour, dash] of [
    [palette.page, []],
    [palette.text, [3, 3]],
  ] as const) {
    context.save();
    context.globalAlpha = dash.length === 0 ? 0.5 : 1;
    context.lineWidth = dash.length === 0 ? 3 : 1;
    context.setLineDash([...dash]);
    if (inRows) strokeLine(context, colour, plot.x, y, plot.x + plot.width - 1, y);
    if (inColumns) {
      // In a narrow figure the colour bar lies between plot and profile.
      strokeLine(context, colour, x, plot.y, x, narrow ? plot.y + plot.height - 1 : profile.y - 1);
      strokeLine(context, colour, x, profile.y, x, profile.y + profile.height - 1);
    }
    context.restore();
  }
}
