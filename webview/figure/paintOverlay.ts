import { colourTable } from "../../src/core/export/colourMaps.ts";
import type { Palette } from "../ui/palette.ts";
import { type Box, columnX, rowY } from "./geometry.ts";
import { colourBarTicks, columnTicks, type Overlay, profileLine, rowTicks } from "./overlay.ts";

/** Paints an overlay on a canvas. */

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
  const { geometry, palette, columnAxis } = overlay;
  const { plot } = geometry;
  const line = palette.size;
  setTextStyle(context, palette, palette.muted, "center");
  context.fillText(`${columnAxis.label} →`, plot.x + plot.width / 2, plot.y - line * 2);
  for (const { at: x, text } of columnTicks(overlay)) {
    strokeLine(context, palette.line, x, plot.y - 4, x, plot.y);
    context.fillText(text, x, plot.y - line * 0.9);
  }
  context.textAlign = "right";
  for (const { at: y, text } of rowTicks(overlay)) {
    strokeLine(context, palette.line, plot.x - 4, y, plot.x, y);
    context.fillText(text, plot.x - 7, y);
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
  for (const { at, text } of colourBarTicks(overlay)) {
    if (narrow) context.fillText(text, colourBar.x + at * length, colourBar.y + colourBar.height + line * 0.8);
    else {
      const y = colourBar.y + (1 - at) * length;
      strokeLine(context, palette.line, colourBar.x + colourBar.width, y, colourBar.x + colourBar.width + 3, y);
      context.fillText(text, colourBar.x + colourBar.width + 7, y);
    }
  }
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
  profileLine(profile, box).context(context)(profile.values);
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
