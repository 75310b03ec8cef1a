import { ROPE_TYPE_KEYS } from "../config/rules/support/ropeKeys.ts";
import type { Parameter } from "../encodings/encoding.ts";
import { ropeParameters } from "../encodings/rope/parameters.ts";
import type { EncodingSpec } from "../spec.ts";
import { ownValue } from "../util/ownValue.ts";
import type { SnippetSyntax } from "./place.ts";

/** The types that transformers supports for language models; the rules use the same table. */
export const SCALING_TYPES: readonly string[] = Object.keys(ROPE_TYPE_KEYS).filter((type) => type !== "axial");

/** The parameter's schema, which the panel is built from too. */
export function ropeParameterOf(name: string): Parameter | undefined {
  return ropeParameters.find((parameter) => parameter.name === name);
}

export function requiredKeys(type: string): readonly string[] {
  return ownValue(ROPE_TYPE_KEYS, type)?.required ?? [];
}

export function optionalKeys(type: string): readonly string[] {
  return ownValue(ROPE_TYPE_KEYS, type)?.optional ?? [];
}

/** Keys that transformers does not require, but without which a type has no effect. */
const RECOMMENDED_KEYS: Readonly<Record<string, readonly string[]>> = {
  longrope: ["factor"],
  proportional: ["partial_rotary_factor"],
};

/** Suggested context extension. */
const DEFAULT_FACTOR = 4;

/** Suggested value as JSON: the file's own, the schema's suggestion or its default. */
export function suggestValue(name: string, type: string | undefined, spec: EncodingSpec | undefined): string {
  const written = spec?.params;
  if (name === "original_max_position_embeddings") return String(suggestOriginalLength(type, spec));
  if (name === "short_factor" || name === "long_factor") return unitDivisors(written?.rotary_dim);
  if (name === "rope_theta") return formatFloat(written?.rope_theta ?? 10_000);
  if (name === "factor") return formatFloat(DEFAULT_FACTOR);
  if (name === "partial_rotary_factor")
    return formatFloat(
      typeof written?.partial_rotary_factor === "number" && written.partial_rotary_factor < 1
        ? written.partial_rotary_factor
        : 0.25,
    );
  const parameter = ropeParameterOf(name);
  return parameter?.kind === "number"
    ? formatFloat(parameter.default ?? 1)
    : JSON.stringify(parameter?.default ?? null);
}

/** The training context. Llama 3's must be below `max_position_embeddings`, which is the extended length there. */
function suggestOriginalLength(type: string | undefined, spec: EncodingSpec | undefined): number {
  const { original_max_position_embeddings: original, max_position_embeddings: longest } = spec?.params ?? {};
  if (typeof original === "number") return original;
  if (typeof longest !== "number") return 4096;
  return type === "llama3" ? Math.max(1, Math.floor(longest / DEFAULT_FACTOR)) : longest;
}

/** Formats whole numbers as 1.0: Python distinguishes int and float, and transformers expects floats. */
function formatFloat(value: unknown): string {
  return Number.isInteger(value) ? `${String(value)}.0` : JSON.stringify(value);
}

/** A list of divisors 1.0, one per pair; 64 pairs if the head is unknown. */
function unitDivisors(rotary: unknown): string {
  const pairs = typeof rotary === "number" && rotary >= 2 && rotary <= 4096 ? Math.floor(rotary / 2) : 64;
  return `[${Array<string>(pairs).fill("1.0").join(", ")}]`;
}

/** A whole dictionary of a type as a snippet, with a tab stop for each value. */
export function dictionarySnippet(
  syntax: SnippetSyntax,
  type: string,
  spec: EncodingSpec | undefined,
  more: readonly string[] = [],
): string {
  return syntax.dictionary(buildEntries(syntax, type, spec, more));
}

/** The entries of a type, for an existing dictionary. */
export function entriesSnippet(syntax: SnippetSyntax, type: string, spec: EncodingSpec | undefined): string {
  return syntax.list(buildEntries(syntax, type, spec, []));
}

function buildEntries(
  syntax: SnippetSyntax,
  type: string,
  spec: EncodingSpec | undefined,
  more: readonly string[],
): string[] {
  const keys = [...more, ...requiredKeys(type), ...(ownValue(RECOMMENDED_KEYS, type) ?? [])];
  const values = keys.map((key, index) => syntax.entry(key, tabStop(suggestValue(key, type, spec), index + 1)));
  return [syntax.entry("rope_type", syntax.value(type)), ...values];
}

/** A tab stop of a snippet with its initial text. */
export function tabStop(value: string, index = 1): string {
  return `\${${index}:${value.replace(/[\\$}]/g, "\\$&")}}`;
}

/** A tab stop of a snippet with words to choose from. */
export function choiceStop(words: readonly string[], index = 1): string {
  return `\${${index}|${words.join(",")}|}`;
}
