import type { Params } from "../../spec.ts";
import { exampleValue, findInputArray, readLearnedMatrix, usesExampleValues } from "../../terms/learned.ts";
import { dotProduct, evaluateRow, makeFactor } from "../../terms/linear.ts";
import { readMatrixList } from "../../terms/read.ts";
import type { Inputs } from "../../terms/scene.ts";
import type { Factor } from "../../terms/term.ts";
import { type SinusoidSpec, sinusoidFactor, sinusoidFrequencies } from "../sinusoidal/table.ts";
import { resolveHiddenSize } from "../support/parameters.ts";
import { getNumber, getString, optionalNumber } from "../support/schema.ts";

/** Distance vectors of Transformer-XL and XLNet: a sinusoid of the SIGNED distance, then a projection. */

function distanceSinusoidSpec(params: Params): SinusoidSpec {
  return { dim: resolveHiddenSize(params), base: getNumber(params, "base"), layout: "concat", frequency: "paper" };
}

/** Radians per token of distance, [d_model / 2]. */
export function distanceFrequencies(params: Params): number[] {
  return sinusoidFrequencies(distanceSinusoidSpec(params));
}

/** R_m by distance m (may be negative), [d_model]: all sines, then all cosines. clamp_len clips m first. */
export function distanceSinusoid(params: Params): Factor {
  const sinusoid = sinusoidFactor(distanceSinusoidSpec(params));
  const clamp = optionalNumber(params, "clamp_len") ?? -1;
  if (clamp <= 0) return sinusoid;
  return {
    dim: sinusoid.dim,
    write: (distance, out, offset) => sinusoid.write(Math.min(Math.max(distance, -clamp), clamp), out, offset),
  };
}

/**
 * W_r R_m of one head by distance, [head_dim]. The product with a vector v is (W_rᵀ v) · R_m, which projects v only
 * once.
 * Reads `w_r` [d_model][heads][head_dim] from the inputs.
 */
export function projectDistanceSinusoid(params: Params, inputs: Inputs, head: number): Required<Factor> {
  const sinusoid = distanceSinusoid(params);
  let cached: { distance: number; row: Float64Array } = { distance: Number.NaN, row: new Float64Array() };
  // Consecutive calls ask for the same distance.
  const waves = (distance: number) => {
    if (distance !== cached.distance) cached = { distance, row: evaluateRow(sinusoid, distance) };
    return cached.row;
  };
  const dim = getNumber(params, "head_dim");
  const weight = readHeadWeight(inputs, head, sinusoid.dim, dim);
  const rows = makeFactor(dim, (distance) => weight.map((column) => dotProduct(column, waves(distance))));
  const along = (vector: ArrayLike<number>) => {
    const projectedVector = Float64Array.from({ length: sinusoid.dim }, (_, r) =>
      weight.reduce((sum, column, c) => sum + (column[r] ?? 0) * (vector[c] ?? 0), 0),
    );
    return (distance: number) => dotProduct(projectedVector, waves(distance));
  };
  return { ...rows, dotWith: along };
}

/** Columns of W_r for one head, [head_dim][d_model]. */
function readHeadWeight(inputs: Inputs, head: number, modelDim: number, dim: number): number[][] {
  const given = findInputArray(inputs, ["w_r"]);
  const weights = given === undefined ? undefined : readMatrixList(given.value, "w_r");
  if (weights === undefined && !usesExampleValues(inputs)) readLearnedMatrix(inputs, ["w_r"], null, dim, () => 0);
  const deviation = 1 / Math.sqrt(modelDim);
  return Array.from({ length: dim }, (_, c) =>
    Array.from({ length: modelDim }, (__, r) =>
      weights === undefined ? exampleValue(30, head * modelDim + r, c, deviation) : (weights[r]?.[head]?.[c] ?? 0),
    ),
  );
}

/**
 * Distances of the rows that a model prepares before the shift: XLNet bi klen … −qlen + 1, uni klen … 0; original
 * Transformer-XL klen − 1 … 0.
 */
export function preparedDistances(params: Params, queries: number, keys: number): number[] {
  const form = getString(params, "attn_type");
  const first = form === "original" ? keys - 1 : keys;
  const last = form === "bi" ? -queries + 1 : 0;
  return Array.from({ length: first - last + 1 }, (_, n) => first - n);
}
