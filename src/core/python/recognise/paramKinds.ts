import type { ConstantValue } from "../values/evaluatedValue.ts";

/** In code with these names, `block_size` is not the context length. */
export const CONTEXT_LENGTH_NAMES = / (?:max_position_embeddings|max_seq_len|max_seqlen|block_counts|num_blocks) /;

const POSITIVE_PARAMS = /theta|base|dim|size|heads|buckets|positions?|distance|factor|temperature|mscale/;
const LIST_PARAMS = /_section$|^(?:short|long)_factor$/;

/**
 * True for a number that cannot be the parameter's value: -1 for "not used", 0 as a fallback, or a number instead of a
 * list.
 */
export function isImplausible(param: string, value: ConstantValue | undefined): boolean {
  return typeof value === "number" && (value <= 0 ? POSITIVE_PARAMS : LIST_PARAMS).test(param);
}
