import type { Drawn, Picture, Renderer } from "../../engine/renderer.ts";

export interface CellsEvents {
  readonly onStart: () => void;
  readonly onProgress: (fraction: number) => void;
  readonly onDrawn: (drawn: Drawn) => void;
  readonly onError: (message: string) => void;
}

function samePicture(a: Picture, b: Picture): boolean {
  return (
    a.source === b.source &&
    a.width === b.width &&
    a.height === b.height &&
    JSON.stringify([a.viewport, a.colouring]) === JSON.stringify([b.viewport, b.colouring])
  );
}

/** The renderer of a figure: made when first needed, given back when the panel is hidden, never asked twice for one picture. */
export class Cells {
  readonly #create: () => Renderer;
  readonly #events: CellsEvents;
  #renderer: Renderer | null = null;
  #last: Picture | null = null;
  #generation = 0;

  constructor(create: () => Renderer, events: CellsEvents) {
    this.#create = create;
    this.#events = events;
  }

  draw(picture: Picture): void {
    if (this.#last !== null && samePicture(this.#last, picture)) return;
    this.#last = picture;
    void this.#draw(picture);
  }

  async #draw(picture: Picture): Promise<void> {
    const generation = ++this.#generation;
    const current = () => generation === this.#generation;
    this.#events.onStart();
    try {
      this.#renderer ??= this.#create();
      const renderer = this.#renderer;
      const drawn = await renderer.draw(picture, {
        progress: (fraction) => {
          if (current()) this.#events.onProgress(fraction);
        },
        // What is on the page is told, whether somebody asked for something newer or not.
        coarse: (sketch) => {
          if (renderer === this.#renderer) this.#events.onDrawn(sketch);
        },
      });
      if (drawn !== null && current()) this.#events.onDrawn(drawn);
    } catch (error) {
      if (current()) this.#events.onError(error instanceof Error ? error.message : String(error));
    }
  }

  /** Pixels of another size or place, with the picture on the page brought back afterwards. */
  async capture(change: (picture: Picture) => Picture): Promise<ImageData | null> {
    const shown = this.#last;
    if (shown === null) return null;
    this.#renderer ??= this.#create();
    const renderer = this.#renderer;
    this.#generation++;
    try {
      const drawn = await renderer.draw(change(shown));
      return drawn === null ? null : await renderer.pixels();
    } finally {
      void this.#draw(this.#last ?? shown);
    }
  }

  /** Draws the last picture again, if there is one and a renderer for it. */
  redraw(): void {
    if (this.#last !== null && this.#renderer !== null) void this.#draw(this.#last);
  }

  /** Gives the graphics context back; the next picture makes a new one. */
  release(): void {
    this.#generation++;
    this.#renderer?.dispose();
    this.#renderer = null;
    this.#last = null;
  }
}
