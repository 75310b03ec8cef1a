import * as l10n from "@vscode/l10n";
import { type ConfigReading, failedReading } from "../readConfig.ts";
import { decodeText, withoutByteOrderMark } from "../text/json.ts";
import { Section } from "../text/section.ts";
import { readToml } from "../text/tomlDocument.ts";
import { mayBeFrameworkFile, readFrameworkFile, recogniseFramework } from "./readFramework.ts";

/** In characters or bytes; training files are a few kB. */
export const MAX_TOML_SIZE = 128 * 1024;

/** Reads the TOML file of a training framework; never throws. */
export function readTomlConfig(source: string | Uint8Array): ConfigReading {
  if (source.length > MAX_TOML_SIZE) return failedReading(l10n.t("not read: larger than {0} kB", MAX_TOML_SIZE / 1024));
  const document = readToml(typeof source === "string" ? withoutByteOrderMark(source) : decodeText(source));
  const section = Section.root(document);
  const reading = section === undefined ? undefined : readFrameworkFile(document, section);
  return reading ?? { ...failedReading(""), error: document.error };
}

/** Whether a TOML text has the keys of a supported configuration. */
export function looksLikeTomlConfig(text: string): boolean {
  if (text.length > MAX_TOML_SIZE || !mayBeFrameworkFile(text)) return false;
  const section = Section.root(readToml(withoutByteOrderMark(text)));
  return section !== undefined && recogniseFramework(section) !== undefined;
}
