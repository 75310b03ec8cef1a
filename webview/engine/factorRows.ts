import type { Factor } from "../../src/core/terms/term.ts";
import { type Axis, indexAt } from "./grid.ts";

/** Rows of a factor at an axis' samples, [axis.count][factor.dim]. */
export type FactorRows = (factor: Factor, axis: Axis) => Float64Array;

export const freshRows: FactorRows = (factor, axis) => {
  const out = new Float64Array(axis.count * factor.dim);
  for (let n = 0; n < axis.count; n++) factor.write(indexAt(axis, n), out, n * factor.dim);
  return out;
};

/** Keeps the rows of one axis and gives parts of them: a stream goes over many columns with the same rows. */
export class RememberedRows {
  readonly #axis: Axis;
  readonly #known = new Map<Factor, Float64Array>();

  constructor(axis: Axis) {
    this.#axis = axis;
  }

  /** Samples [from, to) of the axis. */
  part(from: number, to: number): { readonly axis: Axis; readonly rowsOf: FactorRows } {
    const axis = { ...this.#axis, first: indexAt(this.#axis, from), count: to - from };
    return {
      axis,
      rowsOf: (factor, wanted) =>
        wanted === axis ? this.#rows(factor).subarray(from * factor.dim, to * factor.dim) : freshRows(factor, wanted),
    };
  }

  #rows(factor: Factor): Float64Array {
    const rows = this.#known.get(factor) ?? freshRows(factor, this.#axis);
    this.#known.set(factor, rows);
    return rows;
  }
}
