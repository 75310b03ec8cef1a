/** mulberry32: the same mutations on every run. */
export function generator(seed: number): () => number {
  return () => {
    seed = (seed + 0x6d2b79f5) | 0;
    let z = Math.imul(seed ^ (seed >>> 15), 1 | seed);
    z = (z + Math.imul(z ^ (z >>> 7), 61 | z)) ^ z;
    return ((z ^ (z >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** One of the items, or the fallback if there are none. */
export function pick<T>(random: () => number, items: readonly T[], fallback: T): T {
  return items[Math.floor(random() * items.length)] ?? fallback;
}
