import { t } from "@vscode/l10n";
import type * as vscode from "vscode";
import { looksLikeYamlConfig, readYamlConfig } from "../../core/config/frameworks/readYamlConfig.ts";
import { type ConfigReading, looksLikeModelConfig, readConfig } from "../../core/config/readConfig.ts";
import { UserError } from "../../core/util/errors.ts";
import type { ReadDocument } from "./configStore.ts";
import { readModelFile } from "./modelFiles.ts";
import { siblingsOf } from "./siblings.ts";

export { forgetSiblings } from "./siblings.ts";

export function looksLikeConfig(document: vscode.TextDocument): boolean {
  const text = document.getText();
  return isYaml(document) ? looksLikeYamlConfig(text) : looksLikeModelConfig(text);
}

export async function readDocument(document: vscode.TextDocument): Promise<ReadDocument> {
  const { uri, version } = document;
  const text = document.getText();
  if (isYaml(document)) return { uri, version, reading: readSafely(() => readYamlConfig(text)) };
  const siblings = await siblingsOf(uri);
  return { uri, version, reading: readSafely(() => readConfig(text, siblings)) };
}

/** The head of a `.gguf` or `.safetensors` file. */
export async function readCheckpointFile(uri: vscode.Uri): Promise<ConfigReading> {
  try {
    return (await readModelFile(uri)) ?? unread(t("not a GGUF or safetensors file"));
  } catch (error) {
    // A size that cannot be read here is said as it is.
    return unread(error instanceof UserError ? error.message : failed(error));
  }
}

function isYaml({ languageId }: vscode.TextDocument): boolean {
  return languageId === "yaml";
}

/** The readers never throw; if one does all the same, the file has a message like any other that cannot be read. */
function readSafely(read: () => ConfigReading): ConfigReading {
  try {
    return read();
  } catch (error) {
    return unread(failed(error));
  }
}

function failed(error: unknown): string {
  return t("Cannot read file: {0}", error instanceof Error ? error.message : String(error));
}

function unread(message: string): ConfigReading {
  return { format: "unknown", modelType: null, specs: [], problems: [], error: { message, line: 1, column: 1 } };
}
