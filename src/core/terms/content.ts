import { UserError } from "../util/errors.ts";
import type { Content } from "./scene.ts";
import type { Factor } from "./term.ts";

/** One 32-bit avalanche step (the finaliser of MurmurHash3, public domain). */
function mixBits(state: number, value: number): number {
  let h = (state ^ value) >>> 0;
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return (h ^ (h >>> 16)) >>> 0;
}

/**
 * Standard normal number as a pure function of its key, so that a position has the same content in every viewport
 * (counter-based generator: hash, then Box–Muller).
 * @param key integers, each absorbed in two 32-bit halves
 */
export function gaussianAt(...key: readonly number[]): number {
  return gaussianFromState(key.reduce(absorb, 0x9e3779b9));
}

function absorb(state: number, part: number): number {
  const low = mixBits(Math.imul(state, 31), part >>> 0);
  return mixBits(Math.imul(low, 31), Math.floor(part / 2 ** 32) >>> 0);
}

function gaussianFromState(state: number): number {
  const first = (mixBits(state, 0x2545f491) + 0.5) / 2 ** 32;
  const second = mixBits(state, 0x6c078965) / 2 ** 32;
  return Math.sqrt(-2 * Math.log(first)) * Math.cos(2 * Math.PI * second);
}

/** All vectors are (1, …, 1), which shows the encoding alone. */
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

export const VECTOR_SALTS = { q: 1, k: 2, v: 3, x: 4 } as const;

/** Limit on the cached numbers of a factor: 8,000 positions of a head with 128 dimensions. */
const MAX_CACHED_NUMBERS = 2 ** 20;

/** Caches rows, because moving a slider evaluates them repeatedly. */
function cacheFactorRows({ dim, write }: Factor): Factor {
  const rows = new Map<number, Float64Array>();
  const maxRows = Math.max(1, Math.floor(MAX_CACHED_NUMBERS / dim));
  const evaluate = (index: number) => {
    const row = new Float64Array(dim);
    write(index, row, 0);
    if (rows.size >= maxRows) rows.clear();
    rows.set(index, row);
    return row;
  };
  return { dim, write: (index, out, offset) => out.set(rows.get(index) ?? evaluate(index), offset) };
}

function randomRows(seed: number, which: keyof typeof VECTOR_SALTS, head: number, dim: number): Factor {
  return cacheFactorRows({
    dim,
    write: (index, out, offset) => {
      const state = [seed, VECTOR_SALTS[which], which === "x" ? 0 : head, index].reduce(absorb, 0x9e3779b9);
      for (let c = 0; c < dim; c++) out[offset + c] = gaussianFromState(absorb(state, c));
    },
  });
}

/** Seeded standard normal vectors. Rows are cached. */
export function randomContent(seed: number): Content {
  const factors = new Map<string, Factor>();
  return {
    kind: "random",
    constant: false,
    rows: (which, head, dim) => {
      const key = `${which} ${head} ${dim}`;
      const rows = factors.get(key) ?? randomRows(seed, which, head, dim);
      // Drops heads that are no longer shown.
      if (factors.size >= 8) factors.clear();
      factors.set(key, rows);
      return rows;
    },
  };
}

/** 32-bit FNV-1a over UTF-16 code units. */
export function hashToken(token: string): number {
  let hash = 0x811c9dc5;
  for (let n = 0; n < token.length; n++) hash = Math.imul(hash ^ token.charCodeAt(n), 0x01000193) >>> 0;
  return hash;
}

/** Separates the vectors of tokens from those of positions. */
export const TOKEN_SALT = 0x746f6b;

/**
 * Vectors of words, repeated to fill the sequence: standard normal, and equal for equal words, like an embedding. q = k
 * = v = x (W = identity).
 * @param past keys before the first query; the queries are the last tokens of the keys
 */
export function tokenContent(tokens: readonly string[], past: number): Content {
  const hashes = tokens.map(hashToken);
  return {
    kind: "random",
    constant: false,
    rows: (which, head, dim) => {
      const headSalt = which === "x" ? 0 : head;
      const vectors = hashes.map((hash) =>
        Float64Array.from({ length: dim }, (_, c) => gaussianAt(TOKEN_SALT, headSalt, hash, c)),
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

/** Queries and keys of one head from a checkpoint, row-major [tokens][dim] each. */
export interface CheckpointRows {
  readonly q: Float64Array;
  readonly k: Float64Array;
  readonly dim: number;
}

/** Rows of a checkpoint, repeated to fill the sequence. Without input vectors x. */
function checkpointRowsContent({ q, k, dim }: CheckpointRows, past: number): Content {
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

/** Description of a content, as states, workers and generated code store it. */
export type ContentChoice =
  | "ones"
  | { readonly seed: number }
  | { readonly tokens: readonly string[] }
  | { readonly rows: CheckpointRows };

export function createContent(choice: ContentChoice, past: number): Content {
  if (choice === "ones") return onesContent;
  if ("seed" in choice) return randomContent(choice.seed);
  if ("rows" in choice) return checkpointRowsContent(choice.rows, past);
  return choice.tokens.length === 0 ? onesContent : tokenContent(choice.tokens, past);
}

export type CreateContent = typeof createContent;

/** `createContent` that keeps the random content of the last seed, because every change of a parameter asks for it. */
export function createCachedContent(): CreateContent {
  let last: { readonly seed: number; readonly content: Content } | undefined;
  return (choice, past) => {
    if (typeof choice === "string" || !("seed" in choice)) return createContent(choice, past);
    if (last?.seed !== choice.seed) last = { seed: choice.seed, content: randomContent(choice.seed) };
    return last.content;
  };
}

/** Factor with the given rows; missing rows are zero. */
export function factorFromRows(rows: readonly (readonly number[])[]): Factor {
  const dim = rows[0]?.length ?? 0;
  return {
    dim,
    write: (index, out, offset) => {
      const row = rows[index];
      for (let c = 0; c < dim; c++) out[offset + c] = row?.[c] ?? 0;
    },
  };
}

/** Vectors from outside: `q`, `k`, `v` as [head][index][head_dim], `x` as [index][hidden]. */
export interface InputVectors {
  readonly q?: readonly (readonly (readonly number[])[])[];
  readonly k?: readonly (readonly (readonly number[])[])[];
  readonly v?: readonly (readonly (readonly number[])[])[];
  readonly x?: readonly (readonly number[])[];
}

/**
 * Content of the given vectors.
 * A vector that is not given has no width, and reading one of its rows is an error: zeros would look like a result.
 */
export function inputContent(vectors: InputVectors): Content {
  return {
    kind: "given",
    constant: false,
    rows: (which, head) => {
      const rows = which === "x" ? vectors.x : vectors[which]?.[head];
      return rows === undefined ? missingFactor(vectors, which, head) : factorFromRows(rows);
    },
  };
}

function missingFactor(vectors: InputVectors, which: keyof InputVectors, head: number): Factor {
  const names = Object.keys(vectors).join(", ");
  const message =
    vectors[which] === undefined
      ? `the vectors "${which}" are needed, but only these are given: ${names}`
      : `the vectors "${which}" of head ${head} are needed, but the number of given heads is ${vectors[which].length}`;
  const fail = () => {
    throw new UserError(message);
  };
  // Every encoding reads q and k, unless it has x; x and v are asked for before it is known whether they are needed.
  if (which === "q" || which === "k") fail();
  return { dim: 0, write: fail };
}
