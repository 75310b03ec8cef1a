import { t } from "@vscode/l10n";
import * as vscode from "vscode";
import type { ConfigReading } from "../../core/config/readConfig.ts";
import { UserError } from "../../core/problem.ts";

/** What a document said at one version of it. */
export interface ReadDocument {
  readonly uri: vscode.Uri;
  readonly version: number;
  readonly reading: ConfigReading;
}

interface Cached {
  readonly version: number;
  readonly isConfig: Promise<boolean>;
  read: Promise<ReadDocument> | undefined;
}

// Loaded when the first JSON document is looked at: the table of model types is the largest thing in the extension.
const configs = () => import("../../core/config/readConfig.ts");

/** Model configs as the documents that VS Code holds, read once a version however many features ask. */
export class ConfigStore {
  readonly #cache = new WeakMap<vscode.TextDocument, Cached>();

  /** Languages whose documents may be configs; the selector of every provider over them. */
  readonly selector: readonly vscode.DocumentFilter[] = [{ language: "json" }, { language: "jsonc" }];

  isConfig(document: vscode.TextDocument): Promise<boolean> {
    return this.#entry(document).isConfig;
  }

  readDocument(document: vscode.TextDocument): Promise<ReadDocument> {
    const entry = this.#entry(document);
    entry.read ??= readNow(document);
    return entry.read;
  }

  /** Opens the document without showing it. */
  async read(uri: vscode.Uri): Promise<ReadDocument> {
    return this.readDocument(await this.open(uri));
  }

  async open(uri: vscode.Uri): Promise<vscode.TextDocument> {
    try {
      return await vscode.workspace.openTextDocument(uri);
    } catch (cause) {
      throw new UserError(t("{0} cannot be opened.", vscode.workspace.asRelativePath(uri)), undefined, { cause });
    }
  }

  #entry(document: vscode.TextDocument): Cached {
    const known = this.#cache.get(document);
    if (known?.version === document.version) return known;
    const isJson = vscode.languages.match([...this.selector], document) > 0;
    const isConfig = isJson ? looksLikeConfig(document.getText()) : Promise.resolve(false);
    const entry: Cached = { version: document.version, isConfig, read: undefined };
    this.#cache.set(document, entry);
    return entry;
  }
}

async function looksLikeConfig(text: string): Promise<boolean> {
  return (await configs()).looksLikeModelConfig(text);
}

async function readNow(document: vscode.TextDocument): Promise<ReadDocument> {
  const { uri, version } = document;
  const text = document.getText();
  const { readConfig } = await configs();
  return { uri, version, reading: readSafely(readConfig, text) };
}

/** The readers never throw; if one does all the same, the file has a message like any other that cannot be read. */
function readSafely(readConfig: (text: string) => ConfigReading, text: string): ConfigReading {
  try {
    return readConfig(text);
  } catch (error) {
    const message = t("Posenc could not read this: {0}", error instanceof Error ? error.message : String(error));
    return { format: "unknown", modelType: null, specs: [], problems: [], error: { message, line: 1, column: 1 } };
  }
}
