import type { Encoding } from "../../core/encodings/encoding.ts";
import { findParameter, knownParams } from "../../core/encodings/support/schema.ts";
import type { Given } from "../../core/protocol/state.ts";
import type { EncodingSpec } from "../../core/spec.ts";

/**
 * Argument of the command that opens the panel; only values that the encoding knows travel, so that none is refused.
 * A default argument is the code's own value, not the encoding's default.
 */
export function panelLink(
  encoding: Encoding,
  { params, sources, evidence }: Pick<EncodingSpec, "params" | "sources" | "evidence">,
): { readonly encoding: string; readonly given: Given } {
  const known: Given["sources"] = {};
  for (const [name, source] of Object.entries(sources)) {
    const parameter = findParameter(encoding, name);
    if (parameter === undefined || source === "you") continue;
    known[parameter.name] = evidence.some(({ param }) => param === name) ? "code" : source;
  }
  return { encoding: encoding.id, given: { name: null, values: { ...knownParams(encoding, params) }, sources: known } };
}
