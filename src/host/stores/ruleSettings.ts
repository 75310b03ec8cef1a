import * as vscode from "vscode";
import type { ConfigProblem } from "../../core/config/problems.ts";
import type { ProjectSettings } from "../../core/config/project/settings.ts";
import { DisposableStore } from "../../core/util/disposable.ts";
import type { Settings } from "./settings.ts";

const FILE = ".posenc.json";

// Globs and the reader of JSON come when the first finding asks for its severity.
const core = async () => ({
  ...(await import("../../core/config/project/settings.ts")),
  ...(await import("../../core/config/project/severities.ts")),
});

/** Severities as the project's `.posenc.json` and the user's settings want them; the user has the last word. */
export class RuleSettings implements vscode.Disposable {
  readonly #settings: Settings;
  readonly #owned = new DisposableStore();
  readonly #changed = this.#owned.add(new vscode.EventEmitter<void>());
  readonly #byFile = new Map<string, Promise<ProjectSettings | undefined>>();
  /** Folders beyond the workspace that are watched already. */
  readonly #watched = new Set<string>();
  /** What `of` answers may differ from now on. */
  readonly onDidChange = this.#changed.event;

  constructor(settings: Settings) {
    this.#settings = settings;
    this.#owned.add(settings.onDidChange(() => this.#changed.fire()));
    this.#watch(`**/${FILE}`);
  }

  /** The findings of a file, with the severities that hold there and without those that are off. */
  async of<Problem extends ConfigProblem>(uri: vscode.Uri, problems: readonly Problem[]): Promise<readonly Problem[]> {
    if (problems.length === 0) return problems;
    const project = await this.#nearest(fileOf(uri));
    const { withSeverities } = await core();
    return withSeverities(problems, { ...project?.settings.rules, ...this.#settings.get("rules") });
  }

  /** Does the project leave this file out? */
  async ignores(uri: vscode.Uri): Promise<boolean> {
    const project = await this.#nearest(uri);
    return project?.settings.ignores(uri.path.slice(project.folder.path.length).replace(/^\/+/, "")) ?? false;
  }

  /** The `.posenc.json` that holds for this file, or the one of its workspace folder, which may not exist yet. */
  async fileFor(given: vscode.Uri): Promise<vscode.Uri | undefined> {
    const uri = fileOf(given);
    const root = vscode.workspace.getWorkspaceFolder(uri)?.uri;
    const folder = (await this.#nearest(uri))?.folder ?? root;
    return folder === undefined ? undefined : vscode.Uri.joinPath(folder, FILE);
  }

  dispose(): void {
    this.#owned.dispose();
  }

  /** From the file's folder up to the root, like the command line; what may not be read counts as not there. */
  async #nearest(uri: vscode.Uri): Promise<{ folder: vscode.Uri; settings: ProjectSettings } | undefined> {
    if (!uri.path.startsWith("/")) return undefined;
    for (let folder = vscode.Uri.joinPath(uri, ".."); ; folder = vscode.Uri.joinPath(folder, "..")) {
      const settings = await this.#read(vscode.Uri.joinPath(folder, FILE));
      if (settings !== undefined) return { folder, settings };
      if (folder.path === "/" || folder.path === "") return undefined;
    }
  }

  #watch(pattern: vscode.GlobPattern): void {
    const watcher = this.#owned.add(vscode.workspace.createFileSystemWatcher(pattern));
    for (const event of [watcher.onDidChange, watcher.onDidCreate, watcher.onDidDelete])
      this.#owned.add(event((uri) => this.#forget(uri)));
  }

  /** Beyond the workspace, a folder is watched once its file has been asked for. */
  #watchBeyond(file: vscode.Uri): void {
    const folder = vscode.Uri.joinPath(file, "..");
    const key = folder.toString();
    if (this.#watched.has(key) || vscode.workspace.getWorkspaceFolder(file) !== undefined) return;
    this.#watched.add(key);
    this.#watch(new vscode.RelativePattern(folder, FILE));
  }

  #read(file: vscode.Uri): Promise<ProjectSettings | undefined> {
    const key = file.toString();
    const known = this.#byFile.get(key);
    if (known !== undefined) return known;
    const read = readFile(file);
    this.#byFile.set(key, read);
    this.#watchBeyond(file);
    return read;
  }

  #forget(file: vscode.Uri): void {
    this.#byFile.delete(file.toString());
    this.#changed.fire();
  }
}

/** A cell lies where its notebook does. */
function fileOf(uri: vscode.Uri): vscode.Uri {
  if (uri.scheme !== "vscode-notebook-cell") return uri;
  return vscode.workspace.notebookDocuments.find((notebook) => notebook.uri.path === uri.path)?.uri ?? uri;
}

async function readFile(file: vscode.Uri): Promise<ProjectSettings | undefined> {
  let bytes: Uint8Array;
  try {
    bytes = await vscode.workspace.fs.readFile(file);
  } catch {
    return undefined; // Not there, which is how it mostly is.
  }
  return (await core()).readProjectSettings(new TextDecoder().decode(bytes));
}
