import { type Overlay, paintOverlay } from "./paint.ts";

/** Room above an exported figure for its name, in CSS pixels. */
export const TITLE_HEIGHT = 26;

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

/**
 * A figure as one picture: its name, the axes over the cells, the page's colour under both.
 * @returns null where the browser gives no canvas of that size
 */
export function composeFigure({ pixels, scale, name, overlay }: Snapshot): HTMLCanvasElement | null {
  const { geometry, palette } = overlay;
  const { width, height, plot } = geometry;
  const canvas = document.createElement("canvas");
  canvas.width = Math.round(width * scale);
  canvas.height = Math.round((height + TITLE_HEIGHT) * scale);
  const context = canvas.getContext("2d");
  if (context === null) return null;
  context.scale(scale, scale);
  context.translate(0, TITLE_HEIGHT);
  paintOverlay(context, overlay);
  // The overlay clears what is under it, so cells and page come last and go beneath.
  context.globalCompositeOperation = "destination-over";
  context.drawImage(canvasOf(pixels), plot.x, plot.y, plot.width, plot.height);
  context.fillStyle = palette.page;
  context.fillRect(0, -TITLE_HEIGHT, width, height + TITLE_HEIGHT);
  context.globalCompositeOperation = "source-over";
  context.font = `600 ${palette.size}px ${palette.font}`;
  context.fillStyle = palette.text;
  context.textAlign = "left";
  context.fillText(name, plot.x, 2 - TITLE_HEIGHT / 2, width - plot.x);
  return canvas;
}
