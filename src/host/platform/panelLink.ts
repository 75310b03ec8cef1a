import type { Encoding } from "../../core/encodings/encoding.ts";
import { findParameter, pickKnownParams } from "../../core/encodings/support/schema.ts";
import type { Preset } from "../../core/protocol/state.ts";
import type { EncodingSpec } from "../../core/spec.ts";

/**
 * Argument of the command that opens the panel, with only the parameters that the encoding knows, so that none is
 * rejected. A default argument counts as a value of the code, not as the encoding's default.
 */
export function buildPanelLink(
  encoding: Encoding,
  { params, sources, evidence }: Pick<EncodingSpec, "params" | "sources" | "evidence">,
): { readonly encoding: string; readonly given: Preset } {
  const knownSources: Preset["sources"] = {};
  for (const [name, source] of Object.entries(sources)) {
    const parameter = findParameter(encoding, name);
    if (parameter === undefined || source === "you") continue;
    knownSources[parameter.name] = evidence.some(({ param }) => param === name) ? "code" : source;
  }
  return {
    encoding: encoding.id,
    given: { name: null, values: { ...pickKnownParams(encoding, params) }, sources: knownSources },
  };
}
