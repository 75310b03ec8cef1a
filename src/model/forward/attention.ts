import type { AttentionSpec, HeadNormSpec, LinearSpec } from "../modelSpec.ts";
import * as tf from "../tf.ts";
import type { Weights } from "../weights/weights.ts";
import { disentangledBias } from "./disentangled.ts";
import { fusedUnits, mergeHeads, repeatHeads, splitHeads } from "./heads.ts";
import { applyLinear } from "./linear.ts";
import { applyNorm, loadNorm, type NormParameters } from "./norm.ts";
import type { PositionTensors } from "./positions.ts";
import { rotate } from "./rotation.ts";
import { withScope } from "./scope.ts";

/** Tensors of one attention; the caller disposes them. */
export interface AttentionTensors {
  /** [heads][queries][head_dim] and [key heads][keys][head_dim], before the rotation. */
  readonly q: tf.Tensor3D;
  readonly k: tf.Tensor3D;
  /** After the rotation; undefined if the layer does not rotate. */
  readonly q_rot?: tf.Tensor3D;
  readonly k_rot?: tf.Tensor3D;
  /** [heads][queries][keys], added to the scaled product. */
  readonly bias?: tf.Tensor3D;
  /** Before the mask. */
  readonly logits: tf.Tensor3D;
  readonly attention: tf.Tensor3D;
  /** What the heads read. [queries][heads · head_dim] */
  readonly context: tf.Tensor2D;
}

interface Heads {
  readonly q: tf.Tensor3D;
  readonly k: tf.Tensor3D;
  readonly v: tf.Tensor3D;
}

/** Query or key norm with its weights. */
interface HeadNorm {
  readonly over: HeadNormSpec["over"];
  readonly parameters: NormParameters;
}

/**
 * Computes one attention.
 * @param x what queries come from. [queries][hidden]
 * @param source what keys and values come from, x itself or the encoder's output
 * @param mask 0, or a large negative number where a query may not look; undefined if it may look everywhere
 */
export async function computeAttention(
  weights: Weights,
  spec: AttentionSpec,
  { x, source }: { readonly x: tf.Tensor2D; readonly source: tf.Tensor2D },
  positions: PositionTensors,
  mask: tf.Tensor2D | undefined,
): Promise<AttentionTensors> {
  const { q, k, v } = await projectHeads(weights, spec, x, source);
  try {
    const bias =
      spec.disentangled === undefined ? positions.bias : await disentangledBias(weights, spec, spec.disentangled, q, k);
    const result = attend(spec, { q, k, v }, { ...positions, ...(bias === undefined ? {} : { bias }) }, mask);
    if (bias !== positions.bias) bias?.dispose();
    return { q, k, ...result };
  } catch (error) {
    tf.dispose([q, k]);
    throw error;
  } finally {
    v.dispose();
  }
}

/** Rotation, logits, softmax and what the heads read. */
function attend(
  spec: AttentionSpec,
  { q, k, v }: Heads,
  { rotation, bias }: PositionTensors,
  mask: tf.Tensor2D | undefined,
): Omit<AttentionTensors, "q" | "k"> {
  return tf.tidy(() => {
    const rotated = rotation === undefined ? undefined : { q_rot: rotate(q, rotation), k_rot: rotate(k, rotation) };
    const logits = computeLogits(spec, rotated?.q_rot ?? q, rotated?.k_rot ?? k, bias);
    const attention = tf.softmax(mask === undefined ? logits : tf.add<tf.Tensor3D>(logits, mask));
    const context = mergeHeads(tf.matMul(attention, repeatHeads(v, spec.heads)));
    return { ...rotated, logits, attention, context, ...(bias === undefined ? {} : { bias: ownCopy(bias) }) };
  });
}

/** A tensor of its own with the same data. */
function ownCopy(x: tf.Tensor3D): tf.Tensor3D {
  return tf.reshape(x, x.shape);
}

function computeLogits(
  { heads, scaling, softcap }: AttentionSpec,
  q: tf.Tensor3D,
  k: tf.Tensor3D,
  bias: tf.Tensor3D | undefined,
): tf.Tensor3D {
  const product = tf.mul<tf.Tensor3D>(tf.matMul(q, repeatHeads(k, heads), false, true), scaling);
  const sum = bias === undefined ? product : tf.add<tf.Tensor3D>(product, bias);
  return softcap === undefined ? sum : tf.mul(tf.tanh(tf.mul<tf.Tensor3D>(sum, 1 / softcap)), softcap);
}

async function projectHeads(
  weights: Weights,
  spec: AttentionSpec,
  x: tf.Tensor2D,
  source: tf.Tensor2D,
): Promise<Heads> {
  const norms = {
    q: await loadHeadNorm(weights, spec.queryNorm, spec.heads),
    k: await loadHeadNorm(weights, spec.keyNorm, spec.keyHeads),
    v: undefined,
  };
  const { projection, heads, keyHeads, headDim } = spec;
  const counts = { q: heads, k: keyHeads, v: keyHeads };
  return await withScope(async (scope) => {
    const apply = async (from: tf.Tensor2D, linear: LinearSpec) => scope.add(await applyLinear(weights, from, linear));
    const units = projection.kind === "fused" ? fusedUnits(projection.order, heads, keyHeads) : undefined;
    const all = projection.kind === "fused" ? await apply(x, projection.linear) : undefined;
    const parts =
      projection.kind === "fused"
        ? undefined
        : {
            q: await apply(x, projection.query),
            k: await apply(source, projection.key),
            v: await apply(source, projection.value),
          };
    const take = (part: "q" | "k" | "v"): tf.Tensor3D => {
      const own = parts?.[part] ?? all ?? x;
      const flat = normAll(clip(own, spec.clip), norms[part]);
      return normHeads(splitHeads(flat, headDim, counts[part], units?.[part]), norms[part]);
    };
    return tf.tidy(() => ({ q: take("q"), k: take("k"), v: take("v") }));
  });
}

function clip(x: tf.Tensor2D, limit: number | undefined): tf.Tensor2D {
  return limit === undefined ? tf.reshape(x, x.shape) : tf.clipByValue(x, -limit, limit);
}

function normAll(x: tf.Tensor2D, norm: HeadNorm | undefined): tf.Tensor2D {
  return norm?.over === "all" ? applyNorm(x, norm.parameters) : x;
}

function normHeads(x: tf.Tensor3D, norm: HeadNorm | undefined): tf.Tensor3D {
  return norm === undefined || norm.over === "all" ? x : applyNorm(x, norm.parameters);
}

/** Weights per head get the shape [heads][1][head_dim], which is that of every token. */
async function loadHeadNorm(
  weights: Weights,
  spec: HeadNormSpec | undefined,
  heads: number,
): Promise<HeadNorm | undefined> {
  if (spec === undefined) return undefined;
  const { norm, over } = spec;
  if (over !== "each_head" && over !== "listed") return { over, parameters: await loadNorm(weights, norm) };
  const stacked = await weights.loadStacked(norm.name, over, heads, norm.size);
  return { over, parameters: { spec: norm, weight: stacked, bias: undefined } };
}
