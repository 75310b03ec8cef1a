import { existsSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve, sep } from "node:path";
import {
  NO_SETTINGS,
  type ProjectSettings,
  readProjectSettings,
  SETTINGS_FILE,
} from "../core/config/project/settings.ts";

const settingsByFolder = new Map<string, ProjectSettings>();

/** Settings from the nearest `.posenc.json` in this folder or above; `ignores` takes file system paths. */
export function settingsFor(folder: string): ProjectSettings {
  const start = resolve(folder);
  const known = settingsByFolder.get(start);
  if (known !== undefined) return known;
  const file = join(start, SETTINGS_FILE);
  const parent = dirname(start);
  const found = existsSync(file) ? readSettings(file, start) : parent === start ? NO_SETTINGS : settingsFor(parent);
  settingsByFolder.set(start, found);
  return found;
}

function readSettings(file: string, folder: string): ProjectSettings {
  const { rules, ignores } = readProjectSettings(readFileSync(file, "utf8"));
  return { rules, ignores: (path) => ignores(relative(folder, resolve(path)).split(sep).join("/")) };
}
