import type { Expr } from "../parse/tree.ts";
import { isPositionLetter, monomialOf, numberValue, termsOf } from "./algebra.ts";

/** base^(±2i/d): what sinusoids and RoPE have in common. */
export interface Frequency {
  readonly expr: Expr;
  /** The base, if it is written as a number. */
  readonly base: number | null;
  readonly baseExpr: Expr;
  /** The exponent's number: 2 in 2i/d, 4 where each axis has half of the dimensions. */
  readonly step: number;
  /** The dimension, if it is written as a number. */
  readonly dimension: number | null;
  readonly isNegative: boolean;
}

const LETTER_BASES: ReadonlySet<string> = new Set([
  "theta",
  "Theta",
  "base",
  "b",
  "B",
  "beta",
  "omega",
  "T",
  "N",
  "c",
  "C",
  "Lambda",
  "lambda",
  "rope",
  "rope_theta",
  "rope_base",
  "theta_base",
  "base_freq",
]);
/** Letters that are a base only in n^(2i/d), as in the sinusoidal table's user-defined scalar. */
const PLAIN_BASES: ReadonlySet<string> = new Set(["n", "a", "k", "L", "M"]);
const DIMENSIONS = /^(?:d|D|dim|n|m|h|H|C|N|E|d_?[a-z]{2,}|dk|head|hidden|.*dim.*|.*size.*|.*rot.*)$/;
const STEPS: ReadonlySet<number> = new Set([0.5, 1, 2, 4, 6]);

/** The frequency that an expression is, written as a power or with an exponential function. */
export function frequencyOf(expr: Expr): Frequency | null {
  if (expr.kind === "power") return powerFrequency(expr, expr.base, expr.exponent);
  if (expr.kind === "call" && expr.name === "exp" && expr.args.length === 1) {
    const [argument] = expr.args;
    return argument === undefined ? null : exponentialFrequency(expr, argument);
  }
  return null;
}

function powerFrequency(expr: Expr, base: Expr, exponent: Expr): Frequency | null {
  if (base.kind === "symbol" && base.name === "e") return exponentialFrequency(expr, exponent);
  const value = numberValue(base);
  const isBase = value === null ? base.kind === "symbol" && LETTER_BASES.has(base.name) : value >= 20;
  if (value !== null && value >= 1000 && isIndexWritten(exponent))
    return { expr, base: value, baseExpr: base, step: 2, dimension: null, isNegative: numeratorOf(exponent) < 0 };
  const isPlain = base.kind === "symbol" && PLAIN_BASES.has(base.name);
  const shape = isBase || isPlain ? readExponent(exponent) : null;
  if (shape === null || (isPlain && !isTwiceIndex(shape, exponent))) return null;
  return { expr, base: value, baseExpr: base, ...shape };
}

/** 0/d, 2/d, 4/d: the index is a number, as in the first entries of a table. */
function isIndexWritten(exponent: Expr): boolean {
  const { coefficient, above, below } = monomialOf(exponent);
  const [dimension, ...others] = below;
  const isEven = Number.isInteger(coefficient / 2);
  return isEven && above.length === 0 && others.length === 0 && dimension !== undefined && isDimension(dimension);
}

function numeratorOf(exponent: Expr): number {
  return monomialOf(exponent).coefficient;
}

/** 2i/d: the two and the dimension are written. */
function isTwiceIndex({ step }: Pick<Frequency, "step">, exponent: Expr): boolean {
  const [dimension, ...others] = monomialOf(exponent).below;
  return (
    step === 2 && others.length === 0 && dimension?.kind === "symbol" && /^(?:d|D|dim|d_?model)$/.test(dimension.name)
  );
}

/** e^(−2i·ln(10000)/d) */
function exponentialFrequency(expr: Expr, exponent: Expr): Frequency | null {
  const monomial = monomialOf(exponent);
  const log = monomial.above.find((factor) => factor.kind === "call" && /^(?:log|ln)$/.test(factor.name));
  if (log?.kind !== "call") return null;
  const [baseExpr] = log.args;
  if (baseExpr === undefined) return null;
  const shape = readMonomial({ ...monomial, above: monomial.above.filter((factor) => factor !== log) });
  return shape === null ? null : { expr, base: numberValue(baseExpr), baseExpr, ...shape };
}

function readExponent(exponent: Expr): Pick<Frequency, "step" | "dimension" | "isNegative"> | null {
  return readMonomial(monomialOf(exponent));
}

function readMonomial({
  coefficient,
  above,
  below,
}: ReturnType<typeof monomialOf>): Pick<Frequency, "step" | "dimension" | "isNegative"> | null {
  const [index, ...otherIndices] = above;
  if (index === undefined || otherIndices.length > 0) return null;
  const letter = strippedIndex(index);
  if (letter === null) return null;
  const size = Math.abs(coefficient) * letter.scale;
  const [dimension, ...otherDimensions] = below;
  if (dimension === undefined) {
    // 10000^{2i/512}
    const parts = [1, 2, 4].map((step) => step / size).filter((value) => Number.isInteger(value) && value >= 4);
    const twice = parts.find((value) => value === 2 / size) ?? parts[0];
    return twice === undefined ? null : { step: 2, dimension: twice, isNegative: coefficient < 0 };
  }
  if (otherDimensions.length > 0 || !isDimension(dimension) || !STEPS.has(size)) return null;
  return { step: size, dimension: null, isNegative: coefficient < 0 };
}

/** The letter of i, i − 1, 2i + 1 or ⌊i/2⌋, and the number before it. */
function strippedIndex(expr: Expr): { scale: number } | null {
  if (expr.kind === "group" && (expr.bracket === "floor" || expr.bracket === "(") && expr.items.length === 1) {
    const [inner] = expr.items;
    return inner === undefined || !/^[a-z]/.test(firstLetter(inner)) ? null : { scale: 1 };
  }
  if (expr.kind === "call" && expr.name === "floor") return { scale: 1 };
  if (isPositionLetter(expr) || (expr.kind === "symbol" && /^(?:d|D|dim|idx|index)$/.test(expr.name)))
    return { scale: 1 };
  const terms = termsOf(expr).filter((term) => term.expr.kind !== "number");
  const [only, ...others] = terms;
  if (only === undefined || others.length > 0 || expr.kind !== "sum") return null;
  const inner = monomialOf(only.expr);
  return inner.above.length === 1 && isPositionLetter(inner.above[0]) ? { scale: Math.abs(inner.coefficient) } : null;
}

function firstLetter(expr: Expr): string {
  const { above } = monomialOf(expr);
  const [first] = above;
  return first?.kind === "symbol" ? first.name : "";
}

export function isDimension(expr: Expr): boolean {
  if (expr.kind === "group" && expr.items.length === 1 && expr.items[0] !== undefined)
    return isDimension(expr.items[0]);
  if (expr.kind === "sum") {
    const named = expr.terms.filter((term) => term.expr.kind !== "number");
    const [only] = named;
    return named.length === 1 && only !== undefined && isDimension(only.expr);
  }
  return expr.kind === "symbol" && DIMENSIONS.test(expr.name);
}
