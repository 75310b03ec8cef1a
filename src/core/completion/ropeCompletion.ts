import * as l10n from "@vscode/l10n";
import type { Path } from "../config/text/json.ts";
import { readJson } from "../config/text/json.ts";
import { Section } from "../config/text/section.ts";
import { encodingById } from "../encodings/index.ts";
import { ROPE_FORMULAS } from "../encodings/rope/formulas.ts";
import { isRopeType } from "../encodings/rope/frequencies.ts";
import { fullTitle } from "../encodings/support/title.ts";
import { localize } from "../l10n/l10n.ts";
import type { EncodingSpec } from "../spec.ts";
import { parseJsonPlace } from "./jsonPlace.ts";
import type { CompletionPlace } from "./place.ts";
import {
  choiceStop,
  dictionarySnippet,
  entriesSnippet,
  optionalKeys,
  requiredKeys,
  ropeParameterOf,
  SCALING_TYPES,
  suggestValue,
  tabStop,
} from "./ropeSnippets.ts";

/** One completion in a dictionary of RoPE parameters. */
export interface Completion {
  readonly kind: "key" | "value" | "snippet";
  readonly label: string;
  /** Beside the label: "YaRN", "required by yarn". */
  readonly detail: string;
  /** Plain text. */
  readonly documentation: string;
  /** Snippet syntax. */
  readonly insert: string;
}

export interface Completions {
  readonly items: readonly Completion[];
  /** Offsets of the text that a completion replaces. */
  readonly start: number;
  readonly end: number;
}

type RopeDictionaryKey = "rope_scaling" | "rope_parameters";

const NO_COMPLETIONS: readonly Completion[] = [];

/**
 * Completions for the RoPE dictionaries of a model's config.
 * @param specs encodings that the file has now; snippets start with their values
 */
export function ropeCompletions(text: string, offset: number, specs: readonly EncodingSpec[]): Completions | undefined {
  const place = parseJsonPlace(text, offset);
  const root = Section.root(readJson(text));
  const spec = specs.find(({ encoding }) => encodingById(encoding)?.rotation?.scalable === true);
  if (root === undefined || spec === undefined) return undefined;
  return toCompletions(place, ropeCompletionItems(place, root, spec));
}

/** Adds the text that the location needs around each completion; undefined if there are none. */
export function toCompletions(
  { start, end, prefix, suffix, hasValue }: CompletionPlace,
  items: readonly Completion[],
): Completions | undefined {
  if (items.length === 0) return undefined;
  const around = (insert: string) => (hasValue ? insert : `${prefix}${insert}${suffix}`);
  return { items: items.map((item) => ({ ...item, insert: around(item.insert) })), start, end };
}

/** @param root the object at the place's path; undefined while it is empty */
export function ropeCompletionItems(
  place: CompletionPlace,
  root: Section | undefined,
  spec: EncodingSpec | undefined,
): readonly Completion[] {
  return place.isKey ? ropeKeyItems(place, root, spec) : ropeValueItems(place, root, spec);
}

function findDictionaryKey(path: Path): RopeDictionaryKey | undefined {
  return [path.at(-1), path.at(-2)].find((part) => part === "rope_scaling" || part === "rope_parameters");
}

function ropeKeyItems(
  place: CompletionPlace,
  root: Section | undefined,
  spec: EncodingSpec | undefined,
): readonly Completion[] {
  const form = findDictionaryKey(place.path);
  if (form === undefined)
    return place.path.length === 0 && !place.hasValue ? newDictionaryItems(place, root, spec) : NO_COMPLETIONS;
  const dictionary = sectionAt(root, place.path);
  const present = new Set(dictionary?.keys());
  const type = dictionary?.string("rope_type") ?? dictionary?.string("type");
  const keys = [
    ...(type === undefined ? ["rope_type"] : [...requiredKeys(type), ...optionalKeys(type)]),
    ...(form === "rope_parameters" ? ["rope_theta", "partial_rotary_factor"] : []),
  ];
  return [
    ...keys.filter((key) => !present.has(key)).map((key) => ropeKeyItem(place, key, type, spec)),
    ...(type === undefined && !place.hasValue
      ? SCALING_TYPES.map((each) => typeEntriesItem(place, each, spec))
      : NO_COMPLETIONS),
    ...layerTypeItems(place, root, present, spec),
  ];
}

function ropeKeyItem(
  place: CompletionPlace,
  key: string,
  type: string | undefined,
  spec: EncodingSpec | undefined,
): Completion {
  const needed = type !== undefined && requiredKeys(type).includes(key);
  const { syntax, hasValue } = place;
  const value = key === "rope_type" ? syntax.value(choiceStop(SCALING_TYPES)) : tabStop(suggestValue(key, type, spec));
  return {
    kind: "key",
    label: key,
    detail: needed ? l10n.t("required by {0}", type) : l10n.t("optional"),
    documentation: ropeHelpOf(key),
    insert: hasValue ? syntax.name(key) : syntax.entry(key, value),
  };
}

