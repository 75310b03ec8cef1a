import { t } from "@vscode/l10n";
import * as vscode from "vscode";
import type { ConfigReading } from "../../core/config/readConfig.ts";
import { DisposableStore } from "../../core/util/disposable.ts";
import { UserError } from "../../core/util/errors.ts";

/** What a document said at one version of it. */
export interface ReadDocument {
  readonly uri: vscode.Uri;
  /** Of the document; 0 for a checkpoint, which is no document. */
  readonly version: number;
  readonly reading: ConfigReading;
}

interface Cached {
  readonly version: number;
  readonly isConfig: Promise<boolean>;
  read: Promise<ReadDocument> | undefined;
}

// Loaded when the first document is looked at: the table of model types is the largest thing in the extension.
const reading = () => import("./readDocument.ts");

/** Files of a model's folder that its `config.json` is checked against. */
const BESIDE = "**/{tokenizer_config.json,generation_config.json,*.gguf}";

/** Heads of weights: no text that an editor could hold. */
const CHECKPOINT = /\.(?:gguf|safetensors)$/i;

/** Model configs as the documents that VS Code holds, read once a version however many features ask. */
export class ConfigStore implements vscode.Disposable {
  readonly #cache = new WeakMap<vscode.TextDocument, Cached>();
  readonly #owned = new DisposableStore();
  readonly #changedBeside = this.#owned.add(new vscode.EventEmitter<void>());
  /** What open configs say may differ from now on, though nothing was typed. */
  readonly onDidChangeBeside = this.#changedBeside.event;

  constructor() {
    const watcher = this.#owned.add(vscode.workspace.createFileSystemWatcher(BESIDE));
    for (const event of [watcher.onDidCreate, watcher.onDidChange, watcher.onDidDelete])
      this.#owned.add(event((uri) => void this.#forgetBeside(uri)));
  }

  dispose(): void {
    this.#owned.dispose();
  }

  /** Languages whose documents may be configs; the selector of every provider over them. */
  readonly selector: readonly vscode.DocumentFilter[] = ["json", "jsonc", "yaml"].map((language) => ({ language }));

  isConfig(document: vscode.TextDocument): Promise<boolean> {
    return this.#entry(document).isConfig;
  }

  readDocument(document: vscode.TextDocument): Promise<ReadDocument> {
    const entry = this.#entry(document);
    entry.read ??= reading().then(({ readDocument }) => readDocument(document));
    return entry.read;
  }

  /** Opens the document without showing it; of a checkpoint, the head is read. */
  async read(uri: vscode.Uri): Promise<ReadDocument> {
    if (!CHECKPOINT.test(uri.path)) return this.readDocument(await this.open(uri));
    const { readCheckpointFile } = await reading();
    return { uri, version: 0, reading: await readCheckpointFile(uri) };
  }

  async open(uri: vscode.Uri): Promise<vscode.TextDocument> {
    try {
      return await vscode.workspace.openTextDocument(uri);
    } catch (cause) {
      throw new UserError(t("Cannot open {0}.", vscode.workspace.asRelativePath(uri)), undefined, { cause });
    }
  }

  async #forgetBeside(changed: vscode.Uri): Promise<void> {
    const config = vscode.Uri.joinPath(changed, "..", "config.json").toString();
    const open = vscode.workspace.textDocuments.find(({ uri }) => uri.toString() === config);
    if (open === undefined) return;
    (await reading()).forgetSiblings(changed);
    if (this.#cache.delete(open) && !this.#owned.isDisposed) this.#changedBeside.fire();
  }

  #entry(document: vscode.TextDocument): Cached {
    const known = this.#cache.get(document);
    if (known?.version === document.version) return known;
    const mayBe = vscode.languages.match([...this.selector], document) > 0;
    const isConfig = mayBe ? looksLikeConfig(document) : Promise.resolve(false);
    const entry: Cached = { version: document.version, isConfig, read: undefined };
    this.#cache.set(document, entry);
    return entry;
  }
}

async function looksLikeConfig(document: vscode.TextDocument): Promise<boolean> {
  return (await reading()).looksLikeConfig(document);
}
