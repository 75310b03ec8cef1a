import { t } from "@vscode/l10n";
import type { Path } from "../config/text/json.ts";
import { readJson } from "../config/text/json.ts";
import { Section } from "../config/text/section.ts";
import { ROPE_FORMULAS } from "../encodings/rope/formulas.ts";
import { isRopeType } from "../encodings/rope/frequencies.ts";
import { localize } from "../l10n/l10n.ts";
import type { EncodingSpec } from "../spec.ts";
import { jsonPlace } from "./jsonPlace.ts";
import type { Place } from "./place.ts";
import {
  choiceOf,
  dictionarySnippet,
  entriesSnippet,
  firstValue,
  optionalKeys,
  parameterOf,
  requiredKeys,
  SCALING_TYPES,
  stop,
} from "./ropeSnippets.ts";

/** One choice while a dictionary of RoPE parameters is being typed. */
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
  /** The text that a choice takes the place of. */
  readonly start: number;
  readonly end: number;
}

type Form = "rope_scaling" | "rope_parameters";

const NONE: readonly Completion[] = [];

/**
 * What may be typed at a place of a model's config, for its RoPE dictionaries alone.
 * @param specs encodings that the file has now: the snippets begin with its own numbers
 */
export function ropeCompletions(text: string, offset: number, specs: readonly EncodingSpec[]): Completions | undefined {
  const place = jsonPlace(text, offset);
  const root = Section.root(readJson(text));
  const spec = specs.find(({ encoding }) => encoding === "rope" || encoding === "mrope");
  if (root === undefined || spec === undefined) return undefined;
  return completionsAt(place, ropeItems(place, root, spec));
}

/** What is put in, with what a place needs around it; undefined where nothing is offered. */
export function completionsAt(
  { start, end, before, after, hasValue }: Place,
  items: readonly Completion[],
): Completions | undefined {
  if (items.length === 0) return undefined;
  const around = (insert: string) => (hasValue ? insert : `${before}${insert}${after}`);
  return { items: items.map((item) => ({ ...item, insert: around(item.insert) })), start, end };
}

/** @param root the object that the dictionary is in, at the place's path; undefined while it is empty */
export function ropeItems(
  place: Place,
  root: Section | undefined,
  spec: EncodingSpec | undefined,
): readonly Completion[] {
  return place.isKey ? keyItems(place, root, spec) : valueItems(place, root, spec);
}

function formOf(path: Path): Form | undefined {
  return [path.at(-1), path.at(-2)].find((part) => part === "rope_scaling" || part === "rope_parameters");
}

function keyItems(place: Place, root: Section | undefined, spec: EncodingSpec | undefined): readonly Completion[] {
  const form = formOf(place.path);
  if (form === undefined) return place.path.length === 0 && !place.hasValue ? outerItems(place, root, spec) : NONE;
  const dictionary = sectionAt(root, place.path);
  const present = new Set(dictionary?.keys());
  const type = dictionary?.string("rope_type") ?? dictionary?.string("type");
  const keys = [
    ...(type === undefined ? ["rope_type"] : [...requiredKeys(type), ...optionalKeys(type)]),
    ...(form === "rope_parameters" ? ["rope_theta", "partial_rotary_factor"] : []),
  ];
  return [
    ...keys.filter((key) => !present.has(key)).map((key) => keyItem(place, key, type, spec)),
    ...(type === undefined && !place.hasValue ? SCALING_TYPES.map((each) => entriesItem(place, each, spec)) : NONE),
    ...layerTypes(place, root, present, spec),
  ];
}

function keyItem(place: Place, key: string, type: string | undefined, spec: EncodingSpec | undefined): Completion {
  const needed = type !== undefined && requiredKeys(type).includes(key);
  const { syntax, hasValue } = place;
  const value = key === "rope_type" ? syntax.word(choiceOf(SCALING_TYPES)) : stop(firstValue(key, type, spec));
  return {
    kind: "key",
    label: key,
    detail: needed ? t("required by {0}", type) : t("optional"),
    documentation: helpOf(key),
    insert: hasValue ? syntax.name(key) : syntax.entry(key, value),
  };
}

