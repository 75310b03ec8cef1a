import * as l10n from "@vscode/l10n";
import { Budget } from "../../util/budget.ts";
import { type ConfigReading, failedReading } from "../readConfig.ts";
import { YAML_LIMITS } from "../text/composeYaml.ts";
import { decodeText, type JsonDocument, withoutByteOrderMark } from "../text/json.ts";
import { readOptions } from "../text/optionList.ts";
import { Section } from "../text/section.ts";
import { readYaml } from "../text/yamlDocument.ts";
import { mayBeFrameworkFile, readFrameworkFile, recogniseFramework } from "./readFramework.ts";

/** In characters or bytes; nobody writes larger configurations by hand. */
export const MAX_YAML_SIZE = 2 * 1024 * 1024;

/** Reads the configuration file of a training framework; never throws. */
export function readYamlConfig(source: string | Uint8Array, budget = new Budget(YAML_LIMITS)): ConfigReading {
  if (source.length > MAX_YAML_SIZE)
    return failedReading(l10n.t("not read: larger than {0} MB", MAX_YAML_SIZE / 1024 / 1024));
  const text = typeof source === "string" ? withoutByteOrderMark(source) : decodeText(source);
  const reading = readYamlDocument(readYaml(text, budget));
  return reading.format === "unknown" ? (readOptionList(text) ?? reading) : reading;
}

/** Megatron-LM's arguments as the options of a command line, in a shell script or in strings of a YAML file. */
function readOptionList(text: string): ConfigReading | undefined {
  if (!hasOptions(text)) return undefined;
  const document = readOptions(text);
  const section = document === undefined ? undefined : Section.root(document);
  return document === undefined || section === undefined ? undefined : readFrameworkFile(document, section);
}

function hasOptions(text: string): boolean {
  return /--num-layers\b/.test(text) && /--(?:num-attention-heads|hidden-size)\b/.test(text);
}

/** The same for a parsed text. */
export function readYamlDocument(document: JsonDocument): ConfigReading {
  const section = Section.root(document);
  if (section === undefined)
    return document.error === null
      ? failedReading(l10n.t("not a YAML mapping"))
      : { ...failedReading(""), error: document.error };
  return readFrameworkFile(document, section) ?? { ...failedReading(""), error: document.error };
}

/** Whether a YAML text has the keys of a supported configuration. */
export function looksLikeYamlConfig(text: string): boolean {
  if (text.length > MAX_YAML_SIZE || !mayBeFrameworkFile(text)) return false;
  const section = Section.root(readYaml(withoutByteOrderMark(text)));
  if (section !== undefined && recogniseFramework(section) !== undefined) return true;
  return readOptionList(text) !== undefined;
}
