import { t } from "@vscode/l10n";
import * as vscode from "vscode";
import { DisposableStore } from "../../../core/util/disposable.ts";
import { MODELS_VIEW, SCANNING_CONTEXT } from "../../ids.ts";
import { reportFailure } from "../../platform/failure.ts";
import { findingsInWords } from "../../platform/findingsInWords.ts";
import type { Services } from "../../services.ts";
import { forgetSiblings } from "../../stores/siblings.ts";
import { folderItem, modelItem } from "./modelItems.ts";
import { GLOB, MOST_FILES, type Model, readModel, scanWorkspace } from "./scan.ts";

export interface Folder {
  readonly kind: "folder";
  readonly uri: vscode.Uri;
  readonly models: readonly ModelNode[];
}

export interface ModelNode extends Model {
  readonly kind: "model";
  /** The only model of its folder stands for the folder, under the folder's name. */
  readonly alone: boolean;
}

export type Node = Folder | ModelNode;

interface View {
  say(message: string | undefined): void;
  /** How many models have errors or warnings. */
  count(wrong: number): void;
  changed(): void;
}

/** Saving many files at once, as a checkout does, is one change. */
const PAUSE = 200;

/** The models of the workspace by folder: scanned when first asked for, kept up by events of the file system. */
export class ModelTree implements vscode.Disposable {
  readonly #services: Services;
  readonly #view: View;
  readonly #owned = new DisposableStore();
  readonly #models = new Map<string, Model>();
  readonly #waiting = new Map<string, vscode.Uri>();
  #timer: ReturnType<typeof setTimeout> | undefined;
  #scan: { readonly source: vscode.CancellationTokenSource; readonly done: Promise<void> } | undefined;

  constructor(services: Services, view: View) {
    this.#services = services;
    this.#view = view;
    const watcher = this.#owned.add(vscode.workspace.createFileSystemWatcher(GLOB));
    for (const event of [watcher.onDidCreate, watcher.onDidChange, watcher.onDidDelete])
      this.#owned.add(event((uri) => this.#readSoon(uri)));
    this.#owned.add(services.rules.onDidChange(() => this.#changed()));
    this.#owned.add(services.onDidChangeLanguage(() => this.#changed()));
    this.#owned.add(vscode.workspace.onDidChangeWorkspaceFolders(() => void this.rescan()));
  }

  item(node: Node): vscode.TreeItem | Promise<vscode.TreeItem> {
    return node.kind === "folder" ? folderItem(node.uri) : modelItem(this.#services, node);
  }

  async children(node: Node | undefined): Promise<readonly Node[]> {
    if (node !== undefined) return node.kind === "folder" ? node.models : [];
    this.#scan ??= this.#start();
    await this.#scan.done;
    return byFolder([...this.#models.values()]);
  }

  /** Shows what was found until now. */
  cancel(): void {
    this.#scan?.source.cancel();
  }

  async rescan(): Promise<void> {
    const before = this.#scan;
    this.cancel();
    await before?.done;
    if (this.#owned.isDisposed) return;
    // Of two that asked while one scan was ending, the first begins the next.
    if (this.#scan === before) {
      this.#scan = this.#start();
      this.#view.changed();
    }
    await this.#scan?.done;
  }

  dispose(): void {
    this.cancel();
    clearTimeout(this.#timer);
    this.#owned.dispose();
  }

  #start(): { source: vscode.CancellationTokenSource; done: Promise<void> } {
    const source = new vscode.CancellationTokenSource();
    const where = { location: { viewId: MODELS_VIEW } };
    const done = Promise.resolve(vscode.window.withProgress(where, () => this.#run(source.token)));
    return { source, done };
  }

  async #run(token: vscode.CancellationToken): Promise<void> {
    const found = new Map<string, Model>();
    await this.#setScanning(true);
    try {
      const all = await scanWorkspace(
        this.#services.rules,
        {
          found: (model) => found.set(model.uri.toString(), model),
          progress: (done, all) => this.#view.say(t("{0} of {1} files read…", done, all)),
        },
        token,
      );
      this.#view.say(endOf(token.isCancellationRequested, all));
    } catch (error) {
      this.#view.say(undefined);
      reportFailure(this.#services.log, MODELS_VIEW, error);
    } finally {
      this.#models.clear();
      for (const [key, model] of found) this.#models.set(key, model);
      await this.#setScanning(false);
      await this.#count();
    }
  }

  async #setScanning(on: boolean): Promise<void> {
    await vscode.commands.executeCommand("setContext", SCANNING_CONTEXT, on);
  }

  #readSoon(uri: vscode.Uri): void {
    // What lies beside a config may agree with it or not.
    const config = vscode.Uri.joinPath(uri, "..", "config.json");
    for (const file of this.#models.has(config.toString()) ? [uri, config] : [uri])
      this.#waiting.set(file.toString(), file);
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#readWaiting(), PAUSE);
  }

  async #readWaiting(): Promise<void> {
    await this.#scan?.done;
    const files = [...this.#waiting];
    this.#waiting.clear();
    for (const [key, uri] of files) {
      forgetSiblings(uri);
      const model = await readModel(this.#services.rules, uri);
      if (model === undefined) this.#models.delete(key);
      else this.#models.set(key, model);
    }
    this.#changed();
  }

  #changed(): void {
    if (this.#owned.isDisposed) return;
    this.#view.changed();
    void this.#count();
  }

  async #count(): Promise<void> {
    const { rules } = this.#services;
    const verdicts = await Promise.all(
      [...this.#models.values()].map(async ({ uri, reading: { error, problems } }) => {
        return findingsInWords(error, await rules.of(uri, problems)).worst;
      }),
    );
    const wrong = verdicts.filter((worst) => worst === "error" || worst === "warning").length;
    if (!this.#owned.isDisposed) this.#view.count(wrong);
  }
}

/** What the view says when all is read: nothing, unless something is missing. */
function endOf(cancelled: boolean, files: number): string | undefined {
  if (cancelled) return t("Stopped before all files were read.");
  return files < MOST_FILES ? undefined : t("Only the first {0} files were read.", MOST_FILES);
}

function byFolder(models: readonly Model[]): Node[] {
  const folders = new Map<string, { readonly uri: vscode.Uri; readonly models: Model[] }>();
  for (const model of models.toSorted((a, b) => a.uri.path.localeCompare(b.uri.path))) {
    const uri = vscode.Uri.joinPath(model.uri, "..");
    const folder = folders.get(uri.toString()) ?? { uri, models: [] };
    folder.models.push(model);
    folders.set(uri.toString(), folder);
  }
  return [...folders.values()]
    .toSorted((a, b) => a.uri.path.localeCompare(b.uri.path))
    .map(({ uri, models: inside }): Node => {
      const nodes = inside.map((model) => ({ kind: "model" as const, alone: inside.length === 1, ...model }));
      return nodes.length === 1 && nodes[0] !== undefined ? nodes[0] : { kind: "folder", uri, models: nodes };
    });
}
