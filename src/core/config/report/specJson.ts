import type { EncodingId, EncodingSpec, Params, ParamValue } from "../../spec.ts";
import type { ConfigProblem } from "../problems.ts";
import { COMMON_PARAMS } from "../specBuilder.ts";
import { derivedValues } from "./derivedValues.ts";

/** A spec as the command line prints it. */
export function specJson(spec: EncodingSpec): Record<string, unknown> {
  const { rope_type, ...own } = spec.params;
  const { layout, params } = pairLayout(spec.encoding, own);
  return {
    where: spec.where,
    encoding: spec.encoding,
    layout,
    rope_type: rope_type ?? null,
    layers: spec.layers,
    params: ordered(params),
    sources: Object.fromEntries(Object.entries(spec.sources).filter(([name]) => params[name] !== undefined)),
    derived: derivedValues(spec),
    evidence: spec.evidence.map(({ param, path, range }) => ({ param, path, ...range.start })),
    confidence: spec.confidence,
  };
}

/** `layout` is that of rotated pairs; the order of a sinusoidal table's columns is a parameter like others. */
function pairLayout(encoding: EncodingId, own: Params): { layout: ParamValue; params: Params } {
  if (encoding === "sinusoidal") return { layout: null, params: own };
  const { layout, ...params } = own;
  return { layout: layout ?? null, params };
}

/** The common parameters first, null where they do not apply. */
function ordered(params: Params): Params {
  return { ...Object.fromEntries(COMMON_PARAMS.map((name) => [name, null])), ...params };
}

/** A finding as the command line prints it. */
export function problemJson(
  file: string,
  { rule, severity, message, path, range }: ConfigProblem,
): Record<string, unknown> {
  return { file, rule, severity, message, path, ...range.start, range };
}
