import type { Path } from "../config/text/json.ts";
import type { Encoding } from "../encodings/encoding.ts";
import { encodingById } from "../encodings/index.ts";
import { checkParams, findParameter, pickKnownParams } from "../encodings/support/schema.ts";
import { localize } from "../l10n/l10n.ts";
import { computePairSet, type PairSet } from "../measure/pairs.ts";
import { configuredTrainingContext } from "../measure/trainingContext.ts";
import type { EncodingSpec, Params } from "../spec.ts";
import { ParamError } from "../util/errors.ts";
import { ownValue } from "../util/ownValue.ts";
import { KEY_MEANINGS } from "./keyMeanings.ts";
import { PARAM_BY_KEY } from "./paramByKey.ts";

/** A key, and the encoding that it configures. */
export interface KeyContext {
  /** The parameter's name in specs. */
  readonly name: string;
  readonly spec: EncodingSpec;
  readonly encoding: Encoding;
  /** The spec's parameters, completed with defaults if they are valid. */
  readonly params: Params;
  /** Frequencies at construction; null if the encoding has none or the file does not determine them. */
  readonly pairs: PairSet | null;
  /** `attention_scaling`, `alibi_slopes`, `bucket_starts`; empty if the parameters are invalid. */
  readonly derived: Readonly<Record<string, unknown>>;
}

const ROPE_DICTIONARIES: ReadonlySet<string> = new Set(["rope_scaling", "rope_parameters", "yarn"]);

/** Keys with another meaning outside of a RoPE dictionary. */
const ONLY_INSIDE_DICTIONARY: ReadonlySet<string> = new Set([
  "type",
  "factor",
  "truncate",
  "mscale",
  "mscale_all_dim",
  "beta_fast",
  "beta_slow",
  "attention_factor",
]);

/** The parameter that a key sets, and its encoding; undefined for keys that do not concern positions. */
export function findKeyContext(path: Path, specs: readonly EncodingSpec[]): KeyContext | undefined {
  const specWithKey = specs.find(({ evidence }) => evidence.some((found) => isSamePath(found.path, path)));
  const name = specWithKey?.evidence.find((found) => isSamePath(found.path, path))?.param ?? findParamName(path, specs);
  const spec = specWithKey ?? nearestSpec(path, specs);
  const encoding = spec === undefined ? undefined : encodingById(spec.encoding);
  if (name === undefined || spec === undefined || encoding === undefined) return undefined;
  const { params, problems } = checkParams(encoding, pickKnownParams(encoding, spec.params));
  const isValid = problems.length === 0;
  const isComplete = isValid && hasRotaryValues(encoding, spec.params);
  return {
    name,
    spec,
    encoding,
    params: isComplete ? { ...spec.params, ...params } : spec.params,
    pairs: isComplete
      ? computeOr(() => computePairSet(encoding, params, configuredTrainingContext(params) ?? 1), null)
      : null,
    derived: isValid ? computeOr(() => encoding.derived?.(params) ?? {}, {}) : {},
  };
}

/**
 * A config that only overrides another model's config may lack the base or the dimension; numbers for it would be
 * invented.
 */
function hasRotaryValues({ rotation }: Encoding, params: Params): boolean {
  return (
    rotation?.scalable !== true || (typeof params.rope_theta === "number" && typeof params.rotary_dim === "number")
  );
}

/** Meaning of the key: from the encoding's schema if it has the parameter, else from the table of keys. */
export function keyMeaning({ name, encoding }: KeyContext): string {
  const help = findParameter(encoding, name)?.help ?? ownValue(KEY_MEANINGS, name);
  return help === undefined ? localize(encoding.explanation.summary) : localize(help);
}

/** Some invalid combinations are detected only by the computation; the hover then shows only what was read. */
function computeOr<T>(compute: () => T, otherwise: T): T {
  try {
    return compute();
  } catch (error) {
    if (error instanceof ParamError) return otherwise;
    throw error;
  }
}

function findParamName(path: Path, specs: readonly EncodingSpec[]): string | undefined {
  const key = path.at(-1);
  if (typeof key !== "string" || !Object.hasOwn(PARAM_BY_KEY, key)) return undefined;
  const parents = path.slice(0, -1);
  const isInDictionary = parents
    .slice(-2)
    .some((parent) => typeof parent === "string" && ROPE_DICTIONARIES.has(parent));
  if (isInDictionary) return ownValue(PARAM_BY_KEY, key);
  if (ONLY_INSIDE_DICTIONARY.has(key)) return undefined;
  return parents.length === 0 || specs.some((spec) => hasEvidenceUnder(spec, parents))
    ? ownValue(PARAM_BY_KEY, key)
    : undefined;
}

/** The spec that shares the longest path prefix; the first if none shares any. */
function nearestSpec(path: Path, specs: readonly EncodingSpec[]): EncodingSpec | undefined {
  for (let length = path.length; length > 0; length--) {
    const found = specs.find((spec) => hasEvidenceUnder(spec, path.slice(0, length)));
    if (found !== undefined) return found;
  }
  return specs[0];
}

function hasEvidenceUnder({ evidence }: EncodingSpec, parents: Path): boolean {
  return evidence.some(({ path }) => parents.every((part, index) => path[index] === part));
}

function isSamePath(a: Path, b: Path): boolean {
  return a.length === b.length && a.every((part, index) => part === b[index]);
}
