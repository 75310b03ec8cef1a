/** A formula as a tree. Spans are offsets in the TeX. */

export interface Span {
  readonly from: number;
  readonly to: number;
}

export interface NumberExpr extends Span {
  readonly kind: "number";
  readonly value: number;
}

/** A letter or word with its indices. */
export interface SymbolExpr extends Span {
  readonly kind: "symbol";
  /** Without font and accents: `x`, `theta`, `pos`. */
  readonly name: string;
  /** `hat`, `tilde`, `bar`, `prime`, … */
  readonly accent: string;
  readonly sub: readonly Expr[];
  /** Labels: K of `R^K`. Powers are `PowerExpr`. */
  readonly sup: readonly Expr[];
}

export interface SumExpr extends Span {
  readonly kind: "sum";
  readonly terms: readonly { readonly sign: 1 | -1; readonly expr: Expr }[];
}

/** How two factors are joined; "" is juxtaposition. */
export type ProductSign = "" | "dot" | "times" | "odot" | "otimes" | "circ" | "oplus";

export interface ProductExpr extends Span {
  readonly kind: "product";
  readonly factors: readonly Expr[];
  /** The sign before each factor but the first. */
  readonly signs: readonly ProductSign[];
}

export interface QuotientExpr extends Span {
  readonly kind: "quotient";
  readonly numerator: Expr;
  readonly denominator: Expr;
}

export interface PowerExpr extends Span {
  readonly kind: "power";
  readonly base: Expr;
  readonly exponent: Expr;
}

export interface TransposeExpr extends Span {
  readonly kind: "transpose" | "conjugate";
  readonly of: Expr;
}

/** A known function (`sin`, `softmax`, `clip`, …) with its arguments. */
export interface CallExpr extends Span {
  readonly kind: "call";
  readonly name: string;
  readonly args: readonly Expr[];
  readonly sub: readonly Expr[];
  readonly power: Expr | null;
}

/** A letter before parentheses: a function, or a factor. */
export interface ApplyExpr extends Span {
  readonly kind: "apply";
  readonly fn: SymbolExpr;
  readonly args: readonly Expr[];
}

/** Σ, Π, ∫ */
export interface BigExpr extends Span {
  readonly kind: "big";
  readonly operator: "sum" | "prod" | "int";
  readonly lower: readonly Expr[];
  readonly upper: readonly Expr[];
  readonly body: Expr;
}

/** A list in brackets, an absolute value, an inner product. Parentheses around one expression leave no trace. */
export interface GroupExpr extends Span {
  readonly kind: "group";
  readonly bracket: "(" | "[" | "{" | "<" | "|" | "floor" | "ceil" | "norm";
  readonly items: readonly Expr[];
}

export interface MatrixExpr extends Span {
  readonly kind: "matrix";
  readonly isCases: boolean;
  readonly rows: readonly (readonly Expr[])[];
}

export interface RelationExpr extends Span {
  readonly kind: "relation";
  readonly sides: readonly Expr[];
  readonly signs: readonly string[];
}

export interface TextExpr extends Span {
  readonly kind: "text" | "dots" | "empty";
  readonly text: string;
}

export type Expr =
  | NumberExpr
  | SymbolExpr
  | SumExpr
  | ProductExpr
  | QuotientExpr
  | PowerExpr
  | TransposeExpr
  | CallExpr
  | ApplyExpr
  | BigExpr
  | GroupExpr
  | MatrixExpr
  | RelationExpr
  | TextExpr;

/** The direct parts of an expression, in reading order. */
export function partsOf(expr: Expr): readonly Expr[] {
  switch (expr.kind) {
    case "symbol":
      return [...expr.sub, ...expr.sup];
    case "sum":
      return expr.terms.map((term) => term.expr);
    case "product":
      return expr.factors;
    case "quotient":
      return [expr.numerator, expr.denominator];
    case "power":
      return [expr.base, expr.exponent];
    case "transpose":
    case "conjugate":
      return [expr.of];
    case "call":
      return [...expr.sub, ...expr.args];
    case "apply":
      return [expr.fn, ...expr.args];
    case "big":
      return [...expr.lower, ...expr.upper, expr.body];
    case "group":
      return expr.items;
    case "matrix":
      return expr.rows.flat();
    case "relation":
      return expr.sides;
    default:
      return [];
  }
}

/** An expression and everything in it. */
export function* walk(expr: Expr): Iterable<Expr> {
  yield expr;
  for (const part of partsOf(expr)) yield* walk(part);
}
