import type { ColourDomain } from "./colouring.ts";
import type { FigurePlan } from "./plan.ts";
import type { Colouring } from "./renderer.ts";

export interface PictureFrame {
  readonly plan: FigurePlan;
  readonly colouring: Colouring;
  readonly width: number;
  readonly height: number;
}

export interface PaintResult {
  readonly domain: ColourDomain;
  readonly by: "webgl" | "cpu";
}

/** A picture whose colours are computed. */
export interface Painting {
  readonly domain: ColourDomain;
  /** Fills an image of the frame's size, every pixel of it. */
  readonly fillImage: (image: ImageData) => void;
}

/** A painting implementation behind `Renderer`. */
export interface Painter {
  /** The context is lost, even if its event has not arrived. */
  readonly lost: boolean;
  /** Resolves when the picture is on the canvas, unless a newer one was requested. */
  paint(frame: PictureFrame): Promise<PaintResult>;
  /** Pixels of a frame, row 0 on top. */
  pixels(frame: PictureFrame): Promise<ImageData>;
  dispose(): void;
}

export function createCanvas(host: HTMLElement, by: string): HTMLCanvasElement {
  const canvas = document.createElement("canvas");
  canvas.dataset["by"] = by;
  canvas.style.position = "absolute";
  canvas.style.inset = "0";
  canvas.style.width = "100%";
  canvas.style.height = "100%";
  // Cell edges must stay sharp even if the host is off by a fraction of a pixel.
  canvas.style.imageRendering = "pixelated";
  host.append(canvas);
  return canvas;
}

export function resizeCanvas(canvas: HTMLCanvasElement, { width, height }: { width: number; height: number }): void {
  if (canvas.width !== width) canvas.width = width;
  if (canvas.height !== height) canvas.height = height;
}
