import { UserError } from "../../core/util/errors.ts";
import type { Activation, LinearSpec, MlpSpec } from "../modelSpec.ts";
import * as tf from "../tf.ts";
import type { Weights } from "../weights/weights.ts";
import { applyLinear } from "./linear.ts";
import { withScope } from "./scope.ts";

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

type ComputedMlp = Exclude<MlpSpec, { kind: "unsupported" }>;

/** What the second matrix is multiplied by. [tokens][inner], the caller's. */
function expand(weights: Weights, x: tf.Tensor2D, spec: ComputedMlp): Promise<tf.Tensor2D> {
  const activate = ACTIVATIONS[spec.activation];
  return withScope(async (scope) => {
    const project = async (linear: LinearSpec) => scope.add(await applyLinear(weights, x, linear));
    if (spec.kind === "plain") {
      const up = await project(spec.up);
      // A tensor of its own, if the activation is the identity.
      return tf.tidy(() => tf.reshape(activate(up), up.shape));
    }
    if (spec.kind === "gated") {
      const gate = await project(spec.gate);
      const up = await project(spec.up);
      return tf.tidy(() => tf.mul<tf.Tensor2D>(activate(gate), up));
    }
    const both = await project(spec.gateUp);
    const [rows, width] = both.shape;
    const half = (at: number): tf.Tensor2D => tf.slice(both, [0, at], [rows, width / 2]);
    return tf.tidy(() => tf.mul<tf.Tensor2D>(activate(half(0)), half(width / 2)));
  });
}

/**
 * The feed-forward part of a layer. [tokens][hidden] → the same shape, the caller's.
 * @throws UserError if the model's is not supported
 */
export async function applyMlp(weights: Weights, x: tf.Tensor2D, spec: MlpSpec): Promise<tf.Tensor2D> {
  if (spec.kind === "unsupported") throw new UserError(spec.reason);
  return await withScope(async (scope) => {
    const inner = scope.add(await expand(weights, x, spec));
    return await applyLinear(weights, inner, spec.down);
  });
}
