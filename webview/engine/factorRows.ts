import type { Factor } from "../../src/core/terms/term.ts";
import { type SampledAxis, sampleIndex } from "./sampledGrid.ts";

/** Computes the rows of a factor at an axis' samples, [axis.count][factor.dim]. */
export type ComputeFactorRows = (factor: Factor, axis: SampledAxis) => Float64Array;

export const computeFactorRows: ComputeFactorRows = (factor, axis) => {
  const out = new Float64Array(axis.count * factor.dim);
  for (let n = 0; n < axis.count; n++) factor.write(sampleIndex(axis, n), out, n * factor.dim);
  return out;
};

/** Caches the rows of one axis: a stream over many columns uses the same rows each time. */
export class CachedFactorRows {
  readonly #axis: SampledAxis;
  readonly #cache = new Map<Factor, Float64Array>();

  constructor(axis: SampledAxis) {
    this.#axis = axis;
  }

  /** Samples [from, to) of the axis. */
  slice(from: number, to: number): { readonly axis: SampledAxis; readonly rowsOf: ComputeFactorRows } {
    const axis = { ...this.#axis, first: sampleIndex(this.#axis, from), count: to - from };
    return {
      axis,
      rowsOf: (factor, wanted) =>
        wanted === axis
          ? this.#rows(factor).subarray(from * factor.dim, to * factor.dim)
          : computeFactorRows(factor, wanted),
    };
  }

  #rows(factor: Factor): Float64Array {
    const rows = this.#cache.get(factor) ?? computeFactorRows(factor, this.#axis);
    this.#cache.set(factor, rows);
    return rows;
  }
}
