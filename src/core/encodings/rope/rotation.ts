import { t } from "@vscode/l10n";
import { ParamError } from "../../problem.ts";
import type { Layout } from "../../spec.ts";
import { toBfloat16 } from "../../terms/precision.ts";
import type { Factor } from "../../terms/term.ts";

/** The two numbers of each pair that turn together, as offsets into a head's vector. [pairs] each */
export interface Pairs {
  readonly first: readonly number[];
  readonly second: readonly number[];
}

/** `half`: (k, k + n) (Llama's rotate_half, NeoX). `interleaved`: (2k, 2k + 1) (RoFormer, GPT-J, Meta's Llama). */
export function pairsOf(layout: Layout, count: number): Pairs {
  const index = Array.from({ length: count }, (_, k) => k);
  return layout === "half"
    ? { first: index, second: index.map((k) => k + count) }
    : { first: index.map((k) => 2 * k), second: index.map((k) => 2 * k + 1) };
}

/** Cosine and sine of each pair at an index, any scaling included. */
export interface Rotation {
  readonly pairs: number;
  /** Fills cos[0 … pairs) and sin[0 … pairs). */
  write(index: number, cos: Float64Array, sin: Float64Array): void;
}

/** Frequencies split in two halves of 26 bits, so that position × frequency is had to twice float64's precision. */
export interface SplitFrequencies {
  readonly values: Float64Array;
  readonly high: Float64Array;
  readonly low: Float64Array;
}

export function splitFrequencies(frequencies: readonly number[]): SplitFrequencies {
  const values = Float64Array.from(frequencies);
  const high = values.map((value) => {
    const shifted = value * (2 ** 27 + 1);
    return shifted - (shifted - value);
  });
  return { values, high, low: values.map((value, k) => value - (high[k] ?? 0)) };
}

/**
 * cos and sin of position × frequency k. What rounding takes off the product (Dekker) is put back to first order,
 * which makes position 10,000,000 as exact as position 3; positions to 2^26 are exact.
 */
function writeTurn(
  frequencies: SplitFrequencies,
  k: number,
  position: number,
  scaling: number,
  cos: Float64Array,
  sin: Float64Array,
): void {
  const angle = position * (frequencies.values[k] ?? 0);
  const rest = position * (frequencies.high[k] ?? 0) - angle + position * (frequencies.low[k] ?? 0);
  const c = Math.cos(angle);
  const s = Math.sin(angle);
  cos[k] = scaling * (c - s * rest);
  sin[k] = scaling * (s + c * rest);
}

/** cos and sin of every frequency at one position. */
export function writeTurns(
  frequencies: SplitFrequencies,
  position: number,
  scaling: number,
  cos: Float64Array,
  sin: Float64Array,
): void {
  for (let k = 0; k < frequencies.values.length; k++) writeTurn(frequencies, k, position, scaling, cos, sin);
}

/** Below this angle the rounding of the product is less than 1e-14, and one cosine is enough. */
const SMALL_ANGLE = 64;

/** cos(δ·ω_k), as exact as `writeTurns`. */
function cosineOf(frequencies: SplitFrequencies, k: number, delta: number): number {
  const angle = delta * (frequencies.values[k] ?? 0);
  const c = Math.cos(angle);
  if (Math.abs(angle) < SMALL_ANGLE) return c;
  const rest = delta * (frequencies.high[k] ?? 0) - angle + delta * (frequencies.low[k] ?? 0);
  return c - Math.sin(angle) * rest;
}

function sineOf(frequencies: SplitFrequencies, k: number, delta: number): number {
  const angle = delta * (frequencies.values[k] ?? 0);
  const rest = delta * (frequencies.high[k] ?? 0) - angle + delta * (frequencies.low[k] ?? 0);
  return Math.sin(angle) + Math.cos(angle) * rest;
}

/** In what number format a model holds its cosines and sines. `exact` is the mathematical value. */
export type TablePrecision = "exact" | "float32" | "bfloat16";

/** One frequency list, one position per index: every rotary encoding over a line. */
export function lineRotation(
  frequencies: readonly number[],
  position: (index: number) => number,
  scaling = 1,
  precision: TablePrecision = "exact",
): Rotation {
  const pairs = frequencies.length;
  if (precision !== "exact") return roundedRotation(frequencies, position, scaling, precision);
  const split = splitFrequencies(frequencies);
  return { pairs, write: (index, cos, sin) => writeTurns(split, position(index), scaling, cos, sin) };
}

/** Each pair turns by the coordinate along its own axis: images (row, column) and video (time, row, column). */
export function axesRotation(
  frequencies: readonly number[],
  axes: readonly number[],
  coordinate: (index: number, axis: number) => number,
  scaling = 1,
): Rotation {
  const split = splitFrequencies(frequencies);
  const write = (index: number, cos: Float64Array, sin: Float64Array) => {
    for (let k = 0; k < axes.length; k++) writeTurn(split, k, coordinate(index, axes[k] ?? 0), scaling, cos, sin);
  };
  return { pairs: frequencies.length, write };
}

