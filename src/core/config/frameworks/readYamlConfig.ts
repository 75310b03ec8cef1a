import * as l10n from "@vscode/l10n";
import { Budget } from "../../util/budget.ts";
import { reportDuplicateKeys } from "../duplicateKeys.ts";
import type { FileFormat } from "../formats.ts";
import { accountForKeys, type ReadSpecs } from "../positionKeys/accountForKeys.ts";
import type { IgnoredKey } from "../positionKeys/ignoredKey.ts";
import { listPositionKeys } from "../positionKeys/positionKey.ts";
import type { ConfigProblem } from "../problems.ts";
import { type ConfigReading, failedReading } from "../readConfig.ts";
import { limitSizes, ProblemList } from "../sizeLimits.ts";
import { YAML_LIMITS } from "../text/composeYaml.ts";
import { decodeText, type JsonDocument, withoutByteOrderMark } from "../text/json.ts";
import { Section } from "../text/section.ts";
import { readYaml } from "../text/yamlDocument.ts";
import { axolotl } from "./axolotl.ts";
import { litgpt } from "./litgpt.ts";
import { llamaFactory } from "./llamaFactory.ts";
import { llmFoundry } from "./llmFoundry.ts";
import { megatron } from "./megatron.ts";
import { neox } from "./neox.ts";
import { swin } from "./swin.ts";
import { torchtune } from "./torchtune.ts";
import type { YamlReader } from "./yamlReader.ts";

/** In characters or bytes; nobody writes larger configurations by hand. */
export const MAX_YAML_SIZE = 2 * 1024 * 1024;

/** In the order of trial, most specific first. */
const YAML_READERS: readonly (readonly [FileFormat, YamlReader])[] = [
  ["swin-yaml", swin],
  ["torchtune-yaml", torchtune],
  ["litgpt-yaml", litgpt],
  ["neox-yaml", neox],
  ["llm-foundry-yaml", llmFoundry],
  ["axolotl-yaml", axolotl],
  ["llamafactory-yaml", llamaFactory],
  ["megatron-yaml", megatron],
];

/** Every file that a reader accepts has at least one of these keys: a cheap check before parsing. */
const CHARACTERISTIC_KEYS =
  /(?:^|[\s{,"'])(?:SWIN|SWINV2|_component_|block_size|pos[-_]emb|rotary[-_](?:pct|emb[-_]base)|n_heads|base_model|model_name_or_path|position_embedding_type|rotary_base|rotary_percent(?:age)?)["']?\s*:/m;

/** Reads the configuration file of a training framework; never throws. */
export function readYamlConfig(source: string | Uint8Array, budget = new Budget(YAML_LIMITS)): ConfigReading {
  if (source.length > MAX_YAML_SIZE)
    return failedReading(l10n.t("not read: larger than {0} MB", MAX_YAML_SIZE / 1024 / 1024));
  const text = typeof source === "string" ? withoutByteOrderMark(source) : decodeText(source);
  return readYamlDocument(readYaml(text, budget));
}

/** The same for a parsed text. */
export function readYamlDocument(document: JsonDocument): ConfigReading {
  const section = Section.root(document);
  const match = section === undefined ? undefined : YAML_READERS.find(([, reader]) => reader.matches(section));
  if (section === undefined)
    return document.error === null
      ? failedReading(l10n.t("not a YAML mapping"))
      : { ...failedReading(""), error: document.error };
  if (match === undefined) return { ...failedReading(""), error: document.error };
  const [format, reader] = match;
  const problems = new ProblemList();
  const report = (problem: ConfigProblem) => problems.add(problem);
  section.forgetReads();
  const ignored: IgnoredKey[] = [];
  const read = reader.read(section, report, (key) => void ignored.push(key));
  const specs = limitSizes(read, report);
  const file = { document, root: section, keys: listPositionKeys(section), specs: read, problems: problems.list() };
  const readAgain: ReadSpecs = (changed, found) => reader.read(changed, found, () => {});
  const accounted = accountForKeys({ ...file, ignored, name: format, read: readAgain }, report);
  reportDuplicateKeys(document, report);
  return { format, modelType: null, specs, problems: problems.list(), ignored: accounted, error: document.error };
}

/** Whether a YAML text has the keys of a supported configuration. */
export function looksLikeYamlConfig(text: string): boolean {
  if (text.length > MAX_YAML_SIZE || !CHARACTERISTIC_KEYS.test(text)) return false;
  const section = Section.root(readYaml(withoutByteOrderMark(text)));
  return section !== undefined && YAML_READERS.some(([, reader]) => reader.matches(section));
}
