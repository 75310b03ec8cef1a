import type { EncodingId } from "../../spec.ts";
import type { Constant } from "../values/value.ts";

/** Encodings that turn queries and keys. */
export const ROTARY: ReadonlySet<EncodingId> = new Set([
  "rope",
  "axial_rope",
  "mrope",
  "xpos",
  "rerope",
  "self_extend",
]);

/** Encodings with inverse frequencies: a base, and a dimension that they are spread over. */
export const WITH_FREQUENCIES: ReadonlySet<EncodingId> = new Set([
  ...ROTARY,
  "sinusoidal",
  "sincos_2d",
  "transformer_xl",
  "sandwich",
]);

/** Where these names are, a `block_size` is not the context. */
export const LENGTHS = / (?:max_position_embeddings|max_seq_len|max_seqlen|block_counts|num_blocks) /;

const POSITIVE = /theta|base|dim|size|heads|buckets|positions?|distance|factor|temperature|mscale/;
const LISTS = /_section$|^(?:short|long)_factor$/;

/** A number that the parameter cannot have: -1 for "not used", 0 as the fallback of a key, one where a list is meant. */
export function isImplausible(param: string, value: Constant | undefined): boolean {
  return typeof value === "number" && (value <= 0 ? POSITIVE : LISTS).test(param);
}