/** As transformers computes it: float32 frequencies and angles, then the tables cast to the model's dtype. */
function roundedRotation(
  frequencies: readonly number[],
  position: (index: number) => number,
  scaling: number,
  precision: Exclude<TablePrecision, "exact">,
): Rotation {
  const held = frequencies.map(Math.fround);
  const round = precision === "bfloat16" ? toBfloat16 : Math.fround;
  const write = (index: number, cos: Float64Array, sin: Float64Array) => {
    const at = Math.fround(position(index));
    held.forEach((frequency, k) => {
      const angle = Math.fround(at * frequency);
      cos[k] = round(Math.fround(Math.fround(Math.cos(angle)) * scaling));
      sin[k] = round(Math.fround(Math.fround(Math.sin(angle)) * scaling));
    });
  };
  return { pairs: held.length, write };
}

/** Rows with their pairs turned; numbers outside the pairs pass through. */
export function rotatedFactor(base: Factor, pairs: Pairs, rotation: Rotation): Factor {
  const last = Math.max(-1, ...pairs.first, ...pairs.second);
  if (last >= base.dim) {
    const rule = t("must not be more than the length of the vectors, {0}", base.dim);
    throw new ParamError({ param: "rotary_dim", value: 2 * rotation.pairs, rule });
  }
  const cos = new Float64Array(rotation.pairs);
  const sin = new Float64Array(rotation.pairs);
  return {
    dim: base.dim,
    write: (index, out, offset) => {
      base.write(index, out, offset);
      rotation.write(index, cos, sin);
      for (let k = 0; k < cos.length; k++) {
        const a = offset + (pairs.first[k] ?? 0);
        const b = offset + (pairs.second[k] ?? 0);
        const x = out[a] ?? 0;
        const y = out[b] ?? 0;
        const c = cos[k] ?? 0;
        const s = sin[k] ?? 0;
        out[a] = x * c - y * s;
        out[b] = x * s + y * c;
      }
    },
  };
}

/** What the product of two constant vectors is made of, pair by pair. */
export interface PairProducts {
  /** x·x' + y·y', the factor of cos δω. [pairs] */
  readonly even: readonly number[];
  /** x·y' − y·x', the factor of sin δω. [pairs] */
  readonly odd: readonly number[];
  /** Product of the numbers outside the pairs. */
  readonly still: number;
}

/** Of row 0 of both factors, which stands for all rows. */
export function pairProducts(query: Factor, key: Factor, pairs: Pairs): PairProducts {
  const q = new Float64Array(query.dim);
  const k = new Float64Array(key.dim);
  query.write(0, q, 0);
  key.write(0, k, 0);
  const at = (row: Float64Array, index: number | undefined) => row[index ?? -1] ?? 0;
  const product = (a: Float64Array, n: number | undefined, b: Float64Array, m: number | undefined) =>
    at(a, n) * at(b, m);
  const turning = new Set([...pairs.first, ...pairs.second]);
  const { second } = pairs;
  return {
    even: pairs.first.map((a, n) => product(q, a, k, a) + product(q, second[n], k, second[n])),
    odd: pairs.first.map((a, n) => product(q, a, k, second[n]) - product(q, second[n], k, a)),
    still: q.reduce((sum, x, c) => (turning.has(c) ? sum : sum + x * at(k, c)), 0),
  };
}

/** Σ weight_k · (even_k · cos δω_k + odd_k · sin δω_k). */
export function rotatedSum(
  { even, odd }: PairProducts,
  frequencies: SplitFrequencies,
  delta: number,
  weight: (k: number) => number,
): number {
  let sum = 0;
  for (let k = 0; k < even.length; k++) {
    let value = (even[k] ?? 0) * cosineOf(frequencies, k, delta);
    if (odd[k] !== 0) value += (odd[k] ?? 0) * sineOf(frequencies, k, delta);
    sum += weight(k) * value;
  }
  return sum;
}

/**
 * ⟨R_i q, R_j k⟩ as a function of δ = i − j where every query is the same vector and every key too: the rotated sum
 * over the pairs, plus the product of what does not turn.
 * @param scaling factor on cosine and sine
 */
export function rotatedProfile(
  query: Factor,
  key: Factor,
  pairs: Pairs,
  frequencies: readonly number[],
  scaling: number,
): (delta: number) => number {
  const products = pairProducts(query, key, pairs);
  const split = splitFrequencies(frequencies);
  const square = scaling * scaling;
  return (delta) => rotatedSum(products, split, delta, () => square) + products.still;
}
