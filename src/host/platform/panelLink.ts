import type { Encoding } from "../../core/encodings/encoding.ts";
import { knownParams } from "../../core/encodings/schema.ts";
import type { Params } from "../../core/spec.ts";

/** Argument of the command that opens the panel; only values that the encoding knows travel, so that none is refused. */
export function panelLink(encoding: Encoding, params: Params): { readonly encoding: string; readonly changes: Params } {
  return { encoding: encoding.id, changes: knownParams(encoding, params) };
}
