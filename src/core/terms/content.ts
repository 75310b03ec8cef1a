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
  return gaussianOf(key.reduce(absorb, 0x9e3779b9));
}

function absorb(state: number, part: number): number {
  const low = mix(Math.imul(state, 31), part >>> 0);
  return mix(Math.imul(low, 31), Math.floor(part / 2 ** 32) >>> 0);
}

function gaussianOf(state: number): number {
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

/** Numbers of a factor's rows that are kept: pictures of 8,000 positions of a head. */
const KEPT_NUMBERS = 2 ** 20;

/** The same rows, each evaluated once while they fit: a slider that moves asks for them again and again. */
function remembered({ dim, write }: Factor): Factor {
  const rows = new Map<number, Float64Array>();
  const most = Math.max(1, Math.floor(KEPT_NUMBERS / dim));
  const evaluate = (index: number) => {
    const row = new Float64Array(dim);
    write(index, row, 0);
    if (rows.size >= most) rows.clear();
    rows.set(index, row);
    return row;
  };
  return { dim, write: (index, out, offset) => out.set(rows.get(index) ?? evaluate(index), offset) };
}

function randomRows(seed: number, which: keyof typeof WHICH, head: number, dim: number): Factor {
  return remembered({
    dim,
    write: (index, out, offset) => {
      const state = [seed, WHICH[which], which === "x" ? 0 : head, index].reduce(absorb, 0x9e3779b9);
      for (let c = 0; c < dim; c++) out[offset + c] = gaussianOf(absorb(state, c));
    },
  });
}

function newRandomContent(seed: number): Content {
  const known = new Map<string, Factor>();
  return {
    kind: "random",
    constant: false,
    rows: (which, head, dim) => {
      const key = `${which} ${head} ${dim}`;
      const rows = known.get(key) ?? randomRows(seed, which, head, dim);
      // Heads that nobody looks at any more are not kept for ever.
      if (known.size >= 8) known.clear();
      known.set(key, rows);
      return rows;
    },
  };
}

let lastContent: { readonly seed: number; readonly content: Content } | null = null;

/** Seeded standard normal vectors. The last seed's stay: every change of a parameter asks for them anew. */
export function randomContent(seed: number): Content {
  if (lastContent?.seed !== seed) lastContent = { seed, content: newRandomContent(seed) };
  return lastContent.content;
}

/** FNV-1a over UTF-16 code units, 32 bits. */
export function tokenHash(token: string): number {
  let hash = 0x811c9dc5;
  for (let n = 0; n < token.length; n++) hash = Math.imul(hash ^ token.charCodeAt(n), 0x01000193) >>> 0;
  return hash;
}

/** Keeps the vectors of tokens apart from those of positions. */
export const TOKEN_KEY = 0x746f6b;

/**
 * Vectors of words, again and again until the sequence is full: standard normal, and the same for the same word, as
 * an embedding is. q = k = v = x (W = identity).
 * @param past keys before the first query: queries stand at the end of the keys
 */
export function tokenContent(tokens: readonly string[], past: number): Content {
  const hashes = tokens.map(tokenHash);
  return {
    kind: "random",
    constant: false,
    rows: (which, head, dim) => {
      const own = which === "x" ? 0 : head;
      const vectors = hashes.map((hash) =>
        Float64Array.from({ length: dim }, (_, c) => gaussianAt(TOKEN_KEY, own, hash, c)),
      );
      const first = which === "q" ? past : 0;
      return {
        dim,
        write: (index, out, offset) => {
          const vector = vectors[(index + first) % vectors.length];
          if (vector !== undefined) out.set(vector, offset);
        },
      };
    },
  };
}

/** Queries and keys of one head for some tokens, [tokens][dim] each, row-major: a checkpoint's own. */
export interface OwnRows {
  readonly q: Float64Array;
  readonly k: Float64Array;
  readonly dim: number;
}

/** Given rows, again and again until the sequence is full; without inputs x of their own. */
function ownContent({ q, k, dim }: OwnRows, past: number): Content {
  const rows = { q, k, v: new Float64Array(0), x: new Float64Array(0) };
  const count = q.length / dim;
  return {
    kind: "given",
    constant: false,
    rows: (which) => {
      const values = rows[which];
      const first = which === "q" ? past : 0;
      const width = values.length === 0 ? 0 : dim;
      return {
        dim: width,
        write: (index, out, offset) => {
          const at = ((index + first) % count) * dim;
          out.set(values.subarray(at, at + width), offset);
        },
      };
    },
  };
}

/** A content by name, as states, workers and generated code have it. */
export type ContentChoice =
  | "ones"
  | { readonly seed: number }
  | { readonly tokens: readonly string[] }
  | { readonly rows: OwnRows };

export function contentOf(choice: ContentChoice, past: number): Content {
  if (choice === "ones") return onesContent;
  if ("seed" in choice) return randomContent(choice.seed);
  if ("rows" in choice) return ownContent(choice.rows, past);
  return choice.tokens.length === 0 ? onesContent : tokenContent(choice.tokens, past);
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
