import * as l10n from "@vscode/l10n";
import type * as vscode from "vscode";
import { looksLikeTomlConfig, readTomlConfig } from "../../core/config/frameworks/readTomlConfig.ts";
import { looksLikeYamlConfig, readYamlConfig } from "../../core/config/frameworks/readYamlConfig.ts";
import { type ConfigReading, failedReading, looksLikeModelConfig, readConfig } from "../../core/config/readConfig.ts";
import { errorMessage, UserError } from "../../core/util/errors.ts";
import { configSyntax } from "../platform/configSyntax.ts";
import type { DocumentReading } from "./configStore.ts";
import { type ModelFileOptions, readModelFile } from "./modelFiles.ts";
import { SiblingFiles } from "./siblingFiles.ts";

export function looksLikeConfig(document: vscode.TextDocument): boolean {
  const text = document.getText();
  switch (configSyntax(document)) {
    case "yaml":
      return looksLikeYamlConfig(text);
    case "toml":
      return looksLikeTomlConfig(text);
    case "json":
      return looksLikeModelConfig(text);
  }
}

/** Reads models from documents and files, with the files beside them. */
export class ModelReader {
  readonly #siblings = new SiblingFiles();

  async readDocument(document: vscode.TextDocument): Promise<DocumentReading> {
    const { uri, version } = document;
    const text = document.getText();
    const syntax = configSyntax(document);
    if (syntax === "yaml") return { uri, version, reading: readSafely(() => readYamlConfig(text)) };
    if (syntax === "toml") return { uri, version, reading: readSafely(() => readTomlConfig(text)) };
    const siblings = await this.#siblings.read(uri);
    return { uri, version, reading: readSafely(() => readConfig(text, siblings)) };
  }

  /** Reads a file on disk; undefined if it does not belong to a model. */
  readFile(uri: vscode.Uri, options: ModelFileOptions = {}): Promise<ConfigReading | undefined> {
    return readModelFile(uri, this.#siblings, options);
  }

  /** Reads the header of a `.gguf` or `.safetensors` file. */
  async readCheckpointFile(uri: vscode.Uri): Promise<ConfigReading> {
    try {
      return (await this.readFile(uri)) ?? failedReading(l10n.t("not a GGUF or safetensors file"));
    } catch (error) {
      // A UserError (file too large) already has a message for the user.
      return failedReading(error instanceof UserError ? error.message : cannotReadMessage(error));
    }
  }

  /** Lists the folder of a changed file again. */
  forgetSiblings(changed: vscode.Uri): void {
    this.#siblings.forget(changed);
  }
}

/** The readers never throw; if one does after all, the error becomes a reading like that of an unreadable file. */
function readSafely(read: () => ConfigReading): ConfigReading {
  try {
    return read();
  } catch (error) {
    return failedReading(cannotReadMessage(error));
  }
}

function cannotReadMessage(error: unknown): string {
  return l10n.t("Cannot read file: {0}", errorMessage(error));
}
