import * as vscode from "vscode";
import { DisposableStore } from "../../../core/util/disposable.ts";
import { DIAGNOSTIC_SOURCE } from "../../ids.ts";
import { isEditable } from "../../platform/isEditable.ts";
import { findNotebook, pythonCells } from "../../platform/notebooks.ts";
import type { Services } from "../../services.ts";

const CHECK_DELAY_MS = 300;
/** Cells beyond this are not checked. */
const MAX_CELLS = 200;

/** Reports findings in visible Python code, including notebook cells. */
export function register(services: Services): vscode.Disposable {
  return new CodeProblems(services);
}

/** A file by itself, or all cells of a notebook together. */
type CheckTarget = vscode.TextDocument | vscode.NotebookDocument;

class CodeProblems implements vscode.Disposable {
  readonly #services: Services;
  readonly #owned = new DisposableStore();
  readonly #collection: vscode.DiagnosticCollection;
  readonly #timers = new Map<CheckTarget, ReturnType<typeof setTimeout>>();

  constructor(services: Services) {
    this.#services = services;
    this.#collection = this.#owned.add(vscode.languages.createDiagnosticCollection(`${DIAGNOSTIC_SOURCE}-code`));
    const { window, workspace } = vscode;
    this.#owned.add(workspace.onDidOpenTextDocument((document) => this.#scheduleCheck(document)));
    this.#owned.add(workspace.onDidChangeTextDocument(({ document }) => this.#scheduleCheck(document)));
    this.#owned.add(workspace.onDidCloseTextDocument((document) => this.#forget(document)));
    this.#owned.add(window.onDidChangeVisibleTextEditors(() => this.#checkVisible()));
    this.#owned.add(window.onDidChangeVisibleNotebookEditors(() => this.#checkVisible()));
    this.#owned.add(services.onDidChangeLanguage(() => this.#checkVisible()));
    this.#owned.add(services.rules.onDidChange(() => this.#checkVisible()));
    this.#checkVisible();
  }

  dispose(): void {
    for (const timer of this.#timers.values()) clearTimeout(timer);
    this.#timers.clear();
    this.#owned.dispose();
  }

  get #isOn(): boolean {
    return this.#services.settings.get("python.diagnostics");
  }

  #checkVisible(): void {
    if (!this.#isOn) this.#collection.clear();
    for (const document of visibleDocuments()) this.#scheduleCheck(document);
  }

  #scheduleCheck(document: vscode.TextDocument): void {
    if (document.languageId !== "python" || !this.#isOn || !isEditable(document)) return;
    if (!visibleDocuments().includes(document)) return;
    const target = findNotebook(document) ?? document;
    clearTimeout(this.#timers.get(target));
    this.#timers.set(
      target,
      setTimeout(() => {
        this.#timers.delete(target);
        if (this.#isOn && visibleDocuments().includes(document)) void this.#check(target);
      }, CHECK_DELAY_MS),
    );
  }

  async #check(target: CheckTarget): Promise<void> {
    const { version } = target;
    // The parser is loaded when the first Python file is visible.
    const { findCodeProblems, findNotebookProblems } = await import("./findCodeProblems.ts");
    const diagnostics = await ("getCells" in target
      ? findNotebookProblems(this.#services, target, pythonCells(target).slice(0, MAX_CELLS))
      : findCodeProblems(this.#services, target));
    if (this.#owned.isDisposed || target.isClosed || target.version !== version || !this.#isOn) return;
    for (const [uri, problems] of diagnostics) this.#collection.set(uri, problems);
  }

  #forget(document: vscode.TextDocument): void {
    clearTimeout(this.#timers.get(document));
    this.#timers.delete(document);
    this.#collection.delete(document.uri);
  }
}

function visibleDocuments(): vscode.TextDocument[] {
  const { visibleTextEditors, visibleNotebookEditors } = vscode.window;
  const cells = visibleNotebookEditors.flatMap(({ notebook }) => pythonCells(notebook).slice(0, MAX_CELLS));
  return [...visibleTextEditors.map(({ document }) => document), ...cells];
}
