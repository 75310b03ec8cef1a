import * as vscode from "vscode";
import { DisposableStore } from "../../../core/disposable.ts";
import { DIAGNOSTIC_SOURCE } from "../../ids.ts";
import type { Services } from "../../services.ts";

const PAUSE = 300;
/** More cells than these are not looked at before they are scrolled to. */
const MAX_CELLS = 200;

/** What the checks of code say about the Python that is on screen, cells of notebooks too. */
export function register(services: Services): vscode.Disposable {
  return new CodeProblems(services);
}

class CodeProblems implements vscode.Disposable {
  readonly #services: Services;
  readonly #owned = new DisposableStore();
  readonly #collection: vscode.DiagnosticCollection;
  readonly #timers = new Map<vscode.TextDocument, ReturnType<typeof setTimeout>>();

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
    if (document.languageId !== "python") return;
    clearTimeout(this.#timers.get(document));
    this.#timers.set(
      document,
      setTimeout(() => {
        this.#timers.delete(document);
        if (this.#isOn && visibleDocuments().includes(document)) void this.#check(document);
      }, PAUSE),
    );
  }

  async #check(document: vscode.TextDocument): Promise<void> {
    const { version } = document;
    // The parser comes with the first Python that is seen.
    const { findCodeProblems } = await import("./findCodeProblems.ts");
    const found = await findCodeProblems(this.#services, document);
    if (this.#owned.isDisposed || document.isClosed || document.version !== version || !this.#isOn) return;
    this.#collection.set(document.uri, found);
  }

  #forget(document: vscode.TextDocument): void {
    clearTimeout(this.#timers.get(document));
    this.#timers.delete(document);
    this.#collection.delete(document.uri);
  }
}

function visibleDocuments(): vscode.TextDocument[] {
  const { visibleTextEditors, visibleNotebookEditors } = vscode.window;
  const cells = visibleNotebookEditors.flatMap(({ notebook }) => notebook.getCells().slice(0, MAX_CELLS));
  return [...visibleTextEditors.map(({ document }) => document), ...cells.map(({ document }) => document)];
}
