/** Requests closer together than this belong to one movement: a slider that is dragged, a view that is panned. */
export const REST = 150;

/** What a picture may take while something moves: less than a frame of 50 ms, with room for the page's own work. */
const BUDGET = 24;

export const COARSEST = 4;

/** What a renderer tells of its pictures, and how finely it is to draw. All times in milliseconds. */
export interface Tempo {
  ask(now: number): void;
  /** A fine picture took this long, until now. */
  took(milliseconds: number, now: number): void;
  /** One was left after this long: requests come too fast for it, however short it would have been. */
  left(milliseconds: number, now: number): void;
  /** Until when the movement lasts, unless there is another request. */
  restsAt(): number;
  /** Pixels' sides that a cell of the picture takes: 1 is fine. Work goes with its square. */
  coarseness(now: number): number;
}

/** How finely to draw, from what fine pictures took and how fast requests come. */
export class Pace implements Tempo {
  #asked = Number.NEGATIVE_INFINITY;
  #ended = Number.NEGATIVE_INFINITY;
  #moving = false;
  #cost = 0;
  #decided = 1;

  ask(now: number): void {
    // While a picture was made nothing could be asked, however fast the hand moves.
    this.#moving = now - Math.max(this.#asked, this.#ended) < REST;
    this.#asked = now;
  }

  took(milliseconds: number, now: number): void {
    this.#cost = milliseconds;
    this.#ended = now;
  }

  left(milliseconds: number, now: number): void {
    this.#ended = now;
    this.#cost = Math.max(milliseconds, 2 * BUDGET);
  }

  restsAt(): number {
    return this.#asked + REST;
  }

  coarseness(now: number): number {
    const moving = this.#moving && now < this.restsAt();
    const wanted = moving ? Math.sqrt(this.#cost / BUDGET) : 1;
    this.#decided = wanted <= 1 ? 1 : Math.min(COARSEST, 2 ** Math.ceil(Math.log2(wanted)));
    return this.#decided;
  }

  /** For pictures that are asked for together with those that this is told of: as coarse as these. */
  follower(): Tempo {
    const hear = () => undefined;
    return {
      ask: hear,
      took: hear,
      left: hear,
      restsAt: () => this.restsAt(),
      coarseness: () => this.#decided,
    };
  }
}
