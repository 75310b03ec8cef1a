import { type Overlay, paintOverlay } from "./paint.ts";
import type { Palette } from "./palette.ts";

/** Room around an exported figure and its name, in CSS pixels. */
const MARGIN = 8;
const LINE = 18;

/** A figure at one moment, for files. */
export interface Snapshot {
  /** The plot's cells, at `scale`. */
  readonly pixels: ImageData;
  readonly scale: number;
  readonly name: string;
  readonly overlay: Overlay;
}

/** Pixels as something that can be drawn and encoded. */
export function canvasOf(pixels: ImageData): HTMLCanvasElement {
  const canvas = document.createElement("canvas");
  canvas.width = pixels.width;
  canvas.height = pixels.height;
  canvas.getContext("2d")?.putImageData(pixels, 0, 0);
  return canvas;
}

/** What goes around a figure in a file. */
export interface Sheet {
  readonly height: number;
  /** Where the figure begins. */
  readonly top: number;
  readonly title: readonly { readonly text: string; readonly x: number; readonly y: number }[];
}

function titleFont({ size, font }: Palette): string {
  return `600 ${size}px ${font}`;
}

/** Words in lines of a width. */
function linesOf(text: string, width: number, widthOf: (text: string) => number): string[] {
  const lines: string[] = [];
  for (const word of text.split(" ")) {
    const longer = lines.length === 0 ? word : `${lines.at(-1)} ${word}`;
    if (lines.length > 0 && widthOf(longer) <= width) lines[lines.length - 1] = longer;
    else lines.push(word);
  }
  return lines;
}

/** The name above the plot; in several lines from the edge where it is wider than that. */
export function sheetOf({ name, overlay: { geometry, palette } }: Pick<Snapshot, "name" | "overlay">): Sheet {
  const context = document.createElement("canvas").getContext("2d");
  if (context !== null) context.font = titleFont(palette);
  const widthOf = (text: string) => context?.measureText(text).width ?? 0;
  const fits = widthOf(name) <= geometry.width - geometry.plot.x - MARGIN;
  const lines = fits ? [name] : linesOf(name, geometry.width - 2 * MARGIN, widthOf);
  const x = fits ? geometry.plot.x : MARGIN;
  const top = MARGIN + LINE * lines.length;
  const title = lines.map((text, n) => ({ text, x, y: MARGIN + LINE * (n + 0.5) - 1 }));
  return { height: geometry.height + top + MARGIN, top, title };
}

/**
 * A figure as one picture: its name, the axes over the cells, the page's colour under both.
 * @returns null where the browser gives no canvas of that size
 */
export function composeFigure({ pixels, scale, name, overlay }: Snapshot): HTMLCanvasElement | null {
  const { geometry, palette } = overlay;
  const { width, plot } = geometry;
  const { height, top, title } = sheetOf({ name, overlay });
  const canvas = document.createElement("canvas");
  canvas.width = Math.round(width * scale);
  canvas.height = Math.round(height * scale);
  const context = canvas.getContext("2d");
  if (context === null) return null;
  context.scale(scale, scale);
  context.translate(0, top);
  paintOverlay(context, overlay);
  // The overlay clears what is under it, so cells and page come last and go beneath.
  context.globalCompositeOperation = "destination-over";
  context.drawImage(canvasOf(pixels), plot.x, plot.y, plot.width, plot.height);
  context.fillStyle = palette.page;
  context.fillRect(0, -top, width, height);
  context.globalCompositeOperation = "source-over";
  context.font = titleFont(palette);
  context.fillStyle = palette.text;
  context.textAlign = "left";
  for (const { text, x, y } of title) context.fillText(text, x, y - top);
  return canvas;
}
