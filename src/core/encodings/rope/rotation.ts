import * as l10n from "@vscode/l10n";
import type { PairLayout } from "../../spec.ts";
import { toBfloat16 } from "../../terms/precision.ts";
import type { Factor } from "../../terms/term.ts";
import { ParamError } from "../../util/errors.ts";
import { cosSinTable, writeCosSin } from "./cosSinTable.ts";

/** The two dimensions of each pair, as indices into a head's vector. [pairs] each */
export interface PairIndices {
  readonly first: readonly number[];
  readonly second: readonly number[];
}

/** `half`: (k, k + n) (Llama's rotate_half, NeoX). `interleaved`: (2k, 2k + 1) (RoFormer, GPT-J, Meta's Llama). */
export function pairIndices(layout: PairLayout, count: number): PairIndices {
  const index = Array.from({ length: count }, (_, k) => k);
  return layout === "half"
    ? { first: index, second: index.map((k) => k + count) }
    : { first: index.map((k) => 2 * k), second: index.map((k) => 2 * k + 1) };
}

/** Cosine and sine of each pair at an index, including any scaling. */
export interface Rotation {
  readonly pairs: number;
  /** Fills cos[0 … pairs) and sin[0 … pairs). */
  write(index: number, cos: Float64Array, sin: Float64Array): void;
}

/** Number format of a model's cosines and sines. `exact` is the mathematical value in float64. */
export type TablePrecision = "exact" | "float32" | "bfloat16";

function scaleCosSin(scaling: number, cos: Float64Array, sin: Float64Array): void {
  for (let k = 0; k < cos.length; k++) {
    cos[k] = (cos[k] ?? 0) * scaling;
    sin[k] = (sin[k] ?? 0) * scaling;
  }
}

/** One position per index, as in all rotary encodings of sequences. */
export function lineRotation(
  frequencies: readonly number[],
  position: (index: number) => number,
  scaling = 1,
  precision: TablePrecision = "exact",
): Rotation {
  const pairs = frequencies.length;
  if (precision !== "exact") return roundedRotation(frequencies, position, scaling, precision);
  const table = cosSinTable(frequencies);
  const write = (index: number, cos: Float64Array, sin: Float64Array) => {
    table.write(position(index), cos, sin);
    if (scaling !== 1) scaleCosSin(scaling, cos, sin);
  };
  return { pairs, write };
}

/** Each pair rotates by the coordinate along its axis: row and column for images, time, row and column for video. */
export function axesRotation(
  frequencies: readonly number[],
  axes: readonly number[],
  coordinate: (index: number, axis: number) => number,
  scaling = 1,
): Rotation {
  const write = (index: number, cos: Float64Array, sin: Float64Array) => {
    frequencies.forEach((frequency, k) => {
      writeCosSin(frequency, coordinate(index, axes[k] ?? 0), cos, sin, k);
    });
    if (scaling !== 1) scaleCosSin(scaling, cos, sin);
  };
  return { pairs: frequencies.length, write };
}

/** As in transformers: float32 frequencies and angles; the tables are then cast to the model's dtype. */
function roundedRotation(
  frequencies: readonly number[],
  position: (index: number) => number,
  scaling: number,
  precision: Exclude<TablePrecision, "exact">,
): Rotation {
  const roundedFrequencies = frequencies.map(Math.fround);
  const round = precision === "bfloat16" ? toBfloat16 : Math.fround;
  const write = (index: number, cos: Float64Array, sin: Float64Array) => {
    const roundedPosition = Math.fround(position(index));
    roundedFrequencies.forEach((frequency, k) => {
      const angle = Math.fround(roundedPosition * frequency);
      cos[k] = round(Math.fround(Math.fround(Math.cos(angle)) * scaling));
      sin[k] = round(Math.fround(Math.fround(Math.sin(angle)) * scaling));
    });
  };
  return { pairs: roundedFrequencies.length, write };
}

/** Rows with rotated pairs; dimensions outside the pairs are unchanged. */
export function rotatedFactor(base: Factor, pairs: PairIndices, rotation: Rotation): Factor {
  const last = Math.max(-1, ...pairs.first, ...pairs.second);
  if (last >= base.dim) {
    const rule = l10n.t("must be at most the vector length ({0})", base.dim);
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
