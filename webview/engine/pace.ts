/** Requests closer together than this belong to one movement: a slider that is dragged, a view that is panned. */
export const REST = 150;

/** What a picture may take while something moves: less than a frame of 50 ms, with room for the page's own work. */
const BUDGET = 24;

export const COARSEST = 4;

/** How finely to draw, from what fine pictures took and how fast requests come. All times in milliseconds. */
export class Pace {
  #asked = Number.NEGATIVE_INFINITY;
  #moving = false;
  #cost = 0;

  ask(now: number): void {
    this.#moving = now - this.#asked < REST;
    this.#asked = now;
  }

  /** A fine picture took this long. */
  took(milliseconds: number): void {
    this.#cost = milliseconds;
  }

  /** One was left after this long: requests come too fast for it, however short it would have been. */
  left(milliseconds: number): void {
    this.#cost = Math.max(milliseconds, 2 * BUDGET);
  }

  /** Until when the movement lasts, unless there is another request. */
  restsAt(): number {
    return this.#asked + REST;
  }

  /** Pixels' sides that a cell of the picture takes: 1 is fine. Work goes with its square. */
  coarseness(now: number): number {
    if (!this.#moving || now >= this.restsAt()) return 1;
    const wanted = Math.sqrt(this.#cost / BUDGET);
    return wanted <= 1 ? 1 : Math.min(COARSEST, 2 ** Math.ceil(Math.log2(wanted)));
  }
}
