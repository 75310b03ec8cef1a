import { t } from "@vscode/l10n";
import type { FileFormat } from "../formats.ts";
import type { ConfigProblem } from "../problems.ts";
import type { ConfigReading } from "../readConfig.ts";
import { decodeText, type JsonDocument, withoutMark } from "../text/json.ts";
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

/** Beyond this a YAML text is no configuration that a person wrote. */
export const MAX_YAML_SIZE = 2 * 1024 * 1024;

/** In the order in which a file is tried: what is sure first. */
const READERS: readonly (readonly [FileFormat, YamlReader])[] = [
  ["swin-yaml", swin],
  ["torchtune-yaml", torchtune],
  ["litgpt-yaml", litgpt],
  ["neox-yaml", neox],
  ["llm-foundry-yaml", llmFoundry],
  ["axolotl-yaml", axolotl],
  ["llamafactory-yaml", llamaFactory],
  ["megatron-yaml", megatron],
];

/** Keys of which at least one stands in every file that a reader takes: a cheap look before parsing. */
const TELLING_KEYS =
  /(?:^|[\s{,"'])(?:SWIN|SWINV2|_component_|block_size|pos[-_]emb|rotary[-_](?:pct|emb[-_]base)|n_heads|base_model|model_name_or_path|position_embedding_type|rotary_base|rotary_percent(?:age)?)["']?\s*:/m;

/** Reads the configuration file of a training framework; never throws. */
export function readYamlConfig(source: string | Uint8Array): ConfigReading {
  if (source.length > MAX_YAML_SIZE) return unread(t("not read: larger than {0} MB", MAX_YAML_SIZE / 1024 / 1024));
  return readYamlDocument(readYaml(typeof source === "string" ? withoutMark(source) : decodeText(source)));
}

/** The same of a text that is parsed already. */
export function readYamlDocument(document: JsonDocument): ConfigReading {
  const section = Section.root(document);
  const match = section === undefined ? undefined : READERS.find(([, reader]) => reader.matches(section));
  if (section === undefined)
    return document.error === null ? unread(t("not a YAML mapping")) : { ...unread(""), error: document.error };
  if (match === undefined) return { ...unread(""), error: document.error };
  const [format, reader] = match;
  const problems: ConfigProblem[] = [];
  const specs = reader.read(section, (problem) => void problems.push(problem));
  return { format, modelType: null, specs, problems, error: document.error };
}

/** Does a YAML text have the keys of a configuration that can be read? */
export function looksLikeYamlConfig(text: string): boolean {
  if (text.length > MAX_YAML_SIZE || !TELLING_KEYS.test(text)) return false;
  const section = Section.root(readYaml(withoutMark(text)));
  return section !== undefined && READERS.some(([, reader]) => reader.matches(section));
}

function unread(message: string): ConfigReading {
  return { format: "unknown", modelType: null, specs: [], problems: [], error: { message, line: 1, column: 1 } };
}
