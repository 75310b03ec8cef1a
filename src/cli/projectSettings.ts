import { existsSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve, sep } from "node:path";
import { minimatch } from "minimatch";
import { isRecord, isStrings } from "../core/config/attributes.ts";
import { readJson, withoutMark } from "../core/config/json.ts";

/** Name of the file that holds rule severities and ignore globs, for editor and command line alike. */
export const SETTINGS_FILE = ".posenc.json";

export interface ProjectSettings {
  /** Severity by rule; `off` silences it. */
  readonly rules: Readonly<Record<string, unknown>>;
  /** Is this path (of the file system) left out? */
  ignores(path: string): boolean;
}

const NONE: ProjectSettings = { rules: {}, ignores: () => false };
const byFolder = new Map<string, ProjectSettings>();

/** Settings of the nearest parent folder that has a `.posenc.json`. */
export function settingsFor(folder: string): ProjectSettings {
  const start = resolve(folder);
  const known = byFolder.get(start);
  if (known !== undefined) return known;
  const file = join(start, SETTINGS_FILE);
  const parent = dirname(start);
  const found = existsSync(file) ? readSettings(file, start) : parent === start ? NONE : settingsFor(parent);
  byFolder.set(start, found);
  return found;
}

function readSettings(file: string, folder: string): ProjectSettings {
  const document = readJson(withoutMark(readFileSync(file, "utf8")));
  const value = document.root === undefined ? undefined : document.valueOf(document.root);
  const settings = isRecord(value) ? value : {};
  const globs = isStrings(settings.ignore) ? settings.ignore : [];
  return {
    rules: isRecord(settings.rules) ? settings.rules : {},
    ignores: (path) => {
      const inside = relative(folder, resolve(path)).split(sep).join("/");
      return globs.some(
        (glob) =>
          minimatch(inside, glob, { dot: true, matchBase: !glob.includes("/") }) ||
          inside.startsWith(`${glob.replace(/\/+$/, "")}/`),
      );
    },
  };
}