function helpOf(key: string): string {
  const parameter = parameterOf(key);
  if (parameter === undefined) return "";
  const fallback = parameter.default === null ? "" : ` ${t("Default: {0}.", String(parameter.default))}`;
  return `${localize(parameter.help)}${fallback}`;
}

function entriesItem(place: Place, type: string, spec: EncodingSpec | undefined): Completion {
  return { ...typeItem(type), kind: "snippet", insert: entriesSnippet(place.syntax, type, spec) };
}

/** Name, label and meaning of a type, all from the table that the panel is made from. */
export function typeItem(type: string): Pick<Completion, "label" | "detail" | "documentation"> {
  const label = parameterOf("rope_type")?.choices?.find(({ value }) => value === type)?.label;
  const formula = isRopeType(type) ? ROPE_FORMULAS[type] : undefined;
  const meaning = formula?.meaning === undefined ? "" : localize(formula.meaning);
  const detail = label === undefined ? "" : localize(label).replace(/^\w+\s*——?\s*/, "");
  return { label: type, detail, documentation: [meaning, formula?.text].filter(Boolean).join("\n\n") };
}

/** A dictionary for each kind of layer, where the file names kinds. */
function layerTypes(
  place: Place,
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
      detail: t("parameters for these layers"),
      documentation: t("One set of parameters per layer type in layer_types."),
      insert: place.syntax.entry(name, dictionarySnippet(place.syntax, "default", spec, ["rope_theta"])),
    }));
}

/** The dictionary itself, in the form that the file's version reads, where it has none. */
function outerItems(place: Place, root: Section | undefined, spec: EncodingSpec | undefined): readonly Completion[] {
  if (root?.has("rope_scaling") === true || root?.has("rope_parameters") === true) return NONE;
  const form: Form = isVersion5(root) ? "rope_parameters" : "rope_scaling";
  const more = form === "rope_parameters" ? ["rope_theta"] : [];
  return [
    {
      kind: "key",
      label: form,
      detail: t("RoPE scaling"),
      documentation: typeItem("yarn").documentation,
      insert: place.syntax.entry(form, dictionarySnippet(place.syntax, "yarn", spec, more)),
    },
  ];
}

function isVersion5(root: Section | undefined): boolean {
  return Number.parseInt(root?.string("transformers_version") ?? "4", 10) >= 5;
}

function valueItems(place: Place, root: Section | undefined, spec: EncodingSpec | undefined): readonly Completion[] {
  const key = place.path.at(-1);
  if (key === "rope_scaling" || key === "rope_parameters") return dictionaryItems(place, key, root, spec);
  if (formOf(place.path.slice(0, -1)) === undefined || typeof key !== "string") return NONE;
  if (key === "rope_type" || key === "type")
    return SCALING_TYPES.map((type) => ({ ...typeItem(type), kind: "value", insert: place.syntax.word(type) }));
  if (parameterOf(key)?.kind !== "boolean") return NONE;
  return ["true", "false"].map((label) => ({
    kind: "value",
    label,
    detail: label === String(parameterOf(key)?.default) ? t("default") : "",
    documentation: helpOf(key),
    insert: label,
  }));
}

/** A whole dictionary, while there is none: behind the colon, or instead of null. */
function dictionaryItems(
  place: Place,
  key: Form,
  root: Section | undefined,
  spec: EncodingSpec | undefined,
): readonly Completion[] {
  if (sectionAt(root, place.path) !== undefined) return NONE;
  const more = key === "rope_parameters" ? ["rope_theta"] : [];
  const types = key === "rope_parameters" ? SCALING_TYPES : SCALING_TYPES.filter((type) => type !== "default");
  const whole = types.map((type): Completion => {
    return { ...typeItem(type), kind: "snippet", insert: dictionarySnippet(place.syntax, type, spec, more) };
  });
  if (key === "rope_parameters") return whole;
  return [...whole, { kind: "value", label: "null", detail: t("no scaling"), documentation: "", insert: "null" }];
}

function sectionAt(root: Section | undefined, path: Path): Section | undefined {
  return path.reduce<Section | undefined>((section, part) => section?.section(String(part)), root);
}
