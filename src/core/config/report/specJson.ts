import type { EncodingId, EncodingSpec, Params, ParamValue } from "../../spec.ts";
import type { IgnoredKey } from "../positionKeys/ignoredKey.ts";
import type { ConfigProblem } from "../problems.ts";
import { COMMON_PARAMS } from "../specBuilder.ts";
import { computeDerivedValues } from "./derivedValues.ts";

/** A spec in the command line's JSON. */
export function specToJson(spec: EncodingSpec): Record<string, unknown> {
  const { rope_type, ...own } = spec.params;
  const { layout, params } = splitPairLayout(spec.encoding, own);
  return {
    where: spec.where,
    encoding: spec.encoding,
    layout,
    rope_type: rope_type ?? null,
    layers: spec.layers,
    params: withCommonParamsFirst(params),
    sources: Object.fromEntries(Object.entries(spec.sources).filter(([name]) => params[name] !== undefined)),
    derived: computeDerivedValues(spec),
    evidence: spec.evidence.map(({ param, path, range }) => ({ param, path, ...range.start })),
    confidence: spec.confidence,
    ...(spec.runs === undefined ? {} : { runs: spec.runs }),
  };
}

/** `layout` means that of rotated pairs; the column order of a sinusoidal table stays an ordinary parameter. */
function splitPairLayout(encoding: EncodingId, own: Params): { layout: ParamValue; params: Params } {
  if (encoding === "sinusoidal") return { layout: null, params: own };
  const { layout, ...params } = own;
  return { layout: layout ?? null, params };
}

/** Common parameters first, null where they do not apply. */
function withCommonParamsFirst(params: Params): Params {
  return { ...Object.fromEntries(COMMON_PARAMS.map((name) => [name, null])), ...params };
}

/** A key without effect in the command line's JSON. */
export function ignoredKeyToJson({ path, range, reason }: IgnoredKey): Record<string, unknown> {
  return { path, ...range.start, reason };
}

/** A finding in the command line's JSON. */
export function problemToJson(
  file: string,
  { rule, severity, message, path, range }: ConfigProblem,
): Record<string, unknown> {
  return { file, rule, severity, message, path, ...range.start, range };
}
