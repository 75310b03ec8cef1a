import * as l10n from "@vscode/l10n";
import type { EncodingSpec } from "../../spec.ts";
import { isRecord } from "../../util/isRecord.ts";
import { ownValue } from "../../util/ownValue.ts";
import { formatForMessage } from "../huggingface/attributes.ts";
import type { ConfigProblem, ReportProblem } from "../problems.ts";
import type { JsonDocument, Path } from "../text/json.ts";
import { replaceValue } from "../text/replaceValue.ts";
import { Section } from "../text/section.ts";
import type { IgnoredKey } from "./ignoredKey.ts";
import { otherValues } from "./otherValues.ts";
import type { PositionKey } from "./positionKey.ts";
import { KEY_READERS, NEEDS_FLAG, OVERRULED_BY } from "./positionKeyTable.ts";
import { statesWhatIsRead } from "./statesWhatIsRead.ts";

export const UNREAD_KEY = "config/unread-position-key";

/** Reads the encodings of a section, and reports what is wrong with it. */
export type ReadSpecs = (section: Section, report: ReportProblem) => readonly EncodingSpec[];

/** A file after reading: what was read, found, and known to be ignored. */
export interface ReadFile {
  readonly document: JsonDocument;
  readonly root: Section;
  /** Listed after reading, before rules look at further values. */
  readonly keys: readonly PositionKey[];
  /** As `read` gives them. */
  readonly specs: readonly EncodingSpec[];
  readonly problems: readonly ConfigProblem[];
  readonly ignored: readonly IgnoredKey[];
  /** Name of the model type or format, for messages. */
  readonly name: string;
  readonly read: ReadSpecs;
}

/** Keys of one file that are tried with other values; none of a file with more keys about positions than these. */
const MAX_TRIED_KEYS = 40;
const MAX_KEYS_OF_TRIED_FILE = 300;

/**
 * Accounts for every key of a file that speaks of positions. It is used if it is the evidence of a parameter, if a
 * finding names it, or if the encodings change with its value. Else it is ignored, with a reason, or reported as unread.
 */
export function accountForKeys(file: ReadFile, report: ReportProblem): readonly IgnoredKey[] {
  const named = new Set([...file.problems, ...file.ignored].map(({ path }) => JSON.stringify(path)));
  const used = listUsedValues(file.specs);
  const effects = new EffectSearch(file);
  const ignored = [...file.ignored];
  for (const key of file.keys) {
    const path = JSON.stringify(key.path);
    if (named.has(path) || used.has(`${path} ${JSON.stringify(key.value)}`)) continue;
    const reason = findReason(key, file, effects);
    if (reason === "used") continue;
    if (reason === "unread") report(unreadKeyProblem(key, file));
    else ignored.push({ path: key.path, range: key.range, reason });
  }
  return ignored.toSorted(
    (a, b) => a.range.start.line - b.range.start.line || a.range.start.column - b.range.start.column,
  );
}

/**
 * Paths of evidence, each with the parameter's value. Where the file has another value (a name that is translated, one
 * of several flags that decide for an encoding), only a trial shows whether it matters.
 */
function listUsedValues(specs: readonly EncodingSpec[]): ReadonlySet<string> {
  return new Set(
    specs.flatMap(({ evidence, params }) =>
      evidence.map(({ param, path }) => `${JSON.stringify(path)} ${JSON.stringify(ownValue(params, param))}`),
    ),
  );
}

function findReason(key: PositionKey, file: ReadFile, effects: EffectSearch): string {
  if (isUnset(key.value)) return l10n.t("not set");
  if (key.wasRead && effects.changesSpecs(key)) return "used";
  const parent = file.problems.find(({ path }) => isInside(key.path, path));
  if (parent !== undefined) return l10n.t("see the finding at {0}", parent.path.join("."));
  const decisive = findDecisiveKey(key, file.root);
  if (decisive !== undefined) return l10n.t("{0} decides instead", decisive);
  if (key.wasRead) return withoutEffect(key.value);
  if (key.topic === "computation") return l10n.t("how positions are computed or trained, not which ones");
  if (isOff(key.value)) return l10n.t("switched off");
  if (key.topic === "length") return l10n.t("no position encoding of this model is computed from it");
  if (hasNoPositions(file.specs)) return l10n.t("the model has no position encoding that uses it");
  return statesWhatIsRead(key, file.specs) ? l10n.t("states what the model does anyway") : "unread";
}

