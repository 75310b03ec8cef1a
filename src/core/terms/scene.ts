import type { Numbering } from "./numbering.ts";
import type { Factor } from "./term.ts";

/** Vectors of the tokens. Rows are pure functions of (seed, index), independent of the viewport. */
export interface Content {
  readonly kind: "ones" | "random" | "given";
  /** All rows of a factor are equal, so products of rotations depend on δ alone. */
  readonly constant: boolean;
  /**
   * `q`, `k`, `v`: head_dim-vectors of a head; `x`: hidden-size input vectors (head ignored). `given` content has the
   * dimension of its data, all other content the requested `dim`.
   */
  rows(which: "q" | "k" | "v" | "x", head: number, dim: number): Factor;
}

/** Arrays by name, as nested lists of numbers (`--inputs`). */
export type Inputs = Readonly<Record<string, unknown>>;

/** Everything that the terms of one head depend on besides the parameters. */
export interface Scene {
  readonly queryLength: number;
  /** ≥ queryLength when decoding; the queries are the last tokens of the keys. */
  readonly keyLength: number;
  /** Added to all positions, of queries and keys. */
  readonly shift: number;
  readonly head: number;
  /** Position at which factors that grow exponentially are centred (xPos). */
  readonly centre: number;
  readonly content: Content;
  readonly inputs: Inputs;
  /** Position ids other than the indices, for encodings that take ids (`takesPositionIds`). */
  readonly numbering?: Numbering;
  /** Replaces the model's own 1/√d. */
  readonly softmaxScale?: number;
}

/** Position × dimension, shown by the Table view. */
export interface PositionTable {
  readonly rows: Factor;
  /** Label of a column: "sin ω₀". */
  column(index: number): string;
}
