import type { Params } from "../../spec.ts";
import { exampleValue, givenArray, isExample, learnedMatrix } from "../../terms/learned.ts";
import { dotOf, factorOf, rowOf } from "../../terms/linear.ts";
import { readTensor } from "../../terms/read.ts";
import type { Factor } from "../../terms/term.ts";
import type { Inputs } from "../encoding.ts";
import { type Sinusoid, sinusoidFactor, sinusoidFrequencies } from "../sinusoidal/table.ts";
import { modelWidth } from "../support/parameters.ts";
import { numberOf, optionalNumber, stringOf } from "../support/schema.ts";

/** Transformer-XL's and XLNet's vectors of distances: a sinusoid of the SIGNED distance, then a projection. */

function waveShape(params: Params): Sinusoid {
  return { dim: modelWidth(params), base: numberOf(params, "base"), layout: "concat", frequency: "paper" };
}

/** Radians from one distance to the next, [d_model / 2]. */
export function distanceFrequencies(params: Params): number[] {
  return sinusoidFrequencies(waveShape(params));
}

/** R_m by distance m (may be negative), [d_model]: all sines, then all cosines; clamp_len clips m first. */
export function distanceSinusoid(params: Params): Factor {
  const sinusoid = sinusoidFactor(waveShape(params));
  const clamp = optionalNumber(params, "clamp_len") ?? -1;
  if (clamp <= 0) return sinusoid;
  return {
    dim: sinusoid.dim,
    write: (distance, out, offset) => sinusoid.write(Math.min(Math.max(distance, -clamp), clamp), out, offset),
  };
}

/**
 * W_r R_m of one head by distance, [head_dim]. Along a vector v it is (W_rᵀ v) · R_m: v is projected once.
 * Reads `w_r` [d_model][heads][head_dim] from the inputs.
 */
export function projectedDistance(params: Params, inputs: Inputs, head: number): Required<Factor> {
  const sinusoid = distanceSinusoid(params);
  let last: { distance: number; row: Float64Array } = { distance: Number.NaN, row: new Float64Array() };
  // Terms ask for the same distance one after the other.
  const waves = (distance: number) => {
    if (distance !== last.distance) last = { distance, row: rowOf(sinusoid, distance) };
    return last.row;
  };
  const dim = numberOf(params, "head_dim");
  const weight = headWeight(inputs, head, sinusoid.dim, dim);
  const rows = factorOf(dim, (distance) => weight.map((column) => dotOf(column, waves(distance))));
  const along = (vector: ArrayLike<number>) => {
    const back = Float64Array.from({ length: sinusoid.dim }, (_, r) =>
      weight.reduce((sum, column, c) => sum + (column[r] ?? 0) * (vector[c] ?? 0), 0),
    );
    return (distance: number) => dotOf(back, waves(distance));
  };
  return { ...rows, along };
}

/** Columns of W_r of one head, [head_dim][d_model]. */
function headWeight(inputs: Inputs, head: number, model: number, dim: number): number[][] {
  const given = givenArray(inputs, ["w_r"]);
  const weights = given === undefined ? undefined : readTensor(given.value, "w_r");
  if (weights === undefined && !isExample(inputs)) learnedMatrix(inputs, ["w_r"], null, dim, () => 0);
  const deviation = 1 / Math.sqrt(model);
  return Array.from({ length: dim }, (_, c) =>
    Array.from({ length: model }, (__, r) =>
      weights === undefined ? exampleValue(30, head * model + r, c, deviation) : (weights[r]?.[head]?.[c] ?? 0),
    ),
  );
}

/**
 * Distances of the rows that a model prepares, before the shift: XLNet bi klen … −qlen + 1, uni klen … 0;
 * the original Transformer-XL klen − 1 … 0.
 */
export function preparedDistances(params: Params, queries: number, keys: number): number[] {
  const form = stringOf(params, "attn_type");
  const first = form === "original" ? keys - 1 : keys;
  const last = form === "bi" ? -queries + 1 : 0;
  return Array.from({ length: first - last + 1 }, (_, n) => first - n);
}
