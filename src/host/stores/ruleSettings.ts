import * as vscode from "vscode";
import type { ConfigProblem } from "../../core/config/problems.ts";
import type { ProjectSettings } from "../../core/config/project/settings.ts";
import { DisposableStore } from "../../core/util/disposable.ts";
import { EventBurst } from "../platform/eventBurst.ts";
import { readRegularFile } from "../platform/readRegularFile.ts";
import { showError } from "../platform/show.ts";
import type { Settings } from "./settings.ts";

/** A project lists a few rules and globs. */
export const MAX_PROJECT_FILE_BYTES = 1024 * 1024;

export const PROJECT_FILE = ".posenc.json";

// Loaded when severities are first needed, because of the glob and JSON libraries.
const loadProjectSettings = async () => ({
  ...(await import("../../core/config/project/settings.ts")),
  ...(await import("../../core/config/project/severities.ts")),
});

/** Severities from the project's `.posenc.json` and the user's settings; the user's take precedence. */
export class RuleSettings implements vscode.Disposable {
  readonly #settings: Settings;
  readonly #owned = new DisposableStore();
  readonly #changed = this.#owned.add(new vscode.EventEmitter<void>());
  readonly #filesChanged = this.#owned.add(new EventBurst(() => this.#changed.fire()));
  readonly #settingsByFile = new Map<string, Promise<ProjectSettings | undefined>>();
  /** Folders outside of the workspace that are already watched. */
  readonly #watchedFolders = new Set<string>();
  /** Fires when severities may have changed. */
  readonly onDidChange = this.#changed.event;

  constructor(settings: Settings) {
    this.#settings = settings;
    this.#owned.add(settings.onDidChange(() => this.#changed.fire()));
    this.#watch(`**/${PROJECT_FILE}`);
  }

  /** Findings with the file's severities, without those that are off. */
  async applySeverities<Problem extends ConfigProblem>(
    uri: vscode.Uri,
    problems: readonly Problem[],
  ): Promise<readonly Problem[]> {
    if (problems.length === 0) return problems;
    const project = await this.#findNearest(containingFile(uri));
    const { applySeverities: withSeverities } = await loadProjectSettings();
    return withSeverities(problems, { ...project?.settings.rules, ...this.#settings.get("rules") });
  }

  /** True if the project ignores the file. */
  async ignores(uri: vscode.Uri): Promise<boolean> {
    const project = await this.#findNearest(uri);
    return project?.settings.ignores(uri.path.slice(project.folder.path.length).replace(/^\/+/, "")) ?? false;
  }

  /** The `.posenc.json` that applies to this file, or the one of its workspace folder, which may not exist yet. */
  async projectFileFor(document: vscode.Uri): Promise<vscode.Uri | undefined> {
    const uri = containingFile(document);
    const root = vscode.workspace.getWorkspaceFolder(uri)?.uri;
    const folder = (await this.#findNearest(uri))?.folder ?? root;
    return folder === undefined ? undefined : vscode.Uri.joinPath(folder, PROJECT_FILE);
  }

  dispose(): void {
    this.#owned.dispose();
  }

  /** Searches from the file's folder up to the root, like the command line; an unreadable file counts as missing. */
  async #findNearest(uri: vscode.Uri): Promise<{ folder: vscode.Uri; settings: ProjectSettings } | undefined> {
    if (!uri.path.startsWith("/")) return undefined;
    for (let folder = vscode.Uri.joinPath(uri, ".."); ; folder = vscode.Uri.joinPath(folder, "..")) {
      const settings = await this.#read(vscode.Uri.joinPath(folder, PROJECT_FILE));
      if (settings !== undefined) return { folder, settings };
      if (folder.path === "/" || folder.path === "") return undefined;
    }
  }

  #watch(pattern: vscode.GlobPattern): void {
    const watcher = this.#owned.add(vscode.workspace.createFileSystemWatcher(pattern));
    for (const event of [watcher.onDidChange, watcher.onDidCreate, watcher.onDidDelete])
      this.#owned.add(event((uri) => this.#forget(uri)));
  }

  /** Outside of the workspace, a folder is watched once its file was read. */
  #watchBeyond(file: vscode.Uri): void {
    const folder = vscode.Uri.joinPath(file, "..");
    const key = folder.toString();
    if (this.#watchedFolders.has(key) || vscode.workspace.getWorkspaceFolder(file) !== undefined) return;
    this.#watchedFolders.add(key);
    this.#watch(new vscode.RelativePattern(folder, PROJECT_FILE));
  }

  #read(file: vscode.Uri): Promise<ProjectSettings | undefined> {
    const key = file.toString();
    const cached = this.#settingsByFile.get(key);
    if (cached !== undefined) return cached;
    const settings = readProjectFile(file);
    this.#settingsByFile.set(key, settings);
    this.#watchBeyond(file);
    return settings;
  }

  #forget(file: vscode.Uri): void {
    this.#settingsByFile.delete(file.toString());
    this.#filesChanged.fire();
  }
}

/** The file itself, or the notebook of a cell. */
function containingFile(uri: vscode.Uri): vscode.Uri {
  if (uri.scheme !== "vscode-notebook-cell") return uri;
  return vscode.workspace.notebookDocuments.find((notebook) => notebook.uri.path === uri.path)?.uri ?? uri;
}

async function readProjectFile(file: vscode.Uri): Promise<ProjectSettings | undefined> {
  let bytes: Uint8Array;
  try {
    bytes = await readRegularFile(file, MAX_PROJECT_FILE_BYTES);
  } catch {
    return undefined; // Usually the file does not exist.
  }
  const settings = (await loadProjectSettings()).readProjectSettings(new TextDecoder().decode(bytes));
  const [problem] = settings.problems;
  if (problem !== undefined) void showError(`${vscode.workspace.asRelativePath(file)}: ${problem}`);
  return settings;
}