/** Another key of the same object because of which this one does not count. */
function findDecisiveKey({ path }: PositionKey, root: Section): string | undefined {
  const parents = path.slice(0, -1);
  const section = parents.reduce<Section | undefined>((outer, step) => outer?.section(String(step)), root);
  const name = String(path.at(-1));
  const overruling = ownValue(OVERRULED_BY, name);
  if (overruling !== undefined && !isUnset(section?.get(overruling)?.value ?? null)) return overruling;
  const flag = ownValue(NEEDS_FLAG, name);
  return flag !== undefined && section?.get(flag)?.value === false ? flag : undefined;
}

/** Nothing depends on positions, and that is known. */
function hasNoPositions(specs: readonly EncodingSpec[]): boolean {
  return specs.length > 0 && specs.every(({ encoding, confidence }) => encoding === "none" && confidence !== "guess");
}

function withoutEffect(value: unknown): string {
  return typeof value === "string"
    ? l10n.t("the model does the same without this value")
    : l10n.t("without effect beside the file's other values");
}

function isUnset(value: unknown): boolean {
  return value === null || value === "" || (Array.isArray(value) && value.length === 0);
}

/** An empty dictionary, or a value that switches something off. */
function isOff(value: unknown): boolean {
  return value === false || value === 0 || value === -1 || value === "none" || isRecord(value);
}

function isInside(path: Path, outer: Path): boolean {
  return outer.length > 0 && outer.length < path.length && outer.every((step, i) => step === path[i]);
}

function unreadKeyProblem({ path, range, value }: PositionKey, { name, specs }: ReadFile): ConfigProblem {
  const shown = formatForMessage(value);
  const key = path.join(".");
  const reader = ownValue(KEY_READERS, String(path.at(-1)).replaceAll("-", "_"));
  const isGuess = specs.every(({ confidence }) => confidence === "guess");
  const message = isGuess
    ? l10n.t("{0} {1} is not read: what it does in this model is not known", key, shown)
    : reader === undefined
      ? l10n.t("{0} {1} is not read for {2}", key, shown, name)
      : l10n.t("{0} {1} is not read for {2}; it is a key of {3}", key, shown, name, reader);
  return { rule: UNREAD_KEY, severity: "info", message, path, range };
}

/** Tries other values of a key: whether the encodings follow, or the reader objects. */
class EffectSearch {
  readonly #file: ReadFile;
  #written: string | undefined;
  #tried = 0;

  constructor(file: ReadFile) {
    this.#file = file;
  }

  /** Beyond the limit, a key that was read counts as used. */
  changesSpecs({ path, value }: PositionKey): boolean {
    if (this.#file.keys.length > MAX_KEYS_OF_TRIED_FILE || ++this.#tried > MAX_TRIED_KEYS) return true;
    const others = otherValues(value);
    return others.length === 0 || others.some((other) => this.#changesWith(path, other));
  }

  #changesWith(path: Path, value: unknown): boolean {
    this.#written ??= describeSpecs(this.#file.specs);
    const section = Section.root(replaceValue(this.#file.document, path, value));
    let isReported = false;
    const specs =
      section === undefined
        ? []
        : this.#file.read(section, (problem) => {
            isReported ||= problem.path.join() === path.join();
          });
    return isReported || describeSpecs(specs) !== this.#written;
  }
}

function describeSpecs(specs: readonly EncodingSpec[]): string {
  return JSON.stringify(
    specs.map(({ encoding, where, layers, params, confidence, runs }) => [
      encoding,
      where,
      layers,
      params,
      confidence,
      runs,
    ]),
  );
}
