import * as l10n from "@vscode/l10n";
import { readYamlDocument } from "../config/frameworks/readYamlConfig.ts";
import { Section } from "../config/text/section.ts";
import { readYaml } from "../config/text/yamlDocument.ts";
import { encodingById } from "../encodings/index.ts";
import { findParameter } from "../encodings/support/schema.ts";
import { fullTitle } from "../encodings/support/title.ts";
import { localize } from "../l10n/l10n.ts";
import type { EncodingSpec } from "../spec.ts";
import type { CompletionPlace } from "./place.ts";
import {
  type Completion,
  type Completions,
  describeType,
  ropeCompletionItems,
  toCompletions,
} from "./ropeCompletion.ts";
import { choiceStop, suggestValue, tabStop } from "./ropeSnippets.ts";
import { YAML_KEYS, type YamlKey } from "./yamlKeys.ts";
import { parseYamlPlace } from "./yamlPlace.ts";

/** axolotl's key for changes of the model's own configuration. */
const OVERRIDES_KEY = "overrides_of_model_config";

/** Completions for the position encoding in a training framework's file. */
export function yamlCompletions(text: string, offset: number): Completions | undefined {
  const place = parseYamlPlace(text, offset);
  if (place === undefined) return undefined;
  const document = readYaml(place.textWithoutTyped);
  const { format, specs } = readYamlDocument(document);
  const root = Section.root(document);
  const [spec] = specs;
  if (format === "axolotl-yaml") return toCompletions(place, axolotlItems(place, root, spec));
  return toCompletions(place, tableItems(YAML_KEYS[format] ?? [], place, root, spec));
}

/** The RoPE dictionary of transformers, inside axolotl's overrides. */
function axolotlItems(
  place: CompletionPlace,
  root: Section | undefined,
  spec: EncodingSpec | undefined,
): readonly Completion[] {
  const [outer, ...path] = place.path;
  if (outer === OVERRIDES_KEY) return ropeCompletionItems({ ...place, path }, root?.section(OVERRIDES_KEY), spec);
  if (outer !== undefined || !place.isKey || place.hasValue || root?.has(OVERRIDES_KEY) === true) return [];
  const [dictionary] = ropeCompletionItems(place, undefined, spec);
  if (dictionary === undefined) return [];
  const inside = dictionary.insert.replaceAll("\n", "\n\t");
  return [{ ...dictionary, label: OVERRIDES_KEY, insert: place.syntax.entry(OVERRIDES_KEY, `\n\t${inside}`) }];
}

function tableItems(
  table: readonly YamlKey[],
  place: CompletionPlace,
  root: Section | undefined,
  spec: EncodingSpec | undefined,
): readonly Completion[] {
  const [first, ...path] = place.path;
  const named = table.find(({ key }) => key === withUnderscores(String(first)));
  if (first === undefined) return yamlKeyItems(table, place, root, spec);
  if (path.length > 0 || place.isKey)
    return tableItems(named?.children ?? [], { ...place, path }, root?.section(String(first)), spec);
  return named === undefined ? [] : wordItems(named);
}

function yamlKeyItems(
  table: readonly YamlKey[],
  { hasValue, syntax }: CompletionPlace,
  root: Section | undefined,
  spec: EncodingSpec | undefined,
): Completion[] {
  const present = new Set(root?.keys().map(withUnderscores));
  return table
    .filter(({ key, children, scaling }) => !present.has(key) && (children === undefined || scaling !== undefined))
    .filter(({ when }) => when?.(root) !== false)
    .map((one) => ({
      kind: "key",
      label: one.key,
      detail: l10n.t("optional"),
      documentation: yamlHelpOf(one),
      insert: hasValue ? one.key : syntax.entry(one.key, suggestEntry(one, syntax, spec)),
    }));
}

/** GPT-NeoX accepts keys with dashes too. */
function withUnderscores(key: string): string {
  return key.replaceAll("-", "_");
}

function suggestEntry(key: YamlKey, syntax: CompletionPlace["syntax"], spec: EncodingSpec | undefined, at = 1): string {
  if (key.children !== undefined)
    return syntax.dictionary(
      key.children.map((one, index) => syntax.entry(one.key, suggestEntry(one, syntax, spec, index + 1))),
    );
  if (key.words !== undefined) return choiceStop(Object.keys(key.words), at);
  return key.turnsOn === undefined ? tabStop(suggestNumber(key, spec), at) : "true";
}

/** These files write lengths and bases as integers. */
function suggestNumber({ param = "", encoding = "rope" }: YamlKey, spec: EncodingSpec | undefined): string {
  if (encoding === "rope") return suggestValue(param, "llama3", spec).replace(/\.0$/, "");
  return String(encodingParameterOf(param, encoding)?.default ?? "");
}

function encodingParameterOf(param: string, of: NonNullable<YamlKey["encoding"]>) {
  const encoding = encodingById(of);
  return encoding === undefined ? undefined : findParameter(encoding, param);
}

function yamlHelpOf({ param, encoding = "rope", scaling, turnsOn, words }: YamlKey): string {
  if (scaling !== undefined) return describeType(scaling).documentation;
  if (turnsOn !== undefined) return describeEncoding(turnsOn).documentation;
  const help = param === undefined ? undefined : encodingParameterOf(param, encoding)?.help;
  if (help !== undefined) return localize(help);
  return words === undefined ? "" : l10n.t("One of: {0}.", Object.keys(words).join(", "));
}

function wordItems({ words, turnsOn }: YamlKey): Completion[] {
  const all = words ?? (turnsOn === undefined ? {} : { true: turnsOn, false: "" });
  return Object.entries(all).map(([label, means]) => ({
    kind: "value",
    ...(encodingById(means) === undefined ? describeType(means) : describeEncoding(means)),
    label,
    insert: label,
  }));
}

function describeEncoding(id: string): Pick<Completion, "detail" | "documentation"> {
  const encoding = encodingById(id);
  if (encoding === undefined) return { detail: "", documentation: "" };
  return { detail: localize(fullTitle(encoding)), documentation: localize(encoding.explanation.summary) };
}
