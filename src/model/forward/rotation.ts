import * as l10n from "@vscode/l10n";
import { frequenciesForLength, readPairLayout, readTablePrecision } from "../../core/encodings/rope/attention.ts";
import { lineRotation, pairIndices } from "../../core/encodings/rope/rotation.ts";
import type { EncodingSpec, Params } from "../../core/spec.ts";
import { ParamError, UserError } from "../../core/util/errors.ts";
import * as tf from "../tf.ts";
import { checkedParams } from "./parameters.ts";

/**
 * x · cos + (x · P) · sin for all heads at once: P swaps the two dimensions of each pair and negates one, so that one
 * form serves both pair layouts and heads that rotate only in part.
 */
export interface RotationTables {
  /** [tokens][head_dim]; 1 where a dimension does not rotate. */
  readonly cos: tf.Tensor2D;
  readonly sin: tf.Tensor2D;
  /** [head_dim][head_dim] */
  readonly swap: tf.Tensor2D;
}

/** Cosines and sines, computed in float64 and rounded once; undefined if the encoding does not rotate. */
export function buildRotation(spec: EncodingSpec, tokens: number, headDim: number): RotationTables | undefined {
  if (spec.encoding !== "rope") return undefined;
  const params = checkedParams(spec);
  if (params.rope_type === "axial") throw new UserError(l10n.t("{0} is not supported yet", "rope_type axial"));
  const { inv_freq, attention_scaling } = frequenciesForLength(params, tokens);
  const pairs = pairIndices(readPairLayout(params), inv_freq.length);
  requireWithinHead(params, 2 * inv_freq.length, headDim);
  const rotation = lineRotation(inv_freq, (index) => index, attention_scaling, readTablePrecision(params));
  const cos = new Float32Array(tokens * headDim).fill(1);
  const sin = new Float32Array(tokens * headDim);
  const cosRow = new Float64Array(inv_freq.length);
  const sinRow = new Float64Array(inv_freq.length);
  for (let p = 0; p < tokens; p++) {
    rotation.write(p, cosRow, sinRow);
    for (let n = 0; n < inv_freq.length; n++) {
      for (const dim of [pairs.first[n] ?? 0, pairs.second[n] ?? 0]) {
        cos[p * headDim + dim] = cosRow[n] ?? 0;
        sin[p * headDim + dim] = sinRow[n] ?? 0;
      }
    }
  }
  return {
    cos: tf.tensor2d(cos, [tokens, headDim]),
    sin: tf.tensor2d(sin, [tokens, headDim]),
    swap: tf.tensor2d(buildSwap(pairs.first, pairs.second, headDim), [headDim, headDim]),
  };
}

function requireWithinHead(params: Params, rotated: number, headDim: number): void {
  if (rotated <= headDim) return;
  const rule = l10n.t("must be at most the vector length ({0})", headDim);
  throw new ParamError({ param: "rotary_dim", value: params.rotary_dim ?? rotated, rule });
}

/** (x · P)[a] = −x[b] and (x · P)[b] = x[a] for each pair (a, b). */
function buildSwap(first: readonly number[], second: readonly number[], headDim: number): Float32Array {
  const swap = new Float32Array(headDim * headDim);
  first.forEach((a, n) => {
    const b = second[n] ?? 0;
    swap[b * headDim + a] = -1;
    swap[a * headDim + b] = 1;
  });
  return swap;
}

/** Rotates all rows. [heads][tokens][head_dim]; call inside a tidy. */
export function rotate(x: tf.Tensor3D, { cos, sin, swap }: RotationTables): tf.Tensor3D {
  const [heads, tokens, headDim] = x.shape;
  const rows = tf.reshape(x, [heads * tokens, headDim]);
  const swapped = tf.reshape(tf.matMul(rows, swap), x.shape);
  return tf.add(tf.mul<tf.Tensor3D>(x, cos), tf.mul<tf.Tensor3D>(swapped, sin));
}
