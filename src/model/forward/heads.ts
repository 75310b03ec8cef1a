import type { FusedOrder } from "../modelSpec.ts";
import * as tf from "../tf.ts";

/** Which vectors of a projection are a head's. */
type UnitOf = (head: number) => number;

/**
 * Takes heads out of projected tokens. [tokens][units · head_dim] → [count][tokens][head_dim], by gathering whole
 * rows, which is faster in every backend than transposing. Call inside a tidy.
 */
export function splitHeads(x: tf.Tensor2D, headDim: number, count: number, unitOf: UnitOf = (h) => h): tf.Tensor3D {
  const [tokens, width] = x.shape;
  const units = width / headDim;
  const rows = new Int32Array(count * tokens);
  for (let h = 0; h < count; h++) for (let t = 0; t < tokens; t++) rows[h * tokens + t] = t * units + unitOf(h);
  const gathered = tf.gather(tf.reshape(x, [tokens * units, headDim]), tf.tensor1d(rows, "int32"));
  return tf.reshape(gathered, [count, tokens, headDim]);
}

/** The reverse. [heads][tokens][head_dim] → [tokens][heads · head_dim] */
export function mergeHeads(x: tf.Tensor3D): tf.Tensor2D {
  const [heads, tokens, headDim] = x.shape;
  const rows = new Int32Array(heads * tokens);
  for (let t = 0; t < tokens; t++) for (let h = 0; h < heads; h++) rows[t * heads + h] = h * tokens + t;
  const gathered = tf.gather(tf.reshape(x, [heads * tokens, headDim]), tf.tensor1d(rows, "int32"));
  return tf.reshape(gathered, [tokens, heads * headDim]);
}

/** Gives every query head its key head. [keyHeads][tokens][head_dim] → [heads][tokens][head_dim] */
export function repeatHeads(x: tf.Tensor3D, heads: number): tf.Tensor3D {
  const [keyHeads] = x.shape;
  if (keyHeads === heads) return x;
  const own = Int32Array.from({ length: heads }, (_, h) => Math.floor((h * keyHeads) / heads));
  return tf.gather(x, tf.tensor1d(own, "int32"));
}

/** Where queries, keys and values are in a fused projection, in units of a head. */
export function fusedUnits(order: FusedOrder, heads: number, keyHeads: number): Record<"q" | "k" | "v", UnitOf> {
  if (order === "blocks") return { q: (h) => h, k: (h) => heads + h, v: (h) => heads + keyHeads + h };
  const shared = heads / keyHeads;
  const start = (keyHead: number): number => keyHead * (shared + 2);
  return {
    q: (h) => start(Math.floor(h / shared)) + (h % shared),
    k: (h) => start(h) + shared,
    v: (h) => start(h) + shared + 1,
  };
}
