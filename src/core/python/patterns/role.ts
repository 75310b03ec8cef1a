import type { Layout } from "../../spec.ts";
import type { Expr } from "../parse/ast.ts";
import type { Scope } from "../symbols/module.ts";

/** An expression with the scope that its names live in. */
export interface Ref {
  readonly expr: Expr;
  readonly scope: Scope;
}

/** Inverse frequencies ω_k = base^(−2k/dim), or their reciprocals. */
export interface Frequencies {
  readonly kind: "frequencies" | "wavelengths";
  readonly base: Ref | null;
  /** The dimension that the exponents are divided by; `doubled` when the code has half of it. */
  readonly dim: Ref | null;
  readonly dimIsHalf: boolean;
  /** Divided by a factor (position interpolation). */
  readonly factor: Ref | null;
  /** `arange(0, d, 2)`, `2 * i`: the shape that only encodings have. */
  readonly strong: boolean;
  /** Written as exp(−log(base)·…), the way of sinusoidal tables. */
  readonly exponential: boolean;
  /** The expression that they were first computed by. */
  readonly origin: Ref;
}

/**
 * What a value is, as far as its own expression and the definitions of the names in it tell. Names alone never
 * give a role.
 */
export type Role =
  /** arange(stop), or a loop variable over one; `step` 2 for arange(0, d, 2), `unit` for linspace(0, 1, stop). */
  | { readonly kind: "range"; readonly stop: Ref | null; readonly step: number; readonly unit: boolean }
  | Frequencies
  /** position × frequency; `doubled` when every angle stands twice, and how. */
  | { readonly kind: "angles"; readonly of: Frequencies; readonly doubled: Layout | null }
  | {
      readonly kind: "wave";
      readonly wave: "sin" | "cos" | "cis";
      readonly of: Frequencies;
      readonly doubled: Layout | null;
    }
  /** sin and cos beside each other: rows of an additive table. */
  | { readonly kind: "table"; readonly of: Frequencies; readonly arrangement: Layout }
  /** The first or second members of the pairs of a vector. */
  | { readonly kind: "member"; readonly part: 0 | 1; readonly layout: Layout; readonly from: Ref; readonly key: string }
  /** (…, 2)-shaped view of a vector; of which axis the pairs are. */
  | {
      readonly kind: "pairs";
      readonly layout: Layout;
      readonly from: Ref;
      readonly complex: boolean;
      /** (…, 1, 2)-shaped: a row for each pair, for matrices to be multiplied with. */
      readonly column?: boolean;
    }
  /** (x0, x1) → (−x1, x0). */
  | { readonly kind: "turned"; readonly layout: Layout; readonly from: Ref; readonly opposite: boolean }
  | { readonly kind: "rotated"; readonly layout: Layout | null; readonly from: Ref }
  /** position − position for all pairs; `bound` when clipped. */
  | { readonly kind: "distance"; readonly bound: Ref | null }
  /** Logarithmic buckets of distances; `signed` in DeBERTa's way. */
  | { readonly kind: "bucket"; readonly signed: boolean; readonly of: Ref }
  /** Geometric slopes of heads. */
  | { readonly kind: "slopes"; readonly heads: Ref | null; readonly maximum: Ref | null; readonly origin: Ref }
  /** slope × distance. */
  | { readonly kind: "alibi"; readonly heads: Ref | null; readonly maximum: Ref | null }
  /** q · table[i, j]: scores of a query against vectors of its distances. */
  | { readonly kind: "relative"; readonly table: Ref }
  /** A bias that is a trained or fixed function of distances. */
  | { readonly kind: "kernel"; readonly family: "kerple" | "fire" | "sandwich" }
  /** Sums of gates from each key to the query. */
  | { readonly kind: "gate" }
  | { readonly kind: "tuple"; readonly items: readonly (Role | null)[] };

export type RoleKind = Role["kind"];
