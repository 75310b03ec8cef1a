import type { Inputs } from "../../src/core/encodings/encoding.ts";
import type { PanelState, WeightsReference } from "../../src/core/protocol/state.ts";

/** Learned arrays read from checkpoints. Too large for the panel state, which only names them. */

/** A row-major array from the host. */
export interface LearnedArray {
  readonly input: string;
  /** One to three dimensions, slowest first. */
  readonly shape: readonly number[];
  readonly values: ArrayLike<number>;
}

function nestValues({ shape, values }: LearnedArray): unknown {
  const [, ...inner] = shape;
  let lists: unknown[] = Array.from(values);
  for (const side of inner.toReversed()) {
    lists = Array.from({ length: lists.length / side }, (_, n) => lists.slice(n * side, (n + 1) * side));
  }
  return lists;
}

function weightsKey({ encoding, uri, tensor }: WeightsReference): string {
  return JSON.stringify([encoding, uri, tensor]);
}

/** Only the last one read: a panel shows one at a time, and they are large. */
let loadedWeights: { readonly key: string; readonly inputs: Inputs } | null = null;

export function storeWeights(weights: WeightsReference, arrays: readonly LearnedArray[]): void {
  const inputs = Object.fromEntries(arrays.map((array) => [array.input, nestValues(array)]));
  loadedWeights = { key: weightsKey(weights), inputs };
}

/** The state's weights, if they belong to its encoding. */
export function activeWeights({ weights, encoding }: PanelState): WeightsReference | null {
  return weights?.encoding === encoding ? weights : null;
}

export function hasWeights(weights: WeightsReference): boolean {
  return loadedWeights?.key === weightsKey(weights);
}

export const NO_INPUTS: Inputs = {};

/** The learned arrays of a state; empty before they are read, and then encodings use example values. */
export function learnedInputs(panel: PanelState): Inputs {
  const weights = activeWeights(panel);
  return weights !== null && loadedWeights?.key === weightsKey(weights) ? loadedWeights.inputs : NO_INPUTS;
}
