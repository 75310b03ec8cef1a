import * as vscode from "vscode";
import { DisposableStore } from "../../../core/util/disposable.ts";
import { DIAGNOSTIC_SOURCE } from "../../ids.ts";
import { notebookOf, pythonCells } from "../../platform/notebooks.ts";
import type { Services } from "../../services.ts";

const PAUSE = 300;
/** More cells than these are not looked at before they are scrolled to. */
const MAX_CELLS = 200;

/** What the checks of code say about the Python that is on screen, cells of notebooks too. */
export function register(services: Services): vscode.Disposable {
  return new CodeProblems(services);
}

/** A file by itself, or all cells of a notebook together. */
type Checked = vscode.TextDocument | vscode.NotebookDocument;

class CodeProblems implements vscode.Disposable {
  readonly #services: Services;
  readonly #owned = new DisposableStore();
  readonly #collection: vscode.DiagnosticCollection;
  readonly #timers = new Map<Checked, ReturnType<typeof setTimeout>>();

  constructor(services: Services) {
    this.#services = services;
    this.#collection = this.#owned.add(vscode.languages.createDiagnosticCollection(`${DIAGNOSTIC_SOURCE}-code`));
    const { window, workspace } = vscode;
    this.#owned.add(workspace.onDidOpenTextDocument((document) => this.#checkSoon(document)));
    this.#owned.add(workspace.onDidChangeTextDocument(({ document }) => this.#checkSoon(document)));
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
    for (const document of visibleDocuments()) this.#checkSoon(document);
  }

  #checkSoon(document: vscode.TextDocument): void {
    if (document.languageId !== "python" || !this.#isOn || !visibleDocuments().includes(document)) return;
    const checked = notebookOf(document) ?? document;
    clearTimeout(this.#timers.get(checked));
    this.#timers.set(
      checked,
      setTimeout(() => {
        this.#timers.delete(checked);
        if (this.#isOn && visibleDocuments().includes(document)) void this.#check(checked);
      }, PAUSE),
    );
  }

  async #check(checked: Checked): Promise<void> {
    const { version } = checked;
    // The parser comes with the first Python that is seen.
    const { findCodeProblems, findNotebookProblems } = await import("./findCodeProblems.ts");
    const found = await ("getCells" in checked
      ? findNotebookProblems(this.#services, checked, pythonCells(checked).slice(0, MAX_CELLS))
      : findCodeProblems(this.#services, checked));
    if (this.#owned.isDisposed || checked.isClosed || checked.version !== version || !this.#isOn) return;
    for (const [uri, problems] of found) this.#collection.set(uri, problems);
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
