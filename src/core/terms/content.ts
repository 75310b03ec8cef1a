import type { Content } from "../encodings/encoding.ts";
import type { Factor } from "./term.ts";

/** One 32-bit avalanche step (the finaliser of MurmurHash3, public domain). */
function mix(state: number, value: number): number {
  let h = (state ^ value) >>> 0;
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return (h ^ (h >>> 16)) >>> 0;
}

/**
 * Standard normal number that is a pure function of its key, so that position i has the same content whatever
 * the viewport (counter-based generator: hash, then Box–Muller).
 * @param key integers, each taken modulo 2^32 in two halves
 */
export function gaussianAt(...key: readonly number[]): number {
  let state = 0x9e3779b9;
  for (const part of key) {
    state = mix(Math.imul(state, 31), part >>> 0);
    state = mix(Math.imul(state, 31), Math.floor(part / 2 ** 32) >>> 0);
  }
  const first = (mix(state, 0x2545f491) + 0.5) / 2 ** 32;
  const second = mix(state, 0x6c078965) / 2 ** 32;
  return Math.sqrt(-2 * Math.log(first)) * Math.cos(2 * Math.PI * second);
}

/** Every vector is (1, …, 1): what is seen is the encoding alone. */
export const onesContent: Content = {
  kind: "ones",
  constant: true,
  rows: (_which, _head, dim) => ({
    dim,
    write: (_index, out, offset) => {
      out.fill(1, offset, offset + dim);
    },
  }),
};

const WHICH = { q: 1, k: 2, v: 3, x: 4 } as const;

/** Seeded standard normal vectors. */
export function randomContent(seed: number): Content {
  return {
    kind: "random",
    constant: false,
    rows: (which, head, dim) => ({
      dim,
      write: (index, out, offset) => {
        const row = which === "x" ? 0 : head;
        for (let c = 0; c < dim; c++) out[offset + c] = gaussianAt(seed, WHICH[which], row, index, c);
      },
    }),
  };
}

/** Rows of a list of vectors; rows that are not there are zero. */
export function listFactor(rows: readonly (readonly number[])[]): Factor {
  const dim = rows[0]?.length ?? 0;
  return {
    dim,
    write: (index, out, offset) => {
      const row = rows[index];
      for (let c = 0; c < dim; c++) out[offset + c] = row?.[c] ?? 0;
    },
  };
}

/** The vectors that somebody gave: `q`, `k`, `v` as [head][index][head_dim], `x` as [index][hidden]. */
export interface GivenVectors {
  readonly q?: readonly (readonly (readonly number[])[])[];
  readonly k?: readonly (readonly (readonly number[])[])[];
  readonly v?: readonly (readonly (readonly number[])[])[];
  readonly x?: readonly (readonly number[])[];
}

export function givenContent(vectors: GivenVectors): Content {
  return {
    kind: "given",
    constant: false,
    rows: (which, head) => listFactor(which === "x" ? (vectors.x ?? []) : (vectors[which]?.[head] ?? [])),
  };
}
