import type { Expr, Span, SymbolExpr } from "../parse/tree.ts";
import { containsDifference, differenceOf, isPositionLetter, keyOf, termsOf } from "./algebra.ts";

/** What a vector, matrix or scalar of a product belongs to. */
export type Place =
  /** A token: x_i. */
  | { readonly kind: "token"; readonly letter: string }
  /** A pair of tokens: R_{i−j}, a_{ij}. */
  | { readonly kind: "pair"; readonly first: string; readonly second: string }
  /** No token: W_Q, u, v. */
  | { readonly kind: "none" };

/** A factor of a bilinear product. */
export interface Atom {
  readonly expr: Expr;
  readonly name: string;
  readonly isTransposed: boolean;
  readonly place: Place;
  readonly isMatrix: boolean;
  /** Upper labels: K of a^K, Q of W^Q. */
  readonly labels: string;
}

/** A product of vectors and matrices: a term of a score when sums are multiplied out. */
export interface Word {
  readonly sign: 1 | -1;
  readonly atoms: readonly Atom[];
  /** The term that it was written in. */
  readonly span: Span;
  /** Scalars and everything else that is not a vector or matrix. */
  readonly others: readonly Expr[];
  /** A vector was added to another one before they were multiplied: k_j + a_ij. */
  readonly isFromSum: boolean;
}

const MAX_WORDS = 64;

/** Multiplies out a score. Divisors are dropped: they scale all terms alike. Empty if there are too many terms. */
export function expandWords(expr: Expr): readonly Word[] {
  const words = expand(expr, expr, false);
  return words.length > MAX_WORDS ? [] : words;
}

function expand(expr: Expr, span: Span, isTransposed: boolean): Word[] {
  switch (expr.kind) {
    case "sum":
      return expr.terms.flatMap(({ sign, expr: term }) => {
        const inner = expand(term, term, isTransposed);
        const isVectorSum = inner.every(
          (word) =>
            word.atoms.length < 2 ||
            word.atoms.slice(1).every((atom) => atom.isMatrix) ||
            word.atoms.slice(0, -1).every((atom) => atom.isMatrix),
        );
        return inner.map(
          (word): Word => ({
            ...word,
            sign: word.sign === sign ? 1 : -1,
            isFromSum: word.isFromSum || (isVectorSum && expr.terms.length > 1),
          }),
        );
      });
    case "product":
      return expandFactors(isTransposed ? [...expr.factors].reverse() : expr.factors, span, isTransposed);
    case "transpose":
      return expand(expr.of, expr, !isTransposed);
    case "quotient":
      return expand(expr.numerator, expr.numerator.kind === "sum" ? expr.numerator : span, isTransposed);
    case "apply":
      return expandApply(expr, span, isTransposed);
    case "group":
      return expandGroup(expr, span, isTransposed);
    case "symbol":
      return [{ sign: 1, atoms: [readAtom(expr, isTransposed)], span, others: [], isFromSum: false }];
    case "power":
      // u^1 and u^2 are two vectors.
      return expr.base.kind === "symbol" && /^[uv]$/.test(expr.base.name) && expr.exponent.kind === "number"
        ? [{ sign: 1, atoms: [readAtom(expr.base, isTransposed)], span, others: [], isFromSum: false }]
        : [{ sign: 1, atoms: [], span, others: [expr], isFromSum: false }];
    case "relation":
      return [];
    default:
      return [{ sign: 1, atoms: [], span, others: [expr], isFromSum: false }];
  }
}

function expandFactors(written: readonly Expr[], span: Span, isTransposed: boolean): Word[] {
  const factors = isTransposed ? written : joinLookups(written);
  let words: Word[] = [{ sign: 1, atoms: [], span, others: [], isFromSum: false }];
  const sums = factors.filter((factor) => isSumLike(factor)).length;
  for (const factor of factors) {
    const parts = expand(factor, factor, isTransposed);
    if (words.length * parts.length > MAX_WORDS) return [];
    words = words.flatMap((word) =>
      parts.map((part) => ({
        sign: word.sign === part.sign ? (1 as const) : (-1 as const),
        atoms: [...word.atoms, ...part.atoms],
        // Terms of one sum keep their own places; products of two sums have the place of the whole.
        span: sums === 1 && isSumLike(factor) ? part.span : word.span,
        others: [...word.others, ...part.others],
        isFromSum: word.isFromSum || part.isFromSum,
      })),
    );
  }
  return words;
}

/** bias[bucket(i − j)] is one symbol with the distance as its index. */
function joinLookups(factors: readonly Expr[]): readonly Expr[] {
  const joined: Expr[] = [];
  for (const factor of factors) {
    const table = joined.at(-1);
    const [index, ...others] = factor.kind === "group" && factor.bracket === "[" ? factor.items : [];
    const isIndex = index !== undefined && others.length === 0 && containsDifference(index);
    if (isIndex && table?.kind === "symbol" && table.sub.length === 0)
      joined.splice(-1, 1, { ...table, sub: [index], to: factor.to });
    else joined.push(factor);
  }
  return joined;
}

function isSumLike(expr: Expr): boolean {
  if (expr.kind === "transpose" || expr.kind === "conjugate") return isSumLike(expr.of);
  return expr.kind === "sum" && expr.terms.length > 1;
}

