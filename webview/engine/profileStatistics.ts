import { EMPTY_STATISTICS, logitStatistics, mergeStatistics, type RowStatistics } from "../../src/core/terms/engine.ts";

/**
 * Softmax statistics of a function of δ over any interval, from blocks that are summed once: rows of ten million keys
 * share all but the ends of their intervals. Each sum keeps its maximum, so nothing under- or overflows.
 */

/** Sizes of a block and of a superblock, in δ. */
const BLOCK_SIZE = 1024;
const SUPERBLOCK_SIZE = 64 * BLOCK_SIZE;
/** Blocks whose values are kept for the ends of intervals. */
const MAX_CACHED_BLOCKS = 256;

export class ProfileStatistics {
  readonly #profile: (delta: number) => number;
  readonly #values = new Map<number, Float64Array>();
  readonly #blocks = new Map<number, RowStatistics>();
  readonly #superblocks = new Map<number, RowStatistics>();

  constructor(profile: (delta: number) => number) {
    this.#profile = profile;
  }

  /** Sums the whole blocks of an interval; yields the fraction done after each. */
  *prepare(from: number, to: number): Generator<number, void> {
    const first = Math.ceil(from / BLOCK_SIZE);
    const last = Math.floor(to / BLOCK_SIZE);
    for (let block = first; block < last; block++) {
      this.#block(block);
      yield (block + 1 - first) / (last - first);
    }
  }

  /** Statistics over δ in [from, to). */
  interval(from: number, to: number): RowStatistics {
    let sum = EMPTY_STATISTICS;
    for (let at = from; at < to; ) {
      const [part, next] = this.#pieceAt(at, to);
      sum = mergeStatistics(sum, part);
      at = next;
    }
    return sum;
  }

  /** The largest aligned piece that starts here, and where it ends. */
  #pieceAt(at: number, to: number): [RowStatistics, number] {
    if (at % SUPERBLOCK_SIZE === 0 && at + SUPERBLOCK_SIZE <= to)
      return [this.#superblock(at / SUPERBLOCK_SIZE), at + SUPERBLOCK_SIZE];
    if (at % BLOCK_SIZE === 0 && at + BLOCK_SIZE <= to) return [this.#block(at / BLOCK_SIZE), at + BLOCK_SIZE];
    const block = Math.floor(at / BLOCK_SIZE);
    const start = block * BLOCK_SIZE;
    const end = Math.min(to, start + BLOCK_SIZE);
    return [logitStatistics(this.#blockValues(block).subarray(at - start, end - start)), end];
  }

  #superblock(index: number): RowStatistics {
    const cached = this.#superblocks.get(index);
    if (cached !== undefined) return cached;
    let sum = EMPTY_STATISTICS;
    const blocks = SUPERBLOCK_SIZE / BLOCK_SIZE;
    for (let n = 0; n < blocks; n++) sum = mergeStatistics(sum, this.#block(index * blocks + n));
    this.#superblocks.set(index, sum);
    return sum;
  }

  #block(index: number): RowStatistics {
    const cached = this.#blocks.get(index);
    if (cached !== undefined) return cached;
    const sum = logitStatistics(this.#evaluate(index));
    this.#blocks.set(index, sum);
    return sum;
  }

  #blockValues(index: number): Float64Array {
    const cached = this.#values.get(index);
    if (cached !== undefined) return cached;
    if (this.#values.size >= MAX_CACHED_BLOCKS) this.#values.clear();
    const values = this.#evaluate(index);
    this.#values.set(index, values);
    return values;
  }

  #evaluate(index: number): Float64Array {
    const values = new Float64Array(BLOCK_SIZE);
    for (let n = 0; n < BLOCK_SIZE; n++) values[n] = this.#profile(index * BLOCK_SIZE + n);
    return values;
  }
}

/** Estimates the same: every δ up to `near`, and every `stride`-th of the others, weighted by `stride`. */
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
