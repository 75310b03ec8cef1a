import { encodingById } from "../../encodings/index.ts";
import { checkParams, knownParams } from "../../encodings/support/schema.ts";
import type { EncodingSpec } from "../../spec.ts";
import { ParamError } from "../../util/errors.ts";
import { isFiniteNumber, isNumbers } from "../huggingface/attributes.ts";

const NAMES = ["inv_freq", "axis", "attention_scaling", "softmax_scale", "alibi_slopes"] as const;

/** What models run with, mistaken or not: they have these numbers all the same. */
const TOLERATED: ReadonlySet<string> = new Set([
  "beta_fast",
  "high_freq_factor",
  "mrope_section",
  "short_factor",
  "long_factor",
]);

/** Numbers that follow from a spec's parameters, float64; what cannot be computed from them is left out. */
export function derivedValues(spec: EncodingSpec): Readonly<Record<string, unknown>> {
  const encoding = encodingById(spec.encoding);
  if (encoding?.derived === undefined) return {};
  const { params, problems } = checkParams(encoding, knownParams(encoding, spec.params));
  if (problems.some(({ param }) => !TOLERATED.has(param))) return {};
  try {
    const values = encoding.derived(params);
    return Object.fromEntries(NAMES.flatMap((name) => (isNumeric(values[name]) ? [[name, values[name]]] : [])));
  } catch (error) {
    // Combinations that only the computation itself refuses; a rule says what is wrong with them.
    if (error instanceof ParamError) return {};
    throw error;
  }
}

function isNumeric(value: unknown): boolean {
  return isFiniteNumber(value) || (isNumbers(value) && value.length > 0);
}
