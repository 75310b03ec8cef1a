import { layerNorm } from "../terms/linear.ts";

/** A norm of vectors: LayerNorm if it has a bias or `subtractsMean`, else RMSNorm. */
export interface Norm {
  readonly weight: readonly number[];
  readonly bias: readonly number[] | undefined;
  /** Subtracts the mean although it has no bias. */
  readonly subtractsMean: boolean;
  readonly eps: number;
}

function rmsNorm(x: readonly number[], weight: readonly number[], eps: number): number[] {
  const mean = x.reduce((sum, value) => sum + value * value, 0) / x.length;
  const scale = 1 / Math.sqrt(mean + eps);
  return x.map((value, c) => value * scale * (weight[c] ?? 1));
}

export function applyNorm(vectors: number[][], norm: Norm | undefined): number[][] {
  if (norm === undefined) return vectors;
  const { weight, bias, subtractsMean, eps } = norm;
  return vectors.map((x) =>
    bias === undefined && !subtractsMean ? rmsNorm(x, weight, eps) : layerNorm(x, weight, bias ?? [], eps),
  );
}
