import type { EncodingSpec } from "../../../spec.ts";

/** The language model's position table, if its length is limited. */
export function findFiniteTable(specs: readonly EncodingSpec[]): EncodingSpec | undefined {
  return specs.find(
    ({ encoding, where, params }) =>
      encoding === "learned_absolute" &&
      ["text", "encoder", "decoder"].includes(where) &&
      typeof params.usable_positions === "number",
  );
}
