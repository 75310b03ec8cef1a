import { errorMessage } from "../../src/core/util/errors.ts";
import type { DrawResult, PictureRequest, Renderer } from "../engine/renderer.ts";

export interface DrawEvents {
  readonly onStart: () => void;
  readonly onProgress: (fraction: number) => void;
  readonly onDrawn: (drawResult: DrawResult) => void;
  readonly onError: (message: string) => void;
}

function isSameRequest(a: PictureRequest, b: PictureRequest): boolean {
  return (
    a.source === b.source &&
    a.width === b.width &&
    a.height === b.height &&
    JSON.stringify([a.viewport, a.colouring]) === JSON.stringify([b.viewport, b.colouring])
  );
}

/**
 * Owns the renderer of a figure: creates it on first use, releases it while the panel is hidden, and skips requests for
 * the picture that is already drawn.
 */
export class CellRenderer {
  readonly #create: () => Renderer;
  readonly #events: DrawEvents;
  #renderer: Renderer | null = null;
  #lastRequest: PictureRequest | null = null;
  #generation = 0;

  constructor(create: () => Renderer, events: DrawEvents) {
    this.#create = create;
    this.#events = events;
  }

  draw(picture: PictureRequest): void {
    if (this.#lastRequest !== null && isSameRequest(this.#lastRequest, picture)) return;
    this.#lastRequest = picture;
    void this.#draw(picture);
  }

  async #draw(picture: PictureRequest): Promise<void> {
    const generation = ++this.#generation;
    const isCurrent = () => generation === this.#generation;
    this.#events.onStart();
    try {
      this.#renderer ??= this.#create();
      const renderer = this.#renderer;
      const drawResult = await renderer.draw(picture, {
        onProgress: (fraction) => {
          if (isCurrent()) this.#events.onProgress(fraction);
        },
        // Reported even if there is a newer request, because this picture is on the page.
        onCoarse: (sketch) => {
          if (renderer === this.#renderer) this.#events.onDrawn(sketch);
        },
      });
      if (drawResult !== null && isCurrent()) this.#events.onDrawn(drawResult);
    } catch (error) {
      if (isCurrent()) this.#events.onError(errorMessage(error));
    }
  }

  /** Draws a changed request, returns its pixels, and restores the page's picture. */
  async capture(change: (picture: PictureRequest) => PictureRequest): Promise<ImageData | null> {
    const previous = this.#lastRequest;
    if (previous === null) return null;
    this.#renderer ??= this.#create();
    const renderer = this.#renderer;
    this.#generation++;
    try {
      const drawResult = await renderer.draw(change(previous));
      return drawResult === null ? null : await renderer.pixels();
    } finally {
      void this.#draw(this.#lastRequest ?? previous);
    }
  }

  /** Draws the last request again, if there is a renderer. */
  redraw(): void {
    if (this.#lastRequest !== null && this.#renderer !== null) void this.#draw(this.#lastRequest);
  }

  /** Releases the graphics context; the next picture creates a new one. */
  release(): void {
    this.#generation++;
    this.#renderer?.dispose();
    this.#renderer = null;
    this.#lastRequest = null;
  }
}
