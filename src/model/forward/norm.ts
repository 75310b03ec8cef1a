import type { NormSpec } from "../modelSpec.ts";
import * as tf from "../tf.ts";
import type { Weights } from "../weights/weights.ts";

/** Weight and bias of a norm; they belong to the weights. */
export interface NormParameters {
  readonly spec: NormSpec;
  readonly weight: tf.Tensor | undefined;
  readonly bias: tf.Tensor | undefined;
}

/** @param shape that of the stored tensors, if it is not [size] */
export async function loadNorm(
  weights: Weights,
  spec: NormSpec,
  shape: readonly number[] = [spec.size],
): Promise<NormParameters> {
  return {
    spec,
    weight: spec.weight === "none" ? undefined : await weights.load(`${spec.name}.weight`, shape),
    bias: spec.bias ? await weights.load(`${spec.name}.bias`, shape) : undefined,
  };
}

/** Norms the last axis. Call inside a tidy. */
export function applyNorm<T extends tf.Tensor>(x: T, { spec, weight, bias }: NormParameters): T {
  const centred = spec.kind === "layer" ? tf.sub(x, tf.mean(x, -1, true)) : x;
  const variance = tf.mean(tf.square(centred), -1, true);
  const normed = tf.mul<T>(centred, tf.rsqrt(tf.add(variance, spec.eps)));
  const factor = weight !== undefined && spec.weight === "plus_one" ? tf.add(weight, 1) : weight;
  const scaled = factor === undefined ? normed : tf.mul<T>(normed, factor);
  return bias === undefined ? scaled : tf.add<T>(scaled, bias);
}

/** x normed, or x itself without a norm. The result is the caller's, x stays the caller's. */
export async function normOrSame(weights: Weights, x: tf.Tensor2D, spec: NormSpec | undefined): Promise<tf.Tensor2D> {
  if (spec === undefined) return tf.tidy(() => tf.reshape(x, x.shape));
  const parameters = await loadNorm(weights, spec);
  return tf.tidy(() => applyNorm(x, parameters));
}
