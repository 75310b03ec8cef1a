import type { Localized } from "../l10n/l10n.ts";

/**
 * Every position encoding is a sum of terms:
 *
 *     logit(i, j) = Σ scale_t · term_t(i, j)      weights(i, ·) = softmax(logit(i, ·) + mask, extra logit?)
 *
 * i is the query INDEX (0 … queryLength − 1), j the key INDEX. What position an index stands at is settled
 * when the terms are made (shift, cache offset, position ids), so nothing here knows positions but `delta`.
 */

/** Which product of the expansion of (x+p)W_Q · (x+p)W_K a term stands for. */
export type Role = "content_content" | "content_position" | "position_content" | "position_position";

/** Row vectors by index, evaluated where they are needed and nowhere else. */
export interface Factor {
  /** Length of a row. */
  readonly dim: number;
  /** Writes row `index` into `out[offset … offset + dim)`. */
  write(index: number, out: Float64Array, offset: number): void;
  /** ⟨vector, row⟩ by index, for factors where that costs less than the row. */
  along?(vector: ArrayLike<number>): (index: number) => number;
}

/** Where a term holds. Absent bounds do not bind; δ = position(i) − position(j). */
export interface Region {
  /** Smallest δ, inclusive. */
  readonly deltaFrom?: number;
  /** Largest δ, exclusive. */
  readonly deltaTo?: number;
  /** Only the first query (a [CLS] row), or all but the first. */
  readonly query?: "first" | "rest";
  readonly key?: "first" | "rest";
}

/** Row of a relative table for a cell: by δ where that is enough, by (i, j) on grids and for absolute floors. */
export type RelativeIndex =
  | { readonly of: "delta"; at(delta: number): number }
  | { readonly of: "cell"; at(i: number, j: number): number };

interface TermBase {
  /** Unique within an encoding; key of JSON, toggles and tests. */
  readonly id: string;
  readonly role: Role;
  readonly name: Localized;
  readonly scale: number;
  /** What `scale` is made of, as readouts write it: "1/√128", "1.138629² (YaRN)". Their product is `scale`. */
  readonly scaleParts?: readonly { readonly value: number; readonly text: string }[];
  readonly region?: Region;
  /**
   * The term's value (before `scale`) as a function of δ alone, present exactly when it is one: drawing then
   * costs one evaluation a diagonal. Must equal what the kind computes.
   */
  readonly profile?: (delta: number) => number;
}

/** ⟨A(i), B(j)⟩: content, absolute encodings, rotations. */
export interface ProductTerm extends TermBase {
  readonly kind: "product";
  readonly query: Factor;
  readonly key: Factor;
}

/** ⟨A(i), R[index(i, j)]⟩: Shaw, Transformer-XL, DeBERTa c2p, ViTDet. */
export interface RelativeQueryTerm extends TermBase {
  readonly kind: "relative_query";
  readonly query: Factor;
  readonly table: Factor;
  readonly index: RelativeIndex;
}

/** ⟨B(j), R[index(i, j)]⟩: DeBERTa p2c, the general k·r form. */
export interface RelativeKeyTerm extends TermBase {
  readonly kind: "relative_key";
  readonly key: Factor;
  readonly table: Factor;
  readonly index: RelativeIndex;
}

/** A number for each cell: T5, ALiBi, KERPLE, Sandwich, Swin, FIRE. */
export interface BiasTerm extends TermBase {
  readonly kind: "bias";
  value(i: number, j: number): number;
}

/** Needs the row's logits before it: CoPE. */
export interface GatedTerm extends TermBase {
  readonly kind: "gated";
  /**
   * Values for keys 0 … logits.length − 1 of query i.
   * @param logits the scaled sum of all other terms of that row; masked cells are −Infinity
   */
  row(i: number, logits: Float64Array): Float64Array;
}

export type Term = ProductTerm | RelativeQueryTerm | RelativeKeyTerm | BiasTerm | GatedTerm;

/** A vector added to the values: z_i = Σ_j w_ij (v_j + table[index(i, j)]) (Shaw). */
export interface ValueTerm {
  readonly table: Factor;
  readonly index: RelativeIndex;
}

/**
 * Which keys a query may see, by INDEX with the queries at the end of the keys:
 * a = i + (keyLength − queryLength) is the query's index among the keys.
 * All given conditions must hold, except that the first `keepFirst` keys escape `window` (not `causal`).
 */
export interface Mask {
  /** j ≤ a */
  readonly causal?: boolean;
  /** Causal: a − window < j, `window` keys with the token itself. Not causal: |a − j| ≤ window, as transformers. */
  readonly window?: number;
  /** ⌊a / chunk⌋ = ⌊j / chunk⌋ */
  readonly chunk?: number;
  /** StreamingLLM: the first keys stay visible behind the window. */
  readonly keepFirst?: number;
  /** Keys before this one are padding: nobody sees them, `keepFirst` or not. */
  readonly padding?: number;
  /** Lengths of packed documents, again and again until the keys are full: each query sees its own alone. */
  readonly documents?: readonly number[];
}

/** A layer's attention of one head, as data for both engines. */
export interface Attention {
  readonly queryLength: number;
  readonly keyLength: number;
  /** δ(i, j) = i − j + deltaOffset (cache offset; a shift of both positions cancels). */
  readonly deltaOffset: number;
  readonly terms: readonly Term[];
  readonly mask: Mask;
  /** A logit that joins each row's softmax and is dropped (gpt-oss sinks). */
  readonly extraLogit?: number;
  readonly valueTerm?: ValueTerm;
}
