import { TYPE_KEYS } from "../config/rules/support/ropeKeys.ts";
import type { Parameter } from "../encodings/encoding.ts";
import { ropeParameters } from "../encodings/rope/parameters.ts";
import type { EncodingSpec } from "../spec.ts";
import { ownValue } from "../util/ownValue.ts";
import type { Syntax } from "./place.ts";

/** The types that transformers makes for a language model, and what each needs: the rules' own table. */
export const SCALING_TYPES: readonly string[] = Object.keys(TYPE_KEYS).filter((type) => type !== "axial");

/** The one description of a parameter, which the panel is made from too. */
export function parameterOf(name: string): Parameter | undefined {
  return ropeParameters.find((parameter) => parameter.name === name);
}

export function requiredKeys(type: string): readonly string[] {
  return ownValue(TYPE_KEYS, type)?.required ?? [];
}

export function optionalKeys(type: string): readonly string[] {
  return ownValue(TYPE_KEYS, type)?.optional ?? [];
}

/** What a type is pointless without, beside what transformers requires. */
const SENSIBLE: Readonly<Record<string, readonly string[]>> = {
  longrope: ["factor"],
  proportional: ["partial_rotary_factor"],
};

/** How many times longer a context is to be, as long as nobody says. */
const FACTOR = 4;

/** A value to begin with, as JSON: what the file says already, what the schema suggests, or its default. */
export function firstValue(name: string, type: string | undefined, spec: EncodingSpec | undefined): string {
  const written = spec?.params;
  if (name === "original_max_position_embeddings") return String(originalLength(type, spec));
  if (name === "short_factor" || name === "long_factor") return ones(written?.rotary_dim);
  if (name === "rope_theta") return decimal(written?.rope_theta ?? 10_000);
  if (name === "factor") return decimal(FACTOR);
  if (name === "partial_rotary_factor")
    return decimal(
      typeof written?.partial_rotary_factor === "number" && written.partial_rotary_factor < 1
        ? written.partial_rotary_factor
        : 0.25,
    );
  const parameter = parameterOf(name);
  return parameter?.kind === "number" ? decimal(parameter.default ?? 1) : JSON.stringify(parameter?.default ?? null);
}

/** The length that the file says; Llama 3's must lie below `max_position_embeddings`, which is the longer one there. */
function originalLength(type: string | undefined, spec: EncodingSpec | undefined): number {
  const { original_max_position_embeddings: original, max_position_embeddings: longest } = spec?.params ?? {};
  if (typeof original === "number") return original;
  if (typeof longest !== "number") return 4096;
  return type === "llama3" ? Math.max(1, Math.floor(longest / FACTOR)) : longest;
}

/** Python tells 1 from 1.0, and the checks of transformers want floats. */
function decimal(value: unknown): string {
  return Number.isInteger(value) ? `${String(value)}.0` : JSON.stringify(value);
}

/** One divisor for each pair; 64 pairs where the head is not known. */
function ones(rotary: unknown): string {
  const pairs = typeof rotary === "number" && rotary >= 2 && rotary <= 4096 ? Math.floor(rotary / 2) : 64;
  return `[${Array<string>(pairs).fill("1.0").join(", ")}]`;
}

/** The dictionary of a type as a snippet, a tab stop for each value, on lines of its own. */
export function dictionarySnippet(
  syntax: Syntax,
  type: string,
  spec: EncodingSpec | undefined,
  more: readonly string[] = [],
): string {
  return syntax.dictionary(entries(syntax, type, spec, more));
}

/** The entries of a type alone, for a dictionary that is there already. */
export function entriesSnippet(syntax: Syntax, type: string, spec: EncodingSpec | undefined): string {
  return syntax.list(entries(syntax, type, spec, []));
}

function entries(syntax: Syntax, type: string, spec: EncodingSpec | undefined, more: readonly string[]): string[] {
  const keys = [...more, ...requiredKeys(type), ...(ownValue(SENSIBLE, type) ?? [])];
  const values = keys.map((key, index) => syntax.entry(key, stop(firstValue(key, type, spec), index + 1)));
  return [syntax.entry("rope_type", syntax.word(type)), ...values];
}

/** A place of a snippet to type at, with what stands there first. */
export function stop(value: string, index = 1): string {
  return `\${${index}:${value.replace(/[\\$}]/g, "\\$&")}}`;
}

/** A place of a snippet with words to choose from. */
export function choiceOf(words: readonly string[], index = 1): string {
  return `\${${index}|${words.join(",")}|}`;
}
