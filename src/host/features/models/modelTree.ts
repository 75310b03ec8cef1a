import { t } from "@vscode/l10n";
import * as vscode from "vscode";
import type { ConfigReading } from "../../../core/config/readConfig.ts";
import { DisposableStore } from "../../../core/util/disposable.ts";
import { MODELS_VIEW, SCANNING_CONTEXT } from "../../ids.ts";
import { reportFailure } from "../../platform/failure.ts";
import type { Services } from "../../services.ts";
import { forgetSiblings } from "../../stores/siblings.ts";
import { folderItem, modelItem, verdictOn } from "./modelItems.ts";
import { GLOB, MOST_FILES, type Model, readModel, scanWorkspace } from "./scan.ts";

export interface Folder {
  readonly kind: "folder";
  readonly uri: vscode.Uri;
  readonly models: readonly ModelNode[];
}

/** VS Code knows a row by its node, so a node stays while its row does, and what was read last is put into it. */
export interface ModelNode {
  readonly kind: "model";
  readonly uri: vscode.Uri;
  /** The only model of its folder stands for the folder, under the folder's name. */
  readonly alone: boolean;
  reading: ConfigReading;
}

export type Node = Folder | ModelNode;

interface View {
  say(message: string | undefined): void;
  /** How many models have errors or warnings. */
  count(wrong: number): void;
  /** These rows read differently now; undefined: other rows are there. */
  changed(nodes: readonly Node[] | undefined): void;
}

/** Saving many files at once, as a checkout does, is one change. */
const PAUSE = 200;
/** Milliseconds that a search takes before it reports numbers: their line moves the rows under the pointer. */
const REPORT_AFTER = 1000;

/** The models of the workspace by folder: scanned when first asked for, kept up by events of the file system. */
export class ModelTree implements vscode.Disposable {
  readonly #services: Services;
  readonly #view: View;
  readonly #owned = new DisposableStore();
  readonly #models = new Map<string, Model>();
  readonly #waiting = new Map<string, vscode.Uri>();
  /** The rows at the top, once VS Code has asked for them. */
  #roots: readonly Node[] | undefined;
  /** How the rows look that VS Code was given, by file or folder. */
  readonly #shown = new Map<string, string>();
  #updates = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #scan: { readonly source: vscode.CancellationTokenSource; readonly done: Promise<void> } | undefined;

  constructor(services: Services, view: View) {
    this.#services = services;
    this.#view = view;
    const watcher = this.#owned.add(vscode.workspace.createFileSystemWatcher(GLOB));
    for (const event of [watcher.onDidCreate, watcher.onDidChange, watcher.onDidDelete])
      this.#owned.add(event((uri) => this.#readSoon(uri)));
    this.#owned.add(services.rules.onDidChange(() => void this.#update()));
    this.#owned.add(services.onDidChangeLanguage(() => void this.#update()));
    this.#owned.add(vscode.workspace.onDidChangeWorkspaceFolders(() => void this.rescan()));
  }

  async item(node: Node): Promise<vscode.TreeItem> {
    const item = await this.#item(node);
    this.#shown.set(node.uri.toString(), looksOf(item));
    return item;
  }

  async children(node: Node | undefined): Promise<readonly Node[]> {
    if (node !== undefined) return node.kind === "folder" ? node.models : [];
    this.#scan ??= this.#start();
    await this.#scan.done;
    this.#roots = this.#arranged();
    return this.#roots;
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
    if (this.#scan === before) this.#scan = this.#start();
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
    const start = Date.now();
    await this.#setScanning(true);
    try {
      const all = await scanWorkspace(
        this.#services.rules,
        {
          found: (model) => found.set(model.uri.toString(), model),
          progress: (done, all) => {
            if (Date.now() - start > REPORT_AFTER) this.#view.say(t("{0} of {1} files read…", done, all));
          },
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
      await this.#update();
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
    this.#view.count(verdicts.filter(({ worst }) => worst === "error" || worst === "warning").length);
    // Rows that nobody has asked for are not shown, and differ from nothing.
    if (before !== undefined && changed?.length !== 0) this.#view.changed(changed);
  }

  /** The models by folder, those that VS Code knows as the nodes that it knows. */
  #arranged(): readonly Node[] {
    const known = new Map((this.#roots ?? []).flatMap(modelsIn).map((node) => [rowOf(node), node]));
    const roots = byFolder([...this.#models.values()], (model, alone) => {
      const made: ModelNode = { kind: "model", uri: model.uri, alone, reading: model.reading };
      const node = known.get(rowOf(made)) ?? made;
      node.reading = model.reading;
      return node;
    });
    return this.#roots !== undefined && sameRows(this.#roots, roots) ? this.#roots : roots;
  }

  /** Nodes whose rows do not look as VS Code was last told. */
  async #differing(roots: readonly Node[]): Promise<readonly Node[]> {
    const nodes = roots.flatMap((node) => (node.kind === "folder" ? [node, ...node.models] : [node]));
    const looks = await Promise.all(nodes.map(async (node) => looksOf(await this.#item(node))));
    return nodes.filter((node, index) => {
      const shown = this.#shown.get(node.uri.toString());
      return shown !== undefined && shown !== looks[index];
    });
  }

  async #item(node: Node): Promise<vscode.TreeItem> {
    return node.kind === "folder" ? folderItem(node.uri) : modelItem(this.#services, node);
  }
}

const modelsIn = (node: Node): readonly ModelNode[] => (node.kind === "folder" ? node.models : [node]);

/** Names a row of a model and its place: alone, or below its folder. */
const rowOf = ({ uri, alone }: ModelNode): string => `${alone} ${uri}`;

function sameRows(before: readonly Node[] | undefined, now: readonly Node[]): boolean {
  const rowsOf = (nodes: readonly Node[]) => nodes.flatMap(modelsIn).map(rowOf).join("\n");
  return before !== undefined && rowsOf(before) === rowsOf(now);
}

/** Everything of a row that can be seen or heard. */
function looksOf({ label, description, tooltip, iconPath, accessibilityInformation }: vscode.TreeItem): string {
  const icon = iconPath instanceof vscode.ThemeIcon ? iconPath.id : "";
  return JSON.stringify([label, description, tooltip, icon, accessibilityInformation?.label]);
}

/** What the view says when all is read: nothing, unless something is missing. */
function endOf(cancelled: boolean, files: number): string | undefined {
  if (cancelled) return t("Stopped before all files were read.");
  return files < MOST_FILES ? undefined : t("Only the first {0} files were read.", MOST_FILES);
}

function byFolder(models: readonly Model[], nodeOf: (model: Model, alone: boolean) => ModelNode): Node[] {
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
      const nodes = inside.map((model) => nodeOf(model, inside.length === 1));
      return nodes.length === 1 && nodes[0] !== undefined ? nodes[0] : { kind: "folder", uri, models: nodes };
    });
}
