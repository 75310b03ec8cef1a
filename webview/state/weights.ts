import type { Inputs } from "../../src/core/encodings/encoding.ts";
import type { PanelState, Weights } from "../../src/core/protocol/state.ts";

/** Learned arrays that were read from checkpoints. Too large for the state, which only names them. */

/** An array as the host sends it, row-major. */
export interface SentArray {
  readonly input: string;
  /** One to three sides, slowest first. */
  readonly shape: readonly number[];
  readonly values: ArrayLike<number>;
}

function nested({ shape, values }: SentArray): unknown {
  const [, ...inner] = shape;
  let lists: unknown[] = Array.from(values);
  for (const side of inner.toReversed()) {
    lists = Array.from({ length: lists.length / side }, (_, n) => lists.slice(n * side, (n + 1) * side));
  }
  return lists;
}

function keyOf({ encoding, uri, tensor }: Weights): string {
  return JSON.stringify([encoding, uri, tensor]);
}

/** The last one read: a panel shows one at a time, and they are large. */
let loaded: { readonly key: string; readonly inputs: Inputs } | null = null;

export function keepWeights(weights: Weights, arrays: readonly SentArray[]): void {
  const inputs = Object.fromEntries(arrays.map((array) => [array.input, nested(array)]));
  loaded = { key: keyOf(weights), inputs };
}

/** The weights that this state shows, as long as it is of their encoding. */
export function wantedWeights({ weights, encoding }: PanelState): Weights | null {
  return weights?.encoding === encoding ? weights : null;
}

export function hasWeights(weights: Weights): boolean {
  return loaded?.key === keyOf(weights);
}

/** Before anything is read. */
export const NO_INPUTS: Inputs = {};

/** The learned arrays of a state; none before they are read: then the encodings take example values. */
export function inputsOf(panel: PanelState): Inputs {
  const weights = wantedWeights(panel);
  return weights !== null && loaded?.key === keyOf(weights) ? loaded.inputs : NO_INPUTS;
}
