import { isNumbers, isStrings } from "../huggingface/attributes.ts";

const LAYER_TYPES = ["full_attention", "sliding_attention", "linear_attention"];

/** Values that a key could have instead, likely to matter if any does; empty if there is no telling. */
export function otherValues(value: unknown): readonly unknown[] {
  if (typeof value === "boolean") return [!value];
  if (typeof value === "number")
    return value === 0 ? [1, 16] : [2 * value + 1, value > 1 ? Math.floor(value / 2) : value / 2];
  // A name has an effect if a meaningless one has another.
  if (typeof value === "string") return ["?"];
  if (isNumbers(value)) return [value.map((item) => 2 * item + 1), value.map((item) => (item === 0 ? 1 : 0))];
  if (isStrings(value)) return LAYER_TYPES.map((name) => value.map(() => name));
  return [];
}
