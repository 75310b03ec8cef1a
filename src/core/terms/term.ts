import type { Localized } from "../l10n/l10n.ts";

/**
 * Every position encoding is a sum of terms:
 *
 *     logit(i, j) = Σ scale_t · term_t(i, j)      weights(i, ·) = softmax(logit(i, ·) + mask, extra logit?)
 *
 * i is the query INDEX (0 … queryLength − 1), j the key INDEX. The position of an index is fixed when the terms are
 * built (shift, cache offset, position ids), so this file uses no positions but `delta`.
 */

/** The product in the expansion of (x+p)W_Q · (x+p)W_K that a term stands for. */
export type TermRole = "content_content" | "content_position" | "position_content" | "position_position";

/** Row vectors by index, evaluated on demand. */
export interface Factor {
  /** Length of a row. */
  readonly dim: number;
  /** Writes row `index` into `out[offset … offset + dim)`. */
  write(index: number, out: Float64Array, offset: number): void;
  /** ⟨vector, row⟩ by index, for factors that can compute it faster than the row. */
  dotWith?(vector: ArrayLike<number>): (index: number) => number;
}

/** Cells where a term applies. Absent bounds do not limit; δ = position(i) − position(j). */
export interface TermRegion {
  /** Smallest δ, inclusive. */
  readonly deltaFrom?: number;
  /** Largest δ, exclusive. */
  readonly deltaTo?: number;
  /** Only the first query ([CLS]), or all but the first. */
  readonly query?: "first" | "rest";
  readonly key?: "first" | "rest";
}

/** Table row of a cell: by δ if that is enough, by (i, j) on grids and for floored positions. */
export type RelativeIndex =
  | { readonly of: "delta"; at(delta: number): number }
  | { readonly of: "cell"; at(i: number, j: number): number };

interface TermBase {
  /** Unique within an encoding; used in JSON, toggles and tests. */
  readonly id: string;
  readonly role: TermRole;
  readonly name: Localized;
  readonly scale: number;
  /** Factors of `scale` as readouts show them: "1/√128", "1.138629² (YaRN)". Their product is `scale`. */
  readonly scaleParts?: readonly { readonly value: number; readonly text: string }[];
  readonly region?: TermRegion;
  /**
   * The term's value (before `scale`) as a function of δ alone, present exactly if it is one: drawing then needs one
   * evaluation per diagonal. Must equal what the kind computes.
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

/** One number per cell: T5, ALiBi, KERPLE, Sandwich, Swin, FIRE. */
export interface BiasTerm extends TermBase {
  readonly kind: "bias";
  value(i: number, j: number): number;
}

/** Needs the row's logits first: CoPE. */
export interface GatedTerm extends TermBase {
  readonly kind: "gated";
  /**
   * Values for keys 0 … logits.length − 1 of query i.
   * @param logits scaled sum of all other terms in the row; masked cells are −Infinity
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
 * Which keys a query may see, by INDEX. The queries are the last tokens of the keys: query i has key index a = i +
 * (keyLength − queryLength). All given conditions must hold, except that the first `keepFirst` keys are exempt from
 * `window` (not from `causal`).
 */
export interface Mask {
  /** j ≤ a */
  readonly causal?: boolean;
  /**
   * Causal: a − window < j, so `window` keys including the token itself. Not causal: |a − j| ≤ window, as in
   * transformers.
   */
  readonly window?: number;
  /** ⌊a / chunk⌋ = ⌊j / chunk⌋ */
  readonly chunk?: number;
  /** StreamingLLM: this many first keys stay visible outside the window. */
  readonly keepFirst?: number;
  /** Keys before this index are padding and hidden from all queries, regardless of `keepFirst`. */
  readonly padding?: number;
  /** Lengths of packed documents, repeated to fill the keys: each query sees only its own document. */
  readonly documents?: readonly number[];
}

/** Attention of one head in one layer, as data for both engines. */
export interface Attention {
  readonly queryLength: number;
  readonly keyLength: number;
  /** δ(i, j) = i − j + deltaOffset (cache offset; a shift of both positions cancels). */
  readonly deltaOffset: number;
  readonly terms: readonly Term[];
  readonly mask: Mask;
  /** A logit that joins the softmax of each row and is then dropped (gpt-oss sinks). */
  readonly extraLogit?: number;
  readonly valueTerm?: ValueTerm;
}