function ropeHelpOf(key: string): string {
  const parameter = ropeParameterOf(key);
  if (parameter === undefined) return "";
  const fallback = parameter.default === null ? "" : ` ${l10n.t("Default: {0}.", String(parameter.default))}`;
  return `${localize(parameter.help)}${fallback}`;
}

function typeEntriesItem(place: CompletionPlace, type: string, spec: EncodingSpec | undefined): Completion {
  return { ...describeType(type), kind: "snippet", insert: entriesSnippet(place.syntax, type, spec) };
}

/** Label, name and meaning of a RoPE type, from the encoding's own schema. */
export function describeType(type: string): Pick<Completion, "label" | "detail" | "documentation"> {
  const choice = ropeParameterOf("rope_type")?.choices?.find(({ value }) => value === type);
  const formula = isRopeType(type) ? ROPE_FORMULAS[type] : undefined;
  const meaning = formula?.meaning === undefined ? "" : localize(formula.meaning);
  const detail = choice === undefined ? "" : localize(fullTitle(choice));
  return { label: type, detail, documentation: [meaning, formula?.text].filter(Boolean).join("\n\n") };
}

/** One dictionary per layer type, if the file has `layer_types`. */
function layerTypeItems(
  place: CompletionPlace,
  root: Section | undefined,
  present: ReadonlySet<string>,
  spec: EncodingSpec | undefined,
): Completion[] {
  if (place.path.at(-1) !== "rope_parameters" || place.hasValue) return [];
  const types: unknown = sectionAt(root, place.path.slice(0, -1))?.get("layer_types")?.value;
  if (!Array.isArray(types) || present.has("rope_type")) return [];
  const names = [...new Set(types.filter((type) => typeof type === "string"))].slice(0, 8);
  return names
    .filter((name) => !present.has(name))
    .map((name) => ({
      kind: "key",
      label: name,
      detail: l10n.t("parameters for these layers"),
      documentation: l10n.t("One set of parameters per layer type in layer_types."),
      insert: place.syntax.entry(name, dictionarySnippet(place.syntax, "default", spec, ["rope_theta"])),
    }));
}

/** A new dictionary, in the form that the file's transformers version reads. */
function newDictionaryItems(
  place: CompletionPlace,
  root: Section | undefined,
  spec: EncodingSpec | undefined,
): readonly Completion[] {
  if (root?.has("rope_scaling") === true || root?.has("rope_parameters") === true) return NO_COMPLETIONS;
  const form: RopeDictionaryKey = isVersion5(root) ? "rope_parameters" : "rope_scaling";
  const more = form === "rope_parameters" ? ["rope_theta"] : [];
  return [
    {
      kind: "key",
      label: form,
      detail: l10n.t("RoPE scaling"),
      documentation: describeType("yarn").documentation,
      insert: place.syntax.entry(form, dictionarySnippet(place.syntax, "yarn", spec, more)),
    },
  ];
}

function isVersion5(root: Section | undefined): boolean {
  return Number.parseInt(root?.string("transformers_version") ?? "4", 10) >= 5;
}

function ropeValueItems(
  place: CompletionPlace,
  root: Section | undefined,
  spec: EncodingSpec | undefined,
): readonly Completion[] {
  const key = place.path.at(-1);
  if (key === "rope_scaling" || key === "rope_parameters") return dictionaryItems(place, key, root, spec);
  if (findDictionaryKey(place.path.slice(0, -1)) === undefined || typeof key !== "string") return NO_COMPLETIONS;
  if (key === "rope_type" || key === "type")
    return SCALING_TYPES.map((type) => ({ ...describeType(type), kind: "value", insert: place.syntax.value(type) }));
  if (ropeParameterOf(key)?.kind !== "boolean") return NO_COMPLETIONS;
  return ["true", "false"].map((label) => ({
    kind: "value",
    label,
    detail: label === String(ropeParameterOf(key)?.default) ? l10n.t("default") : "",
    documentation: ropeHelpOf(key),
    insert: label,
  }));
}

/** A whole dictionary where there is none: after the colon, or in place of null. */
function dictionaryItems(
  place: CompletionPlace,
  key: RopeDictionaryKey,
  root: Section | undefined,
  spec: EncodingSpec | undefined,
): readonly Completion[] {
  if (sectionAt(root, place.path) !== undefined) return NO_COMPLETIONS;
  const more = key === "rope_parameters" ? ["rope_theta"] : [];
  const types = key === "rope_parameters" ? SCALING_TYPES : SCALING_TYPES.filter((type) => type !== "default");
  const whole = types.map((type): Completion => {
    return { ...describeType(type), kind: "snippet", insert: dictionarySnippet(place.syntax, type, spec, more) };
  });
  if (key === "rope_parameters") return whole;
  return [...whole, { kind: "value", label: "null", detail: l10n.t("no scaling"), documentation: "", insert: "null" }];
}

function sectionAt(root: Section | undefined, path: Path): Section | undefined {
  return path.reduce<Section | undefined>((section, part) => section?.section(String(part)), root);
}
