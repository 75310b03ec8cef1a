import { t } from "@vscode/l10n";
import { readYamlDocument } from "../config/frameworks/readYamlConfig.ts";
import { Section } from "../config/text/section.ts";
import { readYaml } from "../config/text/yamlDocument.ts";
import { encodingById } from "../encodings/index.ts";
import { findParameter } from "../encodings/support/schema.ts";
import { localize } from "../l10n/l10n.ts";
import type { EncodingSpec } from "../spec.ts";
import type { Place } from "./place.ts";
import { type Completion, type Completions, completionsAt, ropeItems, typeItem } from "./ropeCompletion.ts";
import { choiceOf, firstValue, stop } from "./ropeSnippets.ts";
import { YAML_KEYS, type YamlKey } from "./yamlKeys.ts";
import { yamlPlace } from "./yamlPlace.ts";

/** Where axolotl keeps what goes into the model's own configuration. */
const OVERRIDES = "overrides_of_model_config";

/** What may be typed at a place of a training framework's file, for its position encoding alone. */
export function yamlCompletions(text: string, offset: number): Completions | undefined {
  const place = yamlPlace(text, offset);
  if (place === undefined) return undefined;
  const document = readYaml(place.rest);
  const { format, specs } = readYamlDocument(document);
  const root = Section.root(document);
  const [spec] = specs;
  if (format === "axolotl-yaml") return completionsAt(place, axolotlItems(place, root, spec));
  return completionsAt(place, tableItems(YAML_KEYS[format] ?? [], place, root, spec));
}

/** The dictionary of transformers, inside what overrides the model's configuration. */
function axolotlItems(place: Place, root: Section | undefined, spec: EncodingSpec | undefined): readonly Completion[] {
  const [outer, ...path] = place.path;
  if (outer === OVERRIDES) return ropeItems({ ...place, path }, root?.section(OVERRIDES), spec);
  if (outer !== undefined || !place.isKey || place.hasValue || root?.has(OVERRIDES) === true) return [];
  const [dictionary] = ropeItems(place, undefined, spec);
  if (dictionary === undefined) return [];
  const inside = dictionary.insert.replaceAll("\n", "\n\t");
  return [{ ...dictionary, label: OVERRIDES, insert: place.syntax.entry(OVERRIDES, `\n\t${inside}`) }];
}

function tableItems(
  table: readonly YamlKey[],
  place: Place,
  root: Section | undefined,
  spec: EncodingSpec | undefined,
): readonly Completion[] {
  const [first, ...path] = place.path;
  const named = table.find(({ key }) => key === plain(String(first)));
  if (first === undefined) return keyItems(table, place, root, spec);
  if (path.length > 0 || place.isKey)
    return tableItems(named?.inside ?? [], { ...place, path }, root?.section(String(first)), spec);
  return named === undefined ? [] : wordItems(named);
}

function keyItems(
  table: readonly YamlKey[],
  { hasValue, syntax }: Place,
  root: Section | undefined,
  spec: EncodingSpec | undefined,
): Completion[] {
  const present = new Set(root?.keys().map(plain));
  return table
    .filter(({ key, inside, scaling }) => !present.has(key) && (inside === undefined || scaling !== undefined))
    .filter(({ when }) => when?.(root) !== false)
    .map((one) => ({
      kind: "key",
      label: one.key,
      detail: t("optional"),
      documentation: helpOf(one),
      insert: hasValue ? one.key : syntax.entry(one.key, firstOf(one, syntax, spec)),
    }));
}

/** GPT-NeoX takes dashes, too. */
function plain(key: string): string {
  return key.replaceAll("-", "_");
}

function firstOf(key: YamlKey, syntax: Place["syntax"], spec: EncodingSpec | undefined, at = 1): string {
  if (key.inside !== undefined)
    return syntax.dictionary(
      key.inside.map((one, index) => syntax.entry(one.key, firstOf(one, syntax, spec, index + 1))),
    );
  if (key.words !== undefined) return choiceOf(Object.keys(key.words), at);
  return key.turnsOn === undefined ? stop(numberOf(key, spec), at) : "true";
}

/** Lengths and bases are whole numbers there. */
function numberOf({ param = "", of = "rope" }: YamlKey, spec: EncodingSpec | undefined): string {
  if (of === "rope") return firstValue(param, "llama3", spec).replace(/\.0$/, "");
  return String(parameterOf(param, of)?.default ?? "");
}

function parameterOf(param: string, of: NonNullable<YamlKey["of"]>) {
  const encoding = encodingById(of);
  return encoding === undefined ? undefined : findParameter(encoding, param);
}

function helpOf({ param, of = "rope", scaling, turnsOn, words }: YamlKey): string {
  if (scaling !== undefined) return typeItem(scaling).documentation;
  if (turnsOn !== undefined) return encodingWords(turnsOn).documentation;
  const help = param === undefined ? undefined : parameterOf(param, of)?.help;
  if (help !== undefined) return localize(help);
  return words === undefined ? "" : t("One of: {0}.", Object.keys(words).join(", "));
}

function wordItems({ words, turnsOn }: YamlKey): Completion[] {
  const all = words ?? (turnsOn === undefined ? {} : { true: turnsOn, false: "" });
  return Object.entries(all).map(([label, means]) => ({
    kind: "value",
    ...(encodingById(means) === undefined ? typeItem(means) : encodingWords(means)),
    label,
    insert: label,
  }));
}

function encodingWords(id: string): Pick<Completion, "detail" | "documentation"> {
  const encoding = encodingById(id);
  if (encoding === undefined) return { detail: "", documentation: "" };
  return { detail: localize(encoding.title), documentation: localize(encoding.explanation.summary) };
}
