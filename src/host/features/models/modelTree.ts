import * as l10n from "@vscode/l10n";
import * as vscode from "vscode";
import type { ConfigReading } from "../../../core/config/readConfig.ts";
import { DisposableStore } from "../../../core/util/disposable.ts";
import { MODELS_VIEW, SCANNING_CONTEXT } from "../../ids.ts";
import { reportFailure } from "../../platform/reportFailure.ts";
import type { Services } from "../../services.ts";
import { createFolderItem, createModelItem, verdictOn } from "./modelItems.ts";
import { MAX_FILES, MODEL_FILES, type ModelFile, readModel, scanWorkspace } from "./scanWorkspace.ts";

export interface ModelFolder {
  readonly kind: "folder";
  readonly uri: vscode.Uri;
  readonly models: readonly ModelNode[];
}

/** VS Code knows a row by its node, so a node stays while its row does, and what was read last is put into it. */
export interface ModelNode {
  readonly kind: "model";
  readonly uri: vscode.Uri;
  /** True if it is the only model of its folder; it is then shown under the folder's name. */
  readonly isOnlyInFolder: boolean;
  reading: ConfigReading;
}

export type ModelTreeNode = ModelFolder | ModelNode;

interface ChangedRow {
  readonly node: ModelTreeNode;
  readonly looks: string;
}

interface ModelTreeView {
  showMessage(message: string | undefined): void;
  /** Number of models with errors or warnings. */
  showProblemCount(problemCount: number): void;
  /** These rows read differently now; undefined: other rows are there. */
  refresh(nodes: readonly ModelTreeNode[] | undefined): void;
}

/** A checkout saves many files at once; they are read together. */
const READ_DELAY_MS = 200;
/** Milliseconds that a search takes before it reports numbers: their line moves the rows under the pointer. */
const REPORT_AFTER = 1000;

/** The models of the workspace by folder: scanned on first use, then updated by file events. */
export class ModelTree implements vscode.Disposable {
  readonly #services: Services;
  readonly #view: ModelTreeView;
  readonly #owned = new DisposableStore();
  readonly #models = new Map<string, ModelFile>();
  readonly #changedFiles = new Map<string, vscode.Uri>();
  /** The rows at the top, once VS Code has asked for them. */
  #roots: readonly ModelTreeNode[] | undefined;
  /** How the rows look that VS Code was given, by file or folder. */
  readonly #shown = new Map<string, string>();
  #updates = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #scan: { readonly source: vscode.CancellationTokenSource; readonly done: Promise<void> } | undefined;

  constructor(services: Services, view: ModelTreeView) {
    this.#services = services;
    this.#view = view;
    const watcher = this.#owned.add(vscode.workspace.createFileSystemWatcher(MODEL_FILES));
    for (const event of [watcher.onDidCreate, watcher.onDidChange, watcher.onDidDelete])
      this.#owned.add(event((uri) => this.#scheduleRead(uri)));
    this.#owned.add(services.rules.onDidChange(() => void this.#update()));
    this.#owned.add(services.onDidChangeLanguage(() => void this.#update()));
    this.#owned.add(vscode.workspace.onDidChangeWorkspaceFolders(() => void this.rescan()));
  }

  async createItem(node: ModelTreeNode): Promise<vscode.TreeItem> {
    const item = await this.#item(node);
    this.#shown.set(node.uri.toString(), looksOf(item));
    return item;
  }

  async children(node: ModelTreeNode | undefined): Promise<readonly ModelTreeNode[]> {
    if (node !== undefined) return node.kind === "folder" ? node.models : [];
    this.#scan ??= this.#startScan();
    await this.#scan.done;
    this.#roots = this.#arranged();
    return this.#roots;
  }

  /** Stops the scan and keeps the models found so far. */
  cancel(): void {
    this.#scan?.source.cancel();
  }

