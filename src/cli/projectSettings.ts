import { readFileSync, statSync } from "node:fs";
import { dirname, join, relative, resolve, sep } from "node:path";
import * as l10n from "@vscode/l10n";
import {
  NO_SETTINGS,
  type ProjectSettings,
  readProjectSettings,
  SETTINGS_FILE,
} from "../core/config/project/settings.ts";
import { isRegularFile } from "./regularFile.ts";

const settingsByFolder = new Map<string, ProjectSettings>();

/** Bytes; a project lists a few rules and globs. */
const MAX_SETTINGS_SIZE = 1024 * 1024;

/** Settings from the nearest `.posenc.json` in this folder or above; `ignores` takes file system paths. */
export function settingsFor(folder: string): ProjectSettings {
  const start = resolve(folder);
  const known = settingsByFolder.get(start);
  if (known !== undefined) return known;
  const file = join(start, SETTINGS_FILE);
  const parent = dirname(start);
  const found = isRegularFile(file) ? readSettings(file, start) : parent === start ? NO_SETTINGS : settingsFor(parent);
  settingsByFolder.set(start, found);
  return found;
}

function readSettings(file: string, folder: string): ProjectSettings {
  const { rules, ignores, problems } = readSettingsText(file);
  return {
    rules,
    ignores: (path) => ignores(relative(folder, resolve(path)).split(sep).join("/")),
    problems: problems.map((problem) => `${file}: ${problem}`),
  };
}

/** Settings that cannot be read are as if there were none, and say so. */
function readSettingsText(file: string): ProjectSettings {
  try {
    if (statSync(file).size <= MAX_SETTINGS_SIZE) return readProjectSettings(readFileSync(file, "utf8"));
    return { ...NO_SETTINGS, problems: [l10n.t("not read: larger than {0} MB", 1)] };
  } catch (error) {
    return { ...NO_SETTINGS, problems: [error instanceof Error ? error.message : String(error)] };
  }
}

/** What could not be used of the settings that were read so far, one line each. */
export function settingsProblems(): readonly string[] {
  return [...new Set([...settingsByFolder.values()].flatMap(({ problems }) => problems))];
}
