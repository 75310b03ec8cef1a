import { UserError } from "../../core/util/errors.ts";
import type { Activation, MlpSpec } from "../modelSpec.ts";
import * as tf from "../tf.ts";
import type { Weights } from "../weights/weights.ts";
import { applyLinear } from "./linear.ts";

type Apply = (x: tf.Tensor2D) => tf.Tensor2D;

/** x · σ(factor · x) */
const gatedBySigmoid = (x: tf.Tensor2D, factor: number): tf.Tensor2D => tf.mul(x, tf.sigmoid(tf.mul(x, factor)));

/** Functions of one value, by the names of `modelSpec.ts`. Called inside a tidy. */
const ACTIVATIONS: Readonly<Record<Activation, Apply>> = {
  gelu: (x) => tf.mul(tf.mul(x, 0.5), tf.add(tf.erf(tf.mul(x, Math.SQRT1_2)), 1)),
  // 0.5 · x · (1 + tanh(u)) = x · σ(2u), with u = √(2/π) · (x + 0.044715 · x³).
  gelu_tanh: (x) => {
    const inner = tf.mul(x, tf.add(tf.mul(tf.square(x), 0.044715), 1));
    return tf.mul(x, tf.sigmoid(tf.mul(inner, 2 * Math.sqrt(2 / Math.PI))));
  },
  silu: (x) => gatedBySigmoid(x, 1),
  quick_gelu: (x) => gatedBySigmoid(x, 1.702),
  relu: (x) => tf.relu<tf.Tensor2D>(x),
  relu_squared: (x) => tf.square(tf.relu<tf.Tensor2D>(x)),
  linear: (x) => x,
};

async function expand(weights: Weights, x: tf.Tensor2D, spec: Exclude<MlpSpec, { kind: "unsupported" }>) {
  const activate = ACTIVATIONS[spec.activation];
  if (spec.kind === "plain") {
    const up = await applyLinear(weights, x, spec.up);
    return tf.tidy(() => consume(activate(up), up));
  }
  if (spec.kind === "fused_gated") {
    const both = await applyLinear(weights, x, spec.gateUp);
    const rows = both.shape[0];
    const inner = spec.gateUp.outputs / 2;
    return tf.tidy(() => {
      const gate = tf.slice(both, [0, 0], [rows, inner]);
      return consume(tf.mul<tf.Tensor2D>(activate(gate), tf.slice(both, [0, inner], [rows, inner])), both);
    });
  }
  const gate = await applyLinear(weights, x, spec.gate);
  const up = await applyLinear(weights, x, spec.up);
  return tf.tidy(() => consume(tf.mul<tf.Tensor2D>(activate(gate), up), gate, up));
}

/** The result, with its inputs disposed; a result that is an input itself is copied first. */
function consume(result: tf.Tensor2D, ...inputs: tf.Tensor2D[]): tf.Tensor2D {
  const own: tf.Tensor2D = inputs.includes(result) ? tf.reshape(result, result.shape) : result;
  tf.dispose(inputs);
  return own;
}

/**
 * The feed-forward part of a layer. [tokens][hidden] → the same shape, the caller's.
 * @throws UserError if the model's is not supported
 */
export async function applyMlp(weights: Weights, x: tf.Tensor2D, spec: MlpSpec): Promise<tf.Tensor2D> {
  if (spec.kind === "unsupported") throw new UserError(spec.reason);
  const inner = await expand(weights, x, spec);
  try {
    return await applyLinear(weights, inner, spec.down);
  } finally {
    inner.dispose();
  }
}
