import { encodingById } from "../../encodings/index.ts";
import { checkParams, pickKnownParams } from "../../encodings/support/schema.ts";
import type { EncodingSpec } from "../../spec.ts";
import { ParamError } from "../../util/errors.ts";
import { isFiniteNumber, isNumbers } from "../huggingface/attributes.ts";

const DERIVED_NAMES = ["inv_freq", "axis", "attention_scaling", "softmax_scale", "alibi_slopes"] as const;

/** Invalid values that models run with all the same. */
const TOLERATED_PARAMS: ReadonlySet<string> = new Set([
  "beta_fast",
  "high_freq_factor",
  "mrope_section",
  "short_factor",
  "long_factor",
]);

/** Values derived from a spec's parameters, as float64; values that cannot be computed are left out. */
export function computeDerivedValues(spec: EncodingSpec): Readonly<Record<string, unknown>> {
  const encoding = encodingById(spec.encoding);
  if (encoding?.derived === undefined) return {};
  const { params, problems } = checkParams(encoding, pickKnownParams(encoding, spec.params));
  if (problems.some(({ param }) => !TOLERATED_PARAMS.has(param))) return {};
  try {
    const values = encoding.derived(params);
    return Object.fromEntries(DERIVED_NAMES.flatMap((name) => (isNumeric(values[name]) ? [[name, values[name]]] : [])));
  } catch (error) {
    // Some combinations only fail in the computation itself; a rule reports them.
    if (error instanceof ParamError) return {};
    throw error;
  }
}

function isNumeric(value: unknown): boolean {
  return isFiniteNumber(value) || (isNumbers(value) && value.length > 0);
}
