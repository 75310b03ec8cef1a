import type { Domain } from "./colouring.ts";
import type { Plan } from "./plan.ts";
import type { Colouring } from "./renderer.ts";

/** A picture whose plan is made. */
export interface Frame {
  readonly plan: Plan;
  readonly colouring: Colouring;
  readonly width: number;
  readonly height: number;
}

export interface Painted {
  readonly domain: Domain;
  readonly by: "webgl" | "cpu";
}

/** A picture whose colours are found. */
export interface Painting {
  readonly domain: Domain;
  /** Fills an image of the frame's size, every pixel of it. */
  readonly into: (image: ImageData) => void;
}

/** One of the implementations behind `Renderer`. */
export interface Painter {
  /** Its context is gone, whether the page was told yet or not. */
  readonly lost: boolean;
  /** The picture is there when the promise resolves, unless a newer one was asked for. */
  paint(frame: Frame): Promise<Painted>;
  /** Pixels of a frame, row 0 on top. */
  pixels(frame: Frame): Promise<ImageData>;
  dispose(): void;
}

export function newCanvas(host: HTMLElement, by: string): HTMLCanvasElement {
  const canvas = document.createElement("canvas");
  canvas.dataset["by"] = by;
  canvas.style.position = "absolute";
  canvas.style.inset = "0";
  canvas.style.width = "100%";
  canvas.style.height = "100%";
  // Cells have edges; a host that is a fraction of a pixel off must not blur them.
  canvas.style.imageRendering = "pixelated";
  host.append(canvas);
  return canvas;
}

export function resize(canvas: HTMLCanvasElement, { width, height }: { width: number; height: number }): void {
  if (canvas.width !== width) canvas.width = width;
  if (canvas.height !== height) canvas.height = height;
}