  async rescan(): Promise<void> {
    const previous = this.#scan;
    this.cancel();
    await previous?.done;
    if (this.#owned.isDisposed) return;
    // If two calls wait for the same scan to end, only the first starts the next one.
    if (this.#scan === previous) this.#scan = this.#startScan();
    await this.#scan?.done;
  }

  dispose(): void {
    this.cancel();
    clearTimeout(this.#timer);
    this.#owned.dispose();
  }

  #startScan(): { source: vscode.CancellationTokenSource; done: Promise<void> } {
    const source = new vscode.CancellationTokenSource();
    const where = { location: { viewId: MODELS_VIEW } };
    const done = Promise.resolve(vscode.window.withProgress(where, () => this.#runScan(source.token)));
    return { source, done };
  }

  async #runScan(token: vscode.CancellationToken): Promise<void> {
    const found = new Map<string, ModelFile>();
    const start = Date.now();
    await this.#setScanning(true);
    try {
      const fileCount = await scanWorkspace(
        this.#services,
        {
          onModel: (model) => found.set(model.uri.toString(), model),
          onProgress: (done, all) => {
            if (Date.now() - start > REPORT_AFTER) this.#view.showMessage(l10n.t("{0} of {1} files read…", done, all));
          },
        },
        token,
      );
      this.#view.showMessage(scanEndMessage(token.isCancellationRequested, fileCount));
    } catch (error) {
      this.#view.showMessage(undefined);
      reportFailure(this.#services.log, MODELS_VIEW, error);
    } finally {
      this.#models.clear();
      for (const [key, model] of found) this.#models.set(key, model);
      await this.#setScanning(false);
      await this.#update();
    }
  }

  async #setScanning(on: boolean): Promise<void> {
    await vscode.commands.executeCommand("setContext", SCANNING_CONTEXT, on);
  }

  #scheduleRead(uri: vscode.Uri): void {
    // Findings of a config depend on the files beside it.
    const config = vscode.Uri.joinPath(uri, "..", "config.json");
    for (const file of this.#models.has(config.toString()) ? [uri, config] : [uri])
      this.#changedFiles.set(file.toString(), file);
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#readChangedFiles(), READ_DELAY_MS);
  }

  async #readChangedFiles(): Promise<void> {
    await this.#scan?.done;
    const files = [...this.#changedFiles];
    this.#changedFiles.clear();
    for (const [key, uri] of files) {
      if (this.#owned.isDisposed) return;
      (await this.#services.configs.reader()).forgetSiblings(uri);
      const model = await readModel(this.#services, uri);
      if (model === undefined) this.#models.delete(key);
      else this.#models.set(key, model);
    }
    await this.#update();
  }

  /** Tells the view what differs from what it shows: rows that stay as they are are not built again under the pointer. */
  async #update(): Promise<void> {
    const mine = ++this.#updates;
    const verdicts = await Promise.all([...this.#models.values()].map((model) => verdictOn(this.#services, model)));
    const before = this.#roots;
    const roots = this.#arranged();
    const changed = sameRows(before, roots) ? await this.#differing(roots) : undefined;
    if (this.#owned.isDisposed || mine !== this.#updates) return;
    this.#view.showProblemCount(verdicts.filter(({ worst }) => worst === "error" || worst === "warning").length);
    // Rows that nobody has asked for are not shown, and differ from nothing.
    if (before === undefined || changed?.length === 0) return;
    // VS Code is told of each change once, even if it asks for the rows later.
    for (const { node, looks } of changed ?? []) this.#shown.set(node.uri.toString(), looks);
    this.#view.refresh(changed?.map(({ node }) => node));
  }

  /** The models by folder, those that VS Code knows as the nodes that it knows. */
  #arranged(): readonly ModelTreeNode[] {
    const known = new Map((this.#roots ?? []).flatMap(modelsIn).map((node) => [rowOf(node), node]));
    const roots = groupByFolder([...this.#models.values()], (model, alone) => {
      const made: ModelNode = { kind: "model", uri: model.uri, isOnlyInFolder: alone, reading: model.reading };
      const node = known.get(rowOf(made)) ?? made;
      node.reading = model.reading;
      return node;
    });
    return this.#roots !== undefined && sameRows(this.#roots, roots) ? this.#roots : roots;
  }

  /** Nodes whose rows do not look as VS Code was last told. */
  async #differing(roots: readonly ModelTreeNode[]): Promise<readonly ChangedRow[]> {
    const nodes = roots.flatMap((node) => (node.kind === "folder" ? [node, ...node.models] : [node]));
    const rows = await Promise.all(nodes.map(async (node) => ({ node, looks: looksOf(await this.#item(node)) })));
    return rows.filter(({ node, looks }) => {
      const shown = this.#shown.get(node.uri.toString());
      return shown !== undefined && shown !== looks;
    });
  }

  async #item(node: ModelTreeNode): Promise<vscode.TreeItem> {
    return node.kind === "folder" ? createFolderItem(node.uri) : createModelItem(this.#services, node);
  }
}

const modelsIn = (node: ModelTreeNode): readonly ModelNode[] => (node.kind === "folder" ? node.models : [node]);

/** Names a row of a model and its place: alone, or below its folder. */
const rowOf = ({ uri, isOnlyInFolder: alone }: ModelNode): string => `${alone} ${uri}`;

function sameRows(before: readonly ModelTreeNode[] | undefined, now: readonly ModelTreeNode[]): boolean {
  const rowsOf = (nodes: readonly ModelTreeNode[]) => nodes.flatMap(modelsIn).map(rowOf).join("\n");
  return before !== undefined && rowsOf(before) === rowsOf(now);
}

/** Everything of a row that can be seen or heard. */
function looksOf({ label, description, tooltip, iconPath, accessibilityInformation }: vscode.TreeItem): string {
  const icon = iconPath instanceof vscode.ThemeIcon ? iconPath.id : "";
  return JSON.stringify([label, description, tooltip, icon, accessibilityInformation?.label]);
}

/** Message at the end of a scan; undefined if it was complete. */
function scanEndMessage(cancelled: boolean, files: number): string | undefined {
  if (cancelled) return l10n.t("Stopped before all files were read.");
  return files < MAX_FILES ? undefined : l10n.t("Only the first {0} files were read.", MAX_FILES);
}

function groupByFolder(
  models: readonly ModelFile[],
  nodeOf: (model: ModelFile, alone: boolean) => ModelNode,
): ModelTreeNode[] {
  const folders = new Map<string, { readonly uri: vscode.Uri; readonly models: ModelFile[] }>();
  for (const model of models.toSorted((a, b) => a.uri.path.localeCompare(b.uri.path))) {
    const uri = vscode.Uri.joinPath(model.uri, "..");
    const folder = folders.get(uri.toString()) ?? { uri, models: [] };
    folder.models.push(model);
    folders.set(uri.toString(), folder);
  }
  return [...folders.values()]
    .toSorted((a, b) => a.uri.path.localeCompare(b.uri.path))
    .map(({ uri, models: folderModels }): ModelTreeNode => {
      const nodes = folderModels.map((model) => nodeOf(model, folderModels.length === 1));
      return nodes.length === 1 && nodes[0] !== undefined ? nodes[0] : { kind: "folder", uri, models: nodes };
    });
}
