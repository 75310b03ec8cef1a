import type { AttentionSpec, DisentangledSpec, LinearSpec } from "../modelSpec.ts";
import * as tf from "../tf.ts";
import type { Weights } from "../weights/weights.ts";
import { splitHeads } from "./heads.ts";
import { applyLinear } from "./linear.ts";
import { normOrSame } from "./norm.ts";
import { withScope } from "./scope.ts";

/**
 * DeBERTa's c2p and p2c terms (He et al. 2021, transformers models/deberta_v2): products of queries and keys with
 * projected relative embeddings. [heads][tokens][tokens], the caller's.
 */
export async function disentangledBias(
  weights: Weights,
  { heads, headDim }: Pick<AttentionSpec, "heads" | "headDim">,
  spec: DisentangledSpec,
  q: tf.Tensor3D,
  k: tf.Tensor3D,
): Promise<tf.Tensor3D> {
  const tokens = q.shape[1];
  const size = spec.key?.inputs ?? spec.query?.inputs ?? heads * headDim;
  const stored = await weights.load(`${spec.table}.weight`, [spec.rows, size]);
  const flat: tf.Tensor2D = tf.tidy(() => tf.reshape(stored, [spec.rows, size]));
  const values = new Float32Array(heads * tokens * tokens);
  await withScope(async (scope) => {
    const table = scope.add(await normOrSame(weights, scope.add(flat), spec.norm));
    for (const [linear, content, ofKey] of [
      [spec.key, q, false],
      [spec.query, k, true],
    ] as const) {
      if (linear === undefined) continue;
      const products = await multiplyByTable(weights, table, linear, content);
      addByDistance(products, spec, { heads, tokens, ofKey }, values);
    }
  });
  return tf.tensor(values, [heads, tokens, tokens]);
}

/** Products of each content vector with each row of the projected table. [heads][tokens][rows] */
async function multiplyByTable(
  weights: Weights,
  table: tf.Tensor2D,
  linear: LinearSpec,
  content: tf.Tensor3D,
): Promise<Float32Array> {
  const [heads, , headDim] = content.shape;
  return await withScope(async (scope) => {
    const projected = scope.add(await applyLinear(weights, table, linear));
    const rows = () => tf.matMul(content, splitHeads(projected, headDim, heads), false, true);
    return await scope.add(tf.tidy(rows)).data<"float32">();
  });
}

function addByDistance(
  products: Float32Array,
  { rows, row, scale }: DisentangledSpec,
  { heads, tokens, ofKey }: { heads: number; tokens: number; ofKey: boolean },
  out: Float32Array,
): void {
  for (let i = 0; i < tokens; i++)
    for (let j = 0; j < tokens; j++) {
      const column = row(i - j);
      for (let h = 0; h < heads; h++) {
        const at = (h * tokens + i) * tokens + j;
        const own = products[(h * tokens + (ofKey ? j : i)) * rows + column] ?? 0;
        out[at] = (out[at] ?? 0) + scale * own;
      }
    }
}