/** `W(x_i + p_i)` is a product; `R(i − j)` is indexed by a distance; `f(x, m)` is opaque. */
function expandApply(expr: Extract<Expr, { kind: "apply" }>, span: Span, isTransposed: boolean): Word[] {
  const [argument, ...others] = expr.args;
  if (argument !== undefined && others.length === 0) {
    const difference = differenceOf(argument);
    if (difference !== null || isPositionLetter(argument)) {
      const indexed: SymbolExpr = { ...expr.fn, sub: [...expr.fn.sub, argument], from: expr.from, to: expr.to };
      return [{ sign: 1, atoms: [readAtom(indexed, isTransposed)], span, others: [], isFromSum: false }];
    }
    if (!/^[fgh]$/.test(expr.fn.name))
      return expandFactors(isTransposed ? [argument, expr.fn] : [expr.fn, argument], span, isTransposed);
  }
  return [{ sign: 1, atoms: [], span, others: [expr], isFromSum: false }];
}

/** ⟨a, b⟩ is a product; `[…]` around one expression is a parenthesis. */
function expandGroup(expr: Extract<Expr, { kind: "group" }>, span: Span, isTransposed: boolean): Word[] {
  const [first, second, ...others] = expr.items;
  if (
    first !== undefined &&
    second === undefined &&
    (expr.bracket === "[" || expr.bracket === "(" || expr.bracket === "{")
  )
    return expand(first, span, isTransposed);
  if (expr.bracket === "<" && first !== undefined && second !== undefined && others.length === 0)
    return expandFactors([first, second], span, false);
  return [{ sign: 1, atoms: [], span, others: [expr], isFromSum: false }];
}

function readAtom(expr: SymbolExpr, isTransposed: boolean): Atom {
  const place = readPlace(expr);
  return {
    expr,
    name: expr.name,
    isTransposed,
    place,
    isMatrix: place.kind === "none" && isMatrixName(expr),
    labels: expr.sup.map(keyOf).join(","),
  };
}

/** W_Q, U^K, W; a single upper-case letter with a label of upper-case letters or words. */
function isMatrixName({ name, sub, sup }: SymbolExpr): boolean {
  if (/^[WUVMBA]$/.test(name)) return true;
  return /^[A-Zw]$/.test(name) && (sub.length > 0 || sup.length > 0) && [...sub, ...sup].every(isLabel);
}

const LABELS: ReadonlySet<string> = new Set(["q", "k", "v", "r", "e", "E", "R", "Q", "K", "V", "O", "P", "h"]);

function isLabel(expr: Expr): boolean {
  if (expr.kind === "product") return expr.factors.every(isLabel);
  return expr.kind === "symbol" && (LABELS.has(expr.name) || expr.name.length > 1 || /^[A-Z]$/.test(expr.name));
}

/** The tokens that a symbol's indices name. `W_q` has a label, `x_q` an index. */
function readPlace({ name, sub, sup }: SymbolExpr): Place {
  const isWeight = /^[Ww]$/.test(name);
  const indices = [...sub, ...sup.filter((label) => label.kind === "group")].flatMap((item) =>
    placeLetters(item, isWeight),
  );
  // Segments and layers are not tokens.
  const tokens = indices.length > 1 ? indices.filter((letter) => !/^(?:tau|l|h)$/.test(letter)) : indices;
  const [first, second] = tokens;
  if (first === undefined) return { kind: "none" };
  if (first.includes("-")) {
    const [minuend = "", subtrahend = ""] = first.split("-");
    return { kind: "pair", first: minuend, second: subtrahend };
  }
  return second === undefined ? { kind: "token", letter: first } : { kind: "pair", first, second };
}

/** The letters of `ij`; of `b(i − j)` the distance, of E_{xi} the token. */
function productLetters(factors: readonly Expr[], isWeight: boolean): readonly string[] {
  // δ(i, j)
  const pair = factors.find((factor) => factor.kind === "group" && factor.items.length === 2);
  if (pair !== undefined) return placeLetters(pair, isWeight);
  const letters = factors.flatMap((factor) => placeLetters(factor, isWeight));
  const distance = letters.find((letter) => letter.includes("-"));
  if (distance !== undefined) return [distance];
  const [first] = letters;
  return letters.length === 2 && first !== undefined && /^[xwh]$/.test(first) ? letters.slice(1) : letters;
}

/** Letters of an index; a distance is "i-j". */
function placeLetters(item: Expr, isWeight: boolean): readonly string[] {
  const difference = differenceOf(item);
  if (difference !== null) return [`${difference.minuend}-${difference.subtrahend}`];
  switch (item.kind) {
    case "symbol": {
      if (item.sub.length > 0) return item.sub.flatMap((sub) => placeLetters(sub, isWeight));
      if (isWeight) return [];
      return isPositionLetter(item) && !/^[A-Z]/.test(item.name) ? [item.name] : [];
    }
    case "product":
      return productLetters(item.factors, isWeight);
    case "apply":
      // δ(i,j), b(i − j): the bucket of a pair.
      return item.args.flatMap((arg) => placeLetters(arg, isWeight));
    case "call":
      return item.args.slice(0, 1).flatMap((arg) => placeLetters(arg, isWeight));
    case "group":
      return item.items.flatMap((part) => placeLetters(part, isWeight));
    case "sum": {
      const letters = termsOf(item).flatMap((term) => (isPositionLetter(term.expr) ? [keyOf(term.expr)] : []));
      return letters.slice(0, 1);
    }
    default:
      return [];
  }
}
