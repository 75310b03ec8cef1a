import { EMPTY_STATISTICS, mergeStatistics, type RowStatistics, statisticsOf } from "../../src/core/terms/engine.ts";

/**
 * Softmax statistics of a function of δ over any interval, from blocks that are summed once: rows of ten million
 * keys share all but the ends of their intervals. Maxima stay with their sums, so nothing under- or overflows.
 */

/** Sizes of a block and of a block of blocks, in δ. */
const BLOCK = 1024;
const SUPER = 64 * BLOCK;
/** Blocks whose values are kept for the ends of intervals. */
const KEPT = 256;

export class ProfileStatistics {
  readonly #profile: (delta: number) => number;
  readonly #values = new Map<number, Float64Array>();
  readonly #blocks = new Map<number, RowStatistics>();
  readonly #supers = new Map<number, RowStatistics>();

  constructor(profile: (delta: number) => number) {
    this.#profile = profile;
  }

  /** Sums the whole blocks of an interval; yields the fraction done after each. */
  *prepare(from: number, to: number): Generator<number, void> {
    const first = Math.ceil(from / BLOCK);
    const last = Math.floor(to / BLOCK);
    for (let block = first; block < last; block++) {
      this.#block(block);
      yield (block + 1 - first) / (last - first);
    }
  }

  /** Statistics over δ in [from, to). */
  interval(from: number, to: number): RowStatistics {
    let sum = EMPTY_STATISTICS;
    for (let at = from; at < to; ) {
      const [part, next] = this.#step(at, to);
      sum = mergeStatistics(sum, part);
      at = next;
    }
    return sum;
  }

  /** The largest aligned piece that starts here, and where it ends. */
  #step(at: number, to: number): [RowStatistics, number] {
    if (at % SUPER === 0 && at + SUPER <= to) return [this.#super(at / SUPER), at + SUPER];
    if (at % BLOCK === 0 && at + BLOCK <= to) return [this.#block(at / BLOCK), at + BLOCK];
    const block = Math.floor(at / BLOCK);
    const start = block * BLOCK;
    const end = Math.min(to, start + BLOCK);
    return [statisticsOf(this.#blockValues(block).subarray(at - start, end - start)), end];
  }

  #super(index: number): RowStatistics {
    const known = this.#supers.get(index);
    if (known !== undefined) return known;
    let sum = EMPTY_STATISTICS;
    const blocks = SUPER / BLOCK;
    for (let n = 0; n < blocks; n++) sum = mergeStatistics(sum, this.#block(index * blocks + n));
    this.#supers.set(index, sum);
    return sum;
  }

  #block(index: number): RowStatistics {
    const known = this.#blocks.get(index);
    if (known !== undefined) return known;
    const sum = statisticsOf(this.#evaluate(index));
    this.#blocks.set(index, sum);
    return sum;
  }

  #blockValues(index: number): Float64Array {
    const known = this.#values.get(index);
    if (known !== undefined) return known;
    if (this.#values.size >= KEPT) this.#values.clear();
    const values = this.#evaluate(index);
    this.#values.set(index, values);
    return values;
  }

  #evaluate(index: number): Float64Array {
    const values = new Float64Array(BLOCK);
    for (let n = 0; n < BLOCK; n++) values[n] = this.#profile(index * BLOCK + n);
    return values;
  }
}

/** The same, estimated: every δ of at most `near`, and of the others every `stride`-th, which stands for them all. */
export class SampledStatistics {
  readonly #near: number;
  readonly #stride: number;
  readonly #dense: ProfileStatistics;
  readonly #sampled: ProfileStatistics;

  constructor(profile: (delta: number) => number, stride: number, near: number) {
    this.#near = near;
    this.#stride = stride;
    this.#dense = new ProfileStatistics(profile);
    this.#sampled = new ProfileStatistics((n) => profile(n * stride) + Math.log(stride));
  }

  *prepare(from: number, to: number): Generator<number, void> {
    yield* this.#sampled.prepare(Math.ceil(from / this.#stride), Math.ceil(to / this.#stride));
  }

  interval(from: number, to: number): RowStatistics {
    const far = (start: number, end: number) =>
      this.#sampled.interval(Math.ceil(start / this.#stride), Math.ceil(end / this.#stride));
    const near = this.#near;
    return [
      far(from, Math.min(to, -near)),
      this.#dense.interval(Math.max(from, -near), Math.min(to, near + 1)),
      far(Math.max(from, near + 1), to),
    ].reduce(mergeStatistics, EMPTY_STATISTICS);
  }
}
