import * as vscode from "vscode";
import { DisposableStore } from "../../../core/util/disposable.ts";
import { DIAGNOSTIC_SOURCE } from "../../ids.ts";
import { toDiagnostics } from "../../platform/configDiagnostics.ts";
import { isEditable } from "../../platform/isEditable.ts";
import type { Services } from "../../services.ts";

/** Diagnostics may lag behind typing; the panel updates sooner. */
const CHECK_DELAY_MS = 150;

/** Diagnostics of open configs, at their keys. */
export function register(services: Services): vscode.Disposable {
  const owned = new DisposableStore();
  owned.add(new ConfigProblems(services));
  return owned;
}

class ConfigProblems implements vscode.Disposable {
  readonly #services: Services;
  readonly #owned = new DisposableStore();
  readonly #collection: vscode.DiagnosticCollection;
  readonly #timers = new Map<vscode.TextDocument, ReturnType<typeof setTimeout>>();

  constructor(services: Services) {
    this.#services = services;
    this.#collection = this.#owned.add(vscode.languages.createDiagnosticCollection(DIAGNOSTIC_SOURCE));
    this.#owned.add(vscode.workspace.onDidOpenTextDocument((document) => void this.#check(document)));
    this.#owned.add(vscode.workspace.onDidChangeTextDocument(({ document }) => this.#scheduleCheck(document)));
    this.#owned.add(vscode.workspace.onDidCloseTextDocument((document) => this.#forget(document)));
    this.#owned.add(services.onDidChangeLanguage(() => this.#checkAll()));
    this.#owned.add(services.rules.onDidChange(() => this.#checkAll()));
    this.#owned.add(services.configs.onDidChangeSiblings(() => this.#checkAll()));
    this.#checkAll();
  }

  dispose(): void {
    for (const timer of this.#timers.values()) clearTimeout(timer);
    this.#owned.dispose();
  }

  #checkAll(): void {
    for (const document of vscode.workspace.textDocuments) void this.#check(document);
  }

  #scheduleCheck(document: vscode.TextDocument): void {
    clearTimeout(this.#timers.get(document));
    this.#timers.set(
      document,
      setTimeout(() => {
        this.#timers.delete(document);
        if (!document.isClosed) void this.#check(document);
      }, CHECK_DELAY_MS),
    );
  }

  async #check(document: vscode.TextDocument): Promise<void> {
    const { configs, rules } = this.#services;
    const { version } = document;
    const isChecked = isEditable(document) && (await configs.isConfig(document));
    const config = isChecked ? await configs.readDocument(document) : undefined;
    const problems = config === undefined ? [] : await rules.applySeverities(document.uri, config.reading.problems);
    if (this.#owned.isDisposed || document.isClosed || document.version !== version) return;
    if (config === undefined) this.#collection.delete(document.uri);
    else this.#collection.set(document.uri, toDiagnostics(config.reading.error, problems));
  }

  #forget(document: vscode.TextDocument): void {
    clearTimeout(this.#timers.get(document));
    this.#timers.delete(document);
    this.#collection.delete(document.uri);
  }
}
