import { type Expr, walk } from "../parse/tree.ts";

/** Small questions about expressions that the recognisers share. */

/** A text that equal expressions share, whatever their fonts and spans. */
export function keyOf(expr: Expr): string {
  switch (expr.kind) {
    case "number":
      return String(expr.value);
    case "symbol":
      return `${expr.name}${expr.accent === "prime" ? "'" : ""}${listKey("_", expr.sub)}${listKey("^", expr.sup)}`;
    case "sum":
      return `(${expr.terms.map((term) => `${term.sign < 0 ? "-" : "+"}${keyOf(term.expr)}`).join("")})`;
    case "product":
      return expr.factors.map(keyOf).join("*");
    case "quotient":
      return `(${keyOf(expr.numerator)}/${keyOf(expr.denominator)})`;
    case "power":
      return `${keyOf(expr.base)}^(${keyOf(expr.exponent)})`;
    case "transpose":
    case "conjugate":
      return keyOf(expr.of);
    case "call":
      return `${expr.name}(${expr.args.map(keyOf).join(",")})`;
    case "apply":
      return `${keyOf(expr.fn)}(${expr.args.map(keyOf).join(",")})`;
    case "group":
      return `${expr.bracket}${expr.items.map(keyOf).join(",")}`;
    default:
      return expr.kind;
  }
}

function listKey(mark: string, items: readonly Expr[]): string {
  return items.length === 0 ? "" : `${mark}{${items.map(keyOf).join(",")}}`;
}

export function isNumber(expr: Expr | undefined, value?: number): boolean {
  return expr?.kind === "number" && (value === undefined || expr.value === value);
}

/** The factors of a product, those of nested products included; other expressions are their own factor. */
export function factorsOf(expr: Expr): readonly Expr[] {
  return expr.kind === "product" ? expr.factors.flatMap(factorsOf) : [expr];
}

/** Like `factorsOf`, where a_ij(x + p) is a product. */
export function spreadFactors(expr: Expr): readonly Expr[] {
  return factorsOf(expr).flatMap((factor) =>
    factor.kind === "apply" && factor.args.length === 1 && factor.args[0]?.kind === "sum"
      ? [factor.fn, ...factor.args]
      : [factor],
  );
}

export interface SignedTerm {
  readonly sign: 1 | -1;
  readonly expr: Expr;
}

/** The terms of a sum, those of nested sums included. */
export function termsOf(expr: Expr): readonly SignedTerm[] {
  if (expr.kind !== "sum") return [{ sign: 1, expr }];
  return expr.terms.flatMap(({ sign, expr: term }) =>
    termsOf(term).map((inner): SignedTerm => ({ sign: sign === inner.sign ? 1 : -1, expr: inner.expr })),
  );
}

/** A product of powers: a number, and what is above and below the line. */
export interface Monomial {
  readonly coefficient: number;
  readonly above: readonly Expr[];
  readonly below: readonly Expr[];
}

/** The expression as number × factors / factors. A sum of several terms is one factor. */
export function monomialOf(expr: Expr): Monomial {
  switch (expr.kind) {
    case "number":
      return { coefficient: expr.value, above: [], below: [] };
    case "product":
      return expr.factors.map(monomialOf).reduce(multiply);
    case "quotient":
      return multiply(monomialOf(expr.numerator), invert(monomialOf(expr.denominator)));
    case "power":
      return powerMonomial(expr, expr.base, expr.exponent);
    case "sum": {
      const [only, ...others] = expr.terms;
      const total = others.length > 0 ? addNumbers(expr.terms) : null;
      if (total !== null) return { coefficient: total, above: [], below: [] };
      if (only === undefined || others.length > 0) return { coefficient: 1, above: [expr], below: [] };
      const inner = monomialOf(only.expr);
      return { ...inner, coefficient: inner.coefficient * only.sign };
    }
    default:
      return { coefficient: 1, above: [expr], below: [] };
  }
}

/** 128 − 2; null if a term is not a number. */
function addNumbers(terms: readonly SignedTerm[]): number | null {
  let total = 0;
  for (const { sign, expr } of terms) {
    if (expr.kind !== "number") return null;
    total += sign * expr.value;
  }
  return total;
}

function powerMonomial(expr: Expr, base: Expr, exponent: Expr): Monomial {
  const { coefficient, above, below } = monomialOf(exponent);
  const isInteger = above.length === 0 && below.length === 0 && Number.isInteger(coefficient);
  if (isInteger && base.kind === "number" && Math.abs(coefficient) < 40)
    return { coefficient: base.value ** coefficient, above: [], below: [] };
  if (isInteger && coefficient === -1) return invert(monomialOf(base));
  return { coefficient: 1, above: [expr], below: [] };
}

function multiply(a: Monomial, b: Monomial): Monomial {
  return {
    coefficient: a.coefficient * b.coefficient,
    above: [...a.above, ...b.above],
    below: [...a.below, ...b.below],
  };
}

function invert({ coefficient, above, below }: Monomial): Monomial {
  return { coefficient: 1 / coefficient, above: below, below: above };
}

/** A number, also as power: 10^4. */
export function numberValue(expr: Expr | undefined): number | null {
  if (expr === undefined) return null;
  const { coefficient, above, below } = monomialOf(expr);
  return above.length === 0 && below.length === 0 && Number.isFinite(coefficient) ? coefficient : null;
}

/** i − j, in either order; the letters that are subtracted. */
export interface Difference {
  readonly minuend: string;
  readonly subtrahend: string;
}

/** `i - j`, `|i - j|`, `(i - j)`, possibly with a number added. Each side is a letter, perhaps with an index. */
export function differenceOf(expr: Expr | undefined): Difference | null {
  if (expr === undefined) return null;
  if (expr.kind === "group" && expr.items.length === 1) return differenceOf(expr.items[0]);
  const terms = termsOf(expr).filter((term) => term.expr.kind !== "number");
  const [first, second, ...others] = terms;
  if (first === undefined || second === undefined || others.length > 0 || first.sign === second.sign) return null;
  if (!isPositionLetter(first.expr) || !isPositionLetter(second.expr)) return null;
  const [plus, minus] = first.sign > 0 ? [first, second] : [second, first];
  return { minuend: keyOf(plus.expr), subtrahend: keyOf(minus.expr) };
}

export function containsDifference(expr: Expr): boolean {
  for (const part of walk(expr)) if (differenceOf(part) !== null) return true;
  return false;
}

const NOT_POSITIONS: ReadonlySet<string> = new Set(["d", "D", "pi", "e"]);

/** A letter that can count tokens. */
export function isPositionLetter(expr: Expr | undefined): boolean {
  if (expr?.kind !== "symbol") return false;
  if (NOT_POSITIONS.has(expr.name)) return false;
  return /^[a-z]$/.test(expr.name) || POSITION_WORDS.has(expr.name);
}

const POSITION_WORDS: ReadonlySet<string> = new Set([
  "pos",
  "POS",
  "Pos",
  "position",
  "tau",
  "delta",
  "Delta",
  "query",
  "key",
  "N",
  "M",
  "K",
  "L",
  "I",
  "J",
  "T",
]);

/** All parts of expressions that satisfy a condition. */
export function findAll<T>(exprs: readonly Expr[], read: (expr: Expr) => T | null): T[] {
  const found: T[] = [];
  for (const root of exprs)
    for (const part of walk(root)) {
      const value = read(part);
      if (value !== null) found.push(value);
    }
  return found;
}

export function someExpr(exprs: readonly Expr[], test: (expr: Expr) => boolean): boolean {
  for (const root of exprs) for (const part of walk(root)) if (test(part)) return true;
  return false;
}
