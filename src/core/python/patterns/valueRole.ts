import type { PairLayout } from "../../spec.ts";
import type { Expr } from "../parse/ast.ts";
import type { Scope } from "../symbols/module.ts";

/** An expression with the scope that resolves its names. */
export interface ScopedExpression {
  readonly expr: Expr;
  readonly scope: Scope;
}

/** Inverse frequencies ω_k = base^(−2k/dim), or their reciprocals. */
export interface FrequencyRole {
  readonly kind: "frequencies" | "wavelengths";
  readonly base: ScopedExpression | null;
  /** The dimension that the exponents are divided by. `dimIsHalf`: the code has half of it. */
  readonly dim: ScopedExpression | null;
  readonly dimIsHalf: boolean;
  /** Divided by a factor (position interpolation). */
  readonly factor: ScopedExpression | null;
  /** Written with `arange(0, d, 2)` or `2 * i`, which occurs only in position encodings. */
  readonly isDistinctive: boolean;
  /** Written as exp(−log(base)·…), as sinusoidal tables are. */
  readonly isExponential: boolean;
  /** The expression that first computed them. */
  readonly origin: ScopedExpression;
}

/**
 * What a value is, derived from its expression and from the definitions of the names in it. Except for `inv_freq`, a
 * name alone never gives a role.
 */
export type ValueRole =
  /**
   * arange(stop), or a loop variable over one. `step` is 2 for arange(0, d, 2); `isUnitInterval` marks linspace(0, 1,
   * stop).
   */
  | {
      readonly kind: "range";
      readonly stop: ScopedExpression | null;
      readonly step: number;
      readonly isUnitInterval: boolean;
    }
  | FrequencyRole
  /** position × frequency; `doubled` is the order if every angle occurs twice. */
  | { readonly kind: "angles"; readonly of: FrequencyRole; readonly doubled: PairLayout | null }
  | {
      readonly kind: "wave";
      readonly wave: "sin" | "cos" | "cis";
      readonly of: FrequencyRole;
      readonly doubled: PairLayout | null;
    }
  /** sin and cos joined: rows of an additive table. */
  | { readonly kind: "table"; readonly of: FrequencyRole; readonly arrangement: PairLayout }
  /** The first or second members of the pairs of a vector. */
  | {
      readonly kind: "member";
      readonly part: 0 | 1;
      readonly layout: PairLayout;
      readonly from: ScopedExpression;
      readonly key: string;
    }
  /** A view of a vector by pairs; `layout` says how its pairs are formed. */
  | {
      readonly kind: "pairs";
      readonly layout: PairLayout;
      readonly from: ScopedExpression;
      readonly complex: boolean;
      /** The axis of length 2: the last one of (…, d/2, 2), the one before it of (…, 2, d/2). */
      readonly axis: -1 | -2;
      /** Number of axes of the view, if its sizes are listed. */
      readonly rank: number | null;
      /** Of shape (…, 1, 2): one row for each pair, to be multiplied with 2×2 matrices. */
      readonly column?: boolean;
    }
  /** A vector whose dimensions were moved so that pairs of this layout now have the other one. */
  | {
      readonly kind: "reordered";
      readonly layout: PairLayout;
      readonly from: ScopedExpression;
      /** Only in one branch of the code. */
      readonly conditional?: boolean;
    }
  /** (x0, x1) → (−x1, x0). */
  | {
      readonly kind: "quarterRotated";
      /** Null if the code before it leaves open which dimensions form pairs. */
      readonly layout: PairLayout | null;
      readonly from: ScopedExpression;
      readonly opposite: boolean;
    }
  | { readonly kind: "rotated"; readonly layout: PairLayout | null; readonly from: ScopedExpression }
  /** position − position for all pairs; `bound` when clipped. */
  | { readonly kind: "distance"; readonly bound: ScopedExpression | null }
  /** Logarithmic buckets of distances; `signed` as in DeBERTa. */
  | { readonly kind: "bucket"; readonly signed: boolean; readonly of: ScopedExpression }
  /** One slope per head, a geometric sequence. */
  | {
      readonly kind: "slopes";
      readonly heads: ScopedExpression | null;
      readonly maximum: ScopedExpression | null;
      readonly origin: ScopedExpression;
    }
  /** slope × distance. */
  | { readonly kind: "alibi"; readonly heads: ScopedExpression | null; readonly maximum: ScopedExpression | null }
  /** q · table[i, j]: scores of a query with a vector for each distance. */
  | { readonly kind: "relative"; readonly table: ScopedExpression }
  /** Scores written out; `names` are those of the position vectors, or of Transformer-XL's u and v (`.u` for self.u). */
  | {
      readonly kind: "expansion";
      readonly form: "absolute_expansion" | "relative_general" | "transformer_xl";
      readonly names: readonly string[];
    }
  /** A bias that is a trained or fixed function of distances. */
  | { readonly kind: "kernel"; readonly family: "kerple" | "fire" | "sandwich" }
  /** Sums of gates from each key to the query. */
  | { readonly kind: "gate" }
  | { readonly kind: "tuple"; readonly items: readonly (ValueRole | null)[] };

export type ValueRoleKind = ValueRole["kind"];
