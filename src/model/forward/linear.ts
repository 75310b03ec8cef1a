import type { LinearSpec } from "../modelSpec.ts";
import * as tf from "../tf.ts";
import type { Weights } from "../weights/weights.ts";

/** x · W + b. [tokens][inputs] → [tokens][outputs]; the caller disposes both. */
export async function applyLinear(weights: Weights, x: tf.Tensor2D, spec: LinearSpec): Promise<tf.Tensor2D> {
  const parts: tf.Tensor2D[] = [];
  try {
    await weights.eachBlock(spec, ({ tensor, from, to }) => {
      parts.push(tf.tidy(() => tf.matMul(spec.inputsFirst ? columnsOf(x, from, to) : x, tensor)));
    });
    const bias = spec.bias ? await weights.load(`${spec.name}.bias`, [spec.outputs]) : undefined;
    return tf.tidy(() => {
      const product = joinParts(parts, spec);
      return bias === undefined ? tf.reshape(product, product.shape) : tf.add(product, bias);
    });
  } finally {
    tf.dispose(parts);
  }
}

function columnsOf(x: tf.Tensor2D, from: number, to: number): tf.Tensor2D {
  const [rows, columns] = x.shape;
  return from === 0 && to === columns ? x : tf.slice(x, [0, from], [rows, to - from]);
}

/** Blocks of outputs lie side by side; blocks of inputs each give a summand. */
function joinParts(parts: tf.Tensor2D[], { inputsFirst }: LinearSpec): tf.Tensor2D {
  const [first] = parts;
  if (first === undefined) throw new Error("a matrix without rows");
  if (parts.length === 1) return first;
  return inputsFirst ? tf.addN(parts) : tf.concat(parts, 1);
}
