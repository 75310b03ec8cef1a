import { minimatch } from "minimatch";
import { isRecord } from "../../util/isRecord.ts";
import { isStrings } from "../huggingface/attributes.ts";
import { readJson, withoutByteOrderMark } from "../text/json.ts";

/** File with rule severities and ignored paths, for editor and command line. */
export const SETTINGS_FILE = ".posenc.json";

export interface ProjectSettings {
  /** Severity by rule id; `off` disables a rule. */
  readonly rules: Readonly<Record<string, unknown>>;
  /** Whether to skip a path (relative to the folder of the settings, with slashes). */
  ignores(path: string): boolean;
}

export const NO_SETTINGS: ProjectSettings = { rules: {}, ignores: () => false };

/** Parses a `.posenc.json`; never throws, and values of the wrong type count as absent. */
export function readProjectSettings(text: string): ProjectSettings {
  const document = readJson(withoutByteOrderMark(text));
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
