import * as l10n from "@vscode/l10n";
import * as vscode from "vscode";
import type { ConfigReading } from "../../core/config/readConfig.ts";
import { DisposableStore } from "../../core/util/disposable.ts";
import { UserError } from "../../core/util/errors.ts";
import { EventBurst } from "../platform/eventBurst.ts";
import { createWorkQueue } from "../platform/workQueue.ts";
import { lazy } from "./lazy.ts";

/** The reading of one version of a document. */
export interface DocumentReading {
  readonly uri: vscode.Uri;
  /** Version of the document; 0 for a checkpoint, which is not a document. */
  readonly version: number;
  readonly reading: ConfigReading;
}

interface CachedReading {
  readonly version: number;
  readonly isConfig: Promise<boolean>;
  read: Promise<DocumentReading> | undefined;
}

/** Files that a `config.json` in the same folder is checked against. */
const SIBLING_FILES = "**/{tokenizer_config.json,generation_config.json,*.gguf}";

/** Checkpoints are not text documents. */
const CHECKPOINT_FILE = /\.(?:gguf|safetensors)$/i;

/** Readings of model configs, cached per document version and shared by all features. */
export class ConfigStore implements vscode.Disposable {
  readonly #cache = new WeakMap<vscode.TextDocument, CachedReading>();
  readonly #owned = new DisposableStore();
  /** Loaded with the first document. */
  readonly reader = lazy(async () => new (await loadModelReader()).ModelReader());
  readonly #siblingsChanged = this.#owned.add(new vscode.EventEmitter<void>());
  readonly #siblingEvents = this.#owned.add(new EventBurst(() => this.#siblingsChanged.fire()));
  /** Fires when files beside an open config change, which may change its reading. */
  readonly onDidChangeSiblings = this.#siblingsChanged.event;

  constructor() {
    const watcher = this.#owned.add(vscode.workspace.createFileSystemWatcher(SIBLING_FILES));
    for (const event of [watcher.onDidCreate, watcher.onDidChange, watcher.onDidDelete])
      this.#owned.add(event((uri) => void this.#forgetSiblings(uri)));
  }

  dispose(): void {
    this.#owned.dispose();
  }

  /** Languages of configs: the document selector of all providers. */
  readonly selector: readonly vscode.DocumentFilter[] = [
    ...["json", "jsonc", "yaml", "toml"].map((language) => ({ language })),
    // Without an extension for TOML, such a file is plain text.
    { language: "plaintext", pattern: "**/*.toml" },
  ];

  isConfig(document: vscode.TextDocument): Promise<boolean> {
    return this.#entry(document).isConfig;
  }

  readDocument(document: vscode.TextDocument): Promise<DocumentReading> {
    const entry = this.#entry(document);
    entry.read ??= this.reader().then((reader) => reader.readDocument(document));
    return entry.read;
  }

  /** Reads a document without showing it, or the header of a checkpoint. */
  async read(uri: vscode.Uri): Promise<DocumentReading> {
    if (!CHECKPOINT_FILE.test(uri.path)) return this.readDocument(await this.open(uri));
    return { uri, version: 0, reading: await (await this.reader()).readCheckpointFile(uri) };
  }

  async open(uri: vscode.Uri): Promise<vscode.TextDocument> {
    try {
      return await vscode.workspace.openTextDocument(uri);
    } catch (cause) {
      throw new UserError(l10n.t("Cannot open {0}.", vscode.workspace.asRelativePath(uri)), undefined, { cause });
    }
  }

  async #forgetSiblings(changed: vscode.Uri): Promise<void> {
    const config = vscode.Uri.joinPath(changed, "..", "config.json").toString();
    const open = vscode.workspace.textDocuments.find(({ uri }) => uri.toString() === config);
    if (open === undefined) return;
    (await this.reader()).forgetSiblings(changed);
    this.#cache.delete(open);
    if (!this.#owned.isDisposed) this.#siblingEvents.fire();
  }

  #entry(document: vscode.TextDocument): CachedReading {
    const cached = this.#cache.get(document);
    if (cached?.version === document.version) return cached;
    const isCandidate = vscode.languages.match([...this.selector], document) > 0;
    const isConfig = isCandidate ? looksLikeConfig(document) : Promise.resolve(false);
    const entry: CachedReading = { version: document.version, isConfig, read: undefined };
    this.#cache.set(document, entry);
    return entry;
  }
}

async function looksLikeConfig(document: vscode.TextDocument): Promise<boolean> {
  return (await loadModelReader()).looksLikeConfig(document);
}

/** The largest part of the extension, loaded in pieces: as one, it would keep the host from other work for too long. */
const loadModelReader = lazy(async () => {
  const runQueued = createWorkQueue();
  await runQueued(() => import("../../core/encodings/index.ts"));
  await runQueued(() => import("../../core/config/huggingface/modelTypes.ts"));
  await runQueued(() => import("../../core/config/text/yamlDocument.ts"));
  return runQueued(() => import("./modelReader.ts"));
});
