import { minimatch } from "minimatch";
import { isRecord } from "../../util/isRecord.ts";
import { isStrings } from "../huggingface/attributes.ts";
import { readJson, withoutMark } from "../text/json.ts";

/** Name of the file that holds rule severities and ignore globs, for editor and command line alike. */
export const SETTINGS_FILE = ".posenc.json";

export interface ProjectSettings {
  /** Severity by rule; `off` silences it. */
  readonly rules: Readonly<Record<string, unknown>>;
  /** Is this path (relative to the folder of the settings, with slashes) left out? */
  ignores(path: string): boolean;
}

export const NO_SETTINGS: ProjectSettings = { rules: {}, ignores: () => false };

/** What the text of a `.posenc.json` says; never throws, what is of the wrong kind counts as not there. */
export function readProjectSettings(text: string): ProjectSettings {
  const document = readJson(withoutMark(text));
  const value = document.root === undefined ? undefined : document.valueOf(document.root);
  const settings = isRecord(value) ? value : {};
  const globs = isStrings(settings.ignore) ? settings.ignore : [];
  return {
    rules: isRecord(settings.rules) ? settings.rules : {},
    ignores: (path) =>
      globs.some(
        (glob) =>
          minimatch(path, glob, { dot: true, matchBase: !glob.includes("/") }) ||
          path.startsWith(`${glob.replace(/\/+$/, "")}/`),
      ),
  };
}
