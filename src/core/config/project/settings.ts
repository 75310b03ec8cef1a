import * as l10n from "@vscode/l10n";
import { Budget } from "../../util/budget.ts";
import { UserError } from "../../util/errors.ts";
import { isRecord } from "../../util/isRecord.ts";
import { isStrings } from "../huggingface/attributes.ts";
import { readJson, withoutByteOrderMark } from "../text/json.ts";
import { type Glob, parseGlob } from "./glob.ts";

/** File with rule severities and ignored paths, for editor and command line. */
export const SETTINGS_FILE = ".posenc.json";

export interface ProjectSettings {
  /** Severity by rule id; `off` disables a rule. */
  readonly rules: Readonly<Record<string, unknown>>;
  /** Whether to skip a path (relative to the folder of the settings, with slashes). */
  ignores(path: string): boolean;
  /** What could not be used, for the user. */
  readonly problems: readonly string[];
}

export const NO_SETTINGS: ProjectSettings = { rules: {}, ignores: () => false, problems: [] };

/** Every path of a folder is matched against all globs. */
const MAX_GLOBS = 200;

/** Parses a `.posenc.json`; never throws, and values of the wrong type count as absent. */
export function readProjectSettings(text: string, budget = new Budget()): ProjectSettings {
  const document = readJson(withoutByteOrderMark(text), budget);
  const value = document.root === undefined ? undefined : document.valueOf(document.root);
  const settings = isRecord(value) ? value : {};
  const { matchers, problems } = parseGlobs(isStrings(settings.ignore) ? settings.ignore : []);
  return {
    rules: isRecord(settings.rules) ? settings.rules : {},
    ignores: (path) => matchers.some((matches) => matches(path)),
    problems: document.error === null ? problems : [document.error.message, ...problems],
  };
}

function parseGlobs(patterns: readonly string[]): { matchers: readonly Glob[]; problems: readonly string[] } {
  const matchers: Glob[] = [];
  const problems: string[] = [];
  for (const [index, pattern] of patterns.slice(0, MAX_GLOBS).entries()) {
    try {
      matchers.push(parseIgnore(pattern));
    } catch (error) {
      if (!(error instanceof UserError)) throw error;
      problems.push(`ignore[${index}]: ${error.message}`);
    }
  }
  if (patterns.length > MAX_GLOBS) problems.push(l10n.t("ignore: only the first {0} patterns are used", MAX_GLOBS));
  return { matchers, problems };
}

/** A pattern without a slash is that of a name in any folder; a folder's name ignores all that is in it. */
function parseIgnore(pattern: string): Glob {
  const matches = parseGlob(pattern);
  let end = pattern.length;
  while (end > 0 && pattern[end - 1] === "/") end--;
  const folder = `${pattern.slice(0, end)}/`;
  const byName = !pattern.includes("/");
  return (path) => matches(byName ? path.slice(path.lastIndexOf("/") + 1) : path) || path.startsWith(folder);
}
