import type { Path } from "../config/text/json.ts";
import type { Encoding } from "../encodings/encoding.ts";
import { encodingById } from "../encodings/index.ts";
import { checkParams, findParameter, knownParams } from "../encodings/support/schema.ts";
import { localize } from "../l10n/l10n.ts";
import { type PairSet, pairSet, trainedLength } from "../measure/pairs.ts";
import type { EncodingSpec, Params } from "../spec.ts";
import { ParamError } from "../util/errors.ts";
import { KEY_NAMES } from "./keyNames.ts";
import { KEY_TEXTS } from "./keyTexts.ts";

/** A key and the encoding that it speaks of. */
export interface KeyContext {
  /** The name that specs have for what the key says. */
  readonly name: string;
  readonly spec: EncodingSpec;
  readonly encoding: Encoding;
  /** The spec's parameters with defaults, where they are whole and break no rule of the encoding; else those of the spec. */
  readonly params: Params;
  /** Frequencies at construction; null where there are none, or none that the file could tell. */
  readonly pairs: PairSet | null;
  /** `attention_scaling`, `alibi_slopes`, `bucket_starts`; empty where the parameters break a rule. */
  readonly derived: Readonly<Record<string, unknown>>;
}

const DICTIONARIES: ReadonlySet<string> = new Set(["rope_scaling", "rope_parameters", "yarn"]);

/** Words that mean something of their own elsewhere in a config. */
const ONLY_INSIDE: ReadonlySet<string> = new Set([
  "type",
  "factor",
  "truncate",
  "mscale",
  "mscale_all_dim",
  "beta_fast",
  "beta_slow",
  "attention_factor",
]);

/** What a key says, and of which encoding; undefined for a key that says nothing of positions. */
export function keyContext(path: Path, specs: readonly EncodingSpec[]): KeyContext | undefined {
  const read = specs.find(({ evidence }) => evidence.some((found) => isSame(found.path, path)));
  const name = read?.evidence.find((found) => isSame(found.path, path))?.param ?? nameOf(path, specs);
  const spec = read ?? nearest(path, specs);
  const encoding = spec === undefined ? undefined : encodingById(spec.encoding);
  if (name === undefined || spec === undefined || encoding === undefined) return undefined;
  const { params, problems } = checkParams(encoding, knownParams(encoding, spec.params));
  const sound = problems.length === 0;
  const whole = sound && isWhole(spec);
  return {
    name,
    spec,
    encoding,
    params: whole ? { ...spec.params, ...params } : spec.params,
    pairs: whole ? computed(() => pairSet(encoding, params, trainedLength(params) ?? 1), null) : null,
    derived: sound ? computed(() => encoding.derived?.(params) ?? {}, {}) : {},
  };
}

/** Files that only change another model's config do not say what turns: numbers of it would be made up. */
function isWhole({ encoding, params }: EncodingSpec): boolean {
  const turns = encoding === "rope" || encoding === "mrope";
  return !turns || (typeof params.rope_theta === "number" && typeof params.rotary_dim === "number");
}

/** What the key means, from the encoding's own schema where it has the parameter. */
export function meaningOf({ name, encoding }: KeyContext): string {
  const help = findParameter(encoding, name)?.help ?? KEY_TEXTS[name];
  return help === undefined ? localize(encoding.explanation.summary) : localize(help);
}

/** Some combinations only the computation itself refuses; the hover then says what was read, no more. */
function computed<T>(compute: () => T, otherwise: T): T {
  try {
    return compute();
  } catch (error) {
    if (error instanceof ParamError) return otherwise;
    throw error;
  }
}

function nameOf(path: Path, specs: readonly EncodingSpec[]): string | undefined {
  const key = path.at(-1);
  if (typeof key !== "string" || !Object.hasOwn(KEY_NAMES, key)) return undefined;
  const parents = path.slice(0, -1);
  const inside = parents.slice(-2).some((parent) => typeof parent === "string" && DICTIONARIES.has(parent));
  if (inside) return KEY_NAMES[key];
  if (ONLY_INSIDE.has(key)) return undefined;
  return parents.length === 0 || specs.some((spec) => holds(spec, parents)) ? KEY_NAMES[key] : undefined;
}

/** The spec with most of the path in common; the first where none has. */
function nearest(path: Path, specs: readonly EncodingSpec[]): EncodingSpec | undefined {
  for (let length = path.length; length > 0; length--) {
    const found = specs.find((spec) => holds(spec, path.slice(0, length)));
    if (found !== undefined) return found;
  }
  return specs[0];
}

function holds({ evidence }: EncodingSpec, parents: Path): boolean {
  return evidence.some(({ path }) => parents.every((part, index) => path[index] === part));
}

function isSame(a: Path, b: Path): boolean {
  return a.length === b.length && a.every((part, index) => part === b[index]);
}
