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
 * cos and sin of position × frequency. What rounding takes off the product (Dekker) is put back to first order,
 * which makes position 10,000,000 as exact as position 3; positions to 2^26 are exact.
 */
export function writeTurns(
  frequencies: SplitFrequencies,
  position: number,
  scaling: number,
  cos: Float64Array,
  sin: Float64Array,
): void {
  const { values, high, low } = frequencies;
  for (let k = 0; k < values.length; k++) {
    const angle = position * (values[k] ?? 0);
    const rest = position * (high[k] ?? 0) - angle + position * (low[k] ?? 0);
    const c = Math.cos(angle);
    const s = Math.sin(angle);
    cos[k] = scaling * (c - s * rest);
    sin[k] = scaling * (s + c * rest);
  }
}

/** Below this angle the rounding of the product is less than 1e-14, and one cosine is enough. */
const SMALL_ANGLE = 64;

/** cos(δ·ω_k), as exact as `writeTurns`. */
export function cosineOf(frequencies: SplitFrequencies, k: number, delta: number): number {
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

/**
 * ⟨R_i q, R_j k⟩ as a function of δ = i − j where every query is the same vector and every key too:
 * Σ (x·x' + y·y')·cos δω + (x·y' − y·x')·sin δω over the pairs, plus the product of what does not turn.
 * @param scaling factor on cosine and sine
 */
export function rotatedProfile(
  query: Factor,
  key: Factor,
  pairs: Pairs,
  frequencies: readonly number[],
  scaling: number,
): (delta: number) => number {
  const q = new Float64Array(query.dim);
  const k = new Float64Array(key.dim);
  query.write(0, q, 0);
  key.write(0, k, 0);
  const at = (row: Float64Array, indices: readonly number[], n: number) => row[indices[n] ?? 0] ?? 0;
  const even = frequencies.map(
    (_, n) => at(q, pairs.first, n) * at(k, pairs.first, n) + at(q, pairs.second, n) * at(k, pairs.second, n),
  );
  const odd = frequencies.map(
    (_, n) => at(q, pairs.first, n) * at(k, pairs.second, n) - at(q, pairs.second, n) * at(k, pairs.first, n),
  );
  const turning = new Set([...pairs.first, ...pairs.second]);
  const still = q.reduce((sum, x, c) => (turning.has(c) ? sum : sum + x * (k[c] ?? 0)), 0);
  const split = splitFrequencies(frequencies);
  const square = scaling * scaling;
  const hasOdd = odd.some((value) => value !== 0);
  return (delta) => {
    let sum = 0;
    for (let n = 0; n < even.length; n++) {
      sum += (even[n] ?? 0) * cosineOf(split, n, delta);
      if (hasOdd) sum += (odd[n] ?? 0) * sineOf(split, n, delta);
    }
    return square * sum + still;
  };
}
