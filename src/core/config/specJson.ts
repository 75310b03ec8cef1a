import type { EncodingSpec, Params } from "../spec.ts";
import { derivedValues } from "./derivedValues.ts";
import type { ConfigProblem } from "./problems.ts";
import { COMMON_PARAMS } from "./specBuilder.ts";

/** A spec as the command line prints it. */
export function specJson(spec: EncodingSpec): Record<string, unknown> {
  const { layout, rope_type, ...params } = spec.params;
  return {
    where: spec.where,
    encoding: spec.encoding,
    layout: layout ?? null,
    rope_type: rope_type ?? null,
    layers: spec.layers,
    params: ordered(params),
    sources: Object.fromEntries(Object.entries(spec.sources).filter(([name]) => params[name] !== undefined)),
    derived: derivedValues(spec),
    evidence: spec.evidence.map(({ param, path, range }) => ({ param, path, ...range.start })),
    confidence: spec.confidence,
  };
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
