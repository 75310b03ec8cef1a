/** Requests closer together than this belong to one movement, such as dragging a slider or panning. */
export const REST_DELAY_MS = 150;

/** Time for one picture during a movement: less than a frame of 50 ms, with room for the page's own work. */
const FRAME_BUDGET_MS = 24;

export const MAX_COARSENESS = 4;

/** Receives the timing of a renderer's requests and pictures, and decides the resolution. All times in milliseconds. */
export interface ResolutionControl {
  recordRequest(now: number): void;
  /** A fine picture was finished now, after this long. */
  recordFrame(milliseconds: number, now: number): void;
  /** A fine picture was cancelled after this long: requests come too fast for it, whatever it would have cost. */
  recordCancelled(milliseconds: number, now: number): void;
  /** When the movement counts as over if there is no further request. */
  settlesAt(): number;
  /** Side of a drawn cell in pixels; 1 is full resolution. Work falls with its square. */
  coarseness(now: number): number;
}

/** Chooses the resolution from the cost of fine pictures and the rate of requests. */
export class AdaptiveResolution implements ResolutionControl {
  #requestedAt = Number.NEGATIVE_INFINITY;
  #endedAt = Number.NEGATIVE_INFINITY;
  #moving = false;
  #frameCost = 0;
  #coarseness = 1;

  recordRequest(now: number): void {
    // No request can arrive while a picture is made, so the end of the last picture counts as well.
    this.#moving = now - Math.max(this.#requestedAt, this.#endedAt) < REST_DELAY_MS;
    this.#requestedAt = now;
  }

  recordFrame(milliseconds: number, now: number): void {
    this.#frameCost = milliseconds;
    this.#endedAt = now;
  }

  recordCancelled(milliseconds: number, now: number): void {
    this.#endedAt = now;
    this.#frameCost = Math.max(milliseconds, 2 * FRAME_BUDGET_MS);
  }

  settlesAt(): number {
    return this.#requestedAt + REST_DELAY_MS;
  }

  coarseness(now: number): number {
    const moving = this.#moving && now < this.settlesAt();
    const needed = moving ? Math.sqrt(this.#frameCost / FRAME_BUDGET_MS) : 1;
    this.#coarseness = needed <= 1 ? 1 : Math.min(MAX_COARSENESS, 2 ** Math.ceil(Math.log2(needed)));
    return this.#coarseness;
  }

  /**
   * For pictures that are always requested together with this one's: it uses the same coarseness and records nothing.
   */
  follower(): ResolutionControl {
    const ignore = () => undefined;
    return {
      recordRequest: ignore,
      recordFrame: ignore,
      recordCancelled: ignore,
      settlesAt: () => this.settlesAt(),
      coarseness: () => this.#coarseness,
    };
  }
}
