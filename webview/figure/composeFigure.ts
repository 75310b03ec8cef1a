import type { Palette } from "../ui/palette.ts";
import type { Overlay } from "./overlay.ts";
import { paintOverlay } from "./paintOverlay.ts";

/** Margin of an exported figure and height of its title lines, in CSS pixels. */
const SHEET_MARGIN = 8;
const TITLE_LINE_HEIGHT = 18;

/** Snapshot of a figure, for export. */
export interface Snapshot {
  /** The plot's cells, at `scale`. */
  readonly pixels: ImageData;
  readonly scale: number;
  readonly name: string;
  readonly overlay: Overlay;
}

/** Copies pixels to a canvas, which can be drawn and encoded. */
export function toCanvas(pixels: ImageData): HTMLCanvasElement {
  const canvas = document.createElement("canvas");
  canvas.width = pixels.width;
  canvas.height = pixels.height;
  canvas.getContext("2d")?.putImageData(pixels, 0, 0);
  return canvas;
}

/** Layout of an exported figure with its title. */
export interface Sheet {
  readonly height: number;
  /** Top edge of the figure. */
  readonly top: number;
  readonly title: readonly { readonly text: string; readonly x: number; readonly y: number }[];
}

function titleFont({ size, font }: Palette): string {
  return `600 ${size}px ${font}`;
}

/** Wraps words into lines. */
function wrapWords(text: string, width: number, widthOf: (text: string) => number): string[] {
  const lines: string[] = [];
  for (const word of text.split(" ")) {
    const longer = lines.length === 0 ? word : `${lines.at(-1)} ${word}`;
    if (lines.length > 0 && widthOf(longer) <= width) lines[lines.length - 1] = longer;
    else lines.push(word);
  }
  return lines;
}

/** Puts the name above the plot, or over the whole width in several lines if it is longer. */
export function layOutSheet({ name, overlay: { geometry, palette } }: Pick<Snapshot, "name" | "overlay">): Sheet {
  const context = document.createElement("canvas").getContext("2d");
  if (context !== null) context.font = titleFont(palette);
  const widthOf = (text: string) => context?.measureText(text).width ?? 0;
  const fits = widthOf(name) <= geometry.width - geometry.plot.x - SHEET_MARGIN;
  const lines = fits ? [name] : wrapWords(name, geometry.width - 2 * SHEET_MARGIN, widthOf);
  const x = fits ? geometry.plot.x : SHEET_MARGIN;
  const top = SHEET_MARGIN + TITLE_LINE_HEIGHT * lines.length;
  const title = lines.map((text, n) => ({ text, x, y: SHEET_MARGIN + TITLE_LINE_HEIGHT * (n + 0.5) - 1 }));
  return { height: geometry.height + top + SHEET_MARGIN, top, title };
}

/**
 * Draws a figure as one picture: name, axes over the cells, and the page's colour behind both.
 * @returns null if the browser cannot create a canvas of this size
 */
export function composeFigure({ pixels, scale, name, overlay }: Snapshot): HTMLCanvasElement | null {
  const { geometry, palette } = overlay;
  const { width, plot } = geometry;
  const { height, top, title } = layOutSheet({ name, overlay });
  const canvas = document.createElement("canvas");
  canvas.width = Math.round(width * scale);
  canvas.height = Math.round(height * scale);
  const context = canvas.getContext("2d");
  if (context === null) return null;
  context.scale(scale, scale);
  context.translate(0, top);
  paintOverlay(context, overlay);
  // The overlay clears its background, so cells and page are drawn behind it afterwards.
  context.globalCompositeOperation = "destination-over";
  context.drawImage(toCanvas(pixels), plot.x, plot.y, plot.width, plot.height);
  context.fillStyle = palette.page;
  context.fillRect(0, -top, width, height);
  context.globalCompositeOperation = "source-over";
  context.font = titleFont(palette);
  context.fillStyle = palette.text;
  context.textAlign = "left";
  for (const { text, x, y } of title) context.fillText(text, x, y - top);
  return canvas;
}
