import { t } from "@vscode/l10n";
import type * as vscode from "vscode";
import { looksLikeYamlConfig, readYamlConfig } from "../../core/config/frameworks/readYamlConfig.ts";
import { type ConfigReading, looksLikeModelConfig, readConfig } from "../../core/config/readConfig.ts";
import { UserError } from "../../core/util/errors.ts";
import type { DocumentReading } from "./configStore.ts";
import { readModelFile } from "./modelFiles.ts";
import { readSiblings } from "./siblingFiles.ts";

export { forgetSiblings } from "./siblingFiles.ts";

export function looksLikeConfig(document: vscode.TextDocument): boolean {
  const text = document.getText();
  return isYaml(document) ? looksLikeYamlConfig(text) : looksLikeModelConfig(text);
}

export async function readDocument(document: vscode.TextDocument): Promise<DocumentReading> {
  const { uri, version } = document;
  const text = document.getText();
  if (isYaml(document)) return { uri, version, reading: readSafely(() => readYamlConfig(text)) };
  const siblings = await readSiblings(uri);
  return { uri, version, reading: readSafely(() => readConfig(text, siblings)) };
}

/** Reads the header of a `.gguf` or `.safetensors` file. */
export async function readCheckpointFile(uri: vscode.Uri): Promise<ConfigReading> {
  try {
    return (await readModelFile(uri)) ?? unreadableReading(t("not a GGUF or safetensors file"));
  } catch (error) {
    // A UserError (file too large) already has a message for the user.
    return unreadableReading(error instanceof UserError ? error.message : cannotReadMessage(error));
  }
}

function isYaml({ languageId }: vscode.TextDocument): boolean {
  return languageId === "yaml";
}

/** The readers never throw; if one does after all, the error becomes a reading like that of an unreadable file. */
function readSafely(read: () => ConfigReading): ConfigReading {
  try {
    return read();
  } catch (error) {
    return unreadableReading(cannotReadMessage(error));
  }
}

function cannotReadMessage(error: unknown): string {
  return t("Cannot read file: {0}", error instanceof Error ? error.message : String(error));
}

function unreadableReading(message: string): ConfigReading {
  return { format: "unknown", modelType: null, specs: [], problems: [], error: { message, line: 1, column: 1 } };
}
