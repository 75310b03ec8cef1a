import * as l10n from "@vscode/l10n";
import * as vscode from "vscode";
import { isOnRulesPage } from "../../../core/config/problems.ts";
import type { ConfigReading } from "../../../core/config/readConfig.ts";
import type { BoundConfig } from "../../../core/protocol/messages.ts";
import { DisposableStore } from "../../../core/util/disposable.ts";
import { errorMessage } from "../../../core/util/errors.ts";
import { CLIPBOARD_SCHEME } from "../../ids.ts";
import { describeFirstError } from "../../platform/configDiagnostics.ts";
import { configTitle } from "../../platform/configTitle.ts";
import { fileName } from "../../platform/fileName.ts";
import type { Services } from "../../services.ts";
import { toConfigFindings } from "./configFindings.ts";

/** Typing comes in bursts; one reading after each keeps the picture live. */
const READ_DELAY_MS = 40;

/** Documents without a file that another program could change. */
const MEMORY_SCHEMES = new Set(["untitled", "git", CLIPBOARD_SCHEME]);

/**
 * Keeps the last good reading of a config while it is edited, changed on disk, or unreadable for a moment. The newest
 * reading wins.
 */
export class ConfigFollower implements vscode.Disposable {
  readonly uri: vscode.Uri;
  readonly #services: Services;
  readonly #owned = new DisposableStore();
  readonly #onChange: () => void;
  #config: BoundConfig | null = null;
  #problem: string | null = null;
  #generation = 0;
  #reading: Promise<void>;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(services: Services, uri: vscode.Uri, onChange: () => void) {
    this.#services = services;
    this.uri = uri;
    this.#onChange = onChange;
    this.#owned.add(vscode.workspace.onDidChangeTextDocument((event) => this.#onFileChanged(event.document.uri)));
    this.#owned.add(services.onDidChangeLanguage(() => this.#scheduleRead()));
    this.#owned.add(services.rules.onDidChange(() => this.#scheduleRead()));
    this.#owned.add(services.configs.onDidChangeSiblings(() => this.#scheduleRead()));
    if (!MEMORY_SCHEMES.has(uri.scheme)) this.#owned.add(this.#watch());
    this.#owned.add({ dispose: () => clearTimeout(this.#timer) });
    this.#reading = this.#read().then(() => undefined);
  }

  /** The last good reading. */
  get config(): BoundConfig | null {
    return this.#config;
  }

  /** Why the current version cannot be shown. */
  get problem(): string | null {
    return this.#problem;
  }

  /** Resolves when no reading is in progress. */
  whenIdle(): Promise<void> {
    return this.#reading;
  }

  /** Reads at once and notifies. */
  async readNow(): Promise<void> {
    clearTimeout(this.#timer);
    const reading = this.#read();
    this.#reading = reading.then(() => undefined);
    if (await reading) this.notify();
  }

  /** Notifies about the current reading. */
  notify(): void {
    if (!this.#owned.isDisposed) this.#onChange();
  }

  dispose(): void {
    this.#generation++;
    this.#owned.dispose();
  }

  /** VS Code updates a document from disk only while it is loaded, so the file is watched too. */
  #watch(): vscode.Disposable {
    const folder = vscode.Uri.joinPath(this.uri, "..");
    const name = fileName(this.uri);
    const watcher = vscode.workspace.createFileSystemWatcher(new vscode.RelativePattern(folder, name));
    this.#owned.add(watcher.onDidChange((uri) => this.#onFileChanged(uri)));
    this.#owned.add(watcher.onDidCreate((uri) => this.#onFileChanged(uri)));
    this.#owned.add(watcher.onDidDelete((uri) => this.#onFileChanged(uri)));
    return watcher;
  }

  #onFileChanged(uri: vscode.Uri): void {
    if (uri.toString() === this.uri.toString()) this.#scheduleRead();
  }

  #scheduleRead(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      this.#reading = this.#read().then((isNewest) => {
        if (isNewest) this.#onChange();
      });
    }, READ_DELAY_MS);
  }

  /** @returns false if a newer reading started or the follower was disposed */
  async #read(): Promise<boolean> {
    const generation = ++this.#generation;
    try {
      const { configs, rules } = this.#services;
      const { reading, version } = await configs.read(this.uri);
      // The notice respects the severities of project and user too.
      const problems = await rules.applySeverities(this.uri, reading.problems);
      if (generation !== this.#generation) return false;
      this.#applyReading({ ...reading, problems }, version);
    } catch (error) {
      if (generation !== this.#generation) return false;
      this.#problem = errorMessage(error);
    }
    return true;
  }

  #applyReading(reading: ConfigReading, version: number): void {
    // Findings of rules are listed elsewhere; here only the readers' own errors count, unless nothing was read.
    const shownProblems = reading.problems.filter(({ rule }) => !isOnRulesPage(rule) || reading.specs.length === 0);
    this.#problem =
      this.#missingContentMessage() ?? describeFirstError(this.uri, { ...reading, problems: shownProblems }) ?? null;
    const isUsable = reading.specs.length > 0 && (reading.error === null || this.#config === null);
    if (isUsable) {
      const specs = [...reading.specs];
      const findings = toConfigFindings(reading.problems);
      this.#config = { uri: this.uri.toString(), title: configTitle(this.uri), version, specs, ...findings };
    }
    if (reading.specs.length === 0)
      this.#problem ??= l10n.t("No position encoding found in {0}.", configTitle(this.uri));
  }

  /** After a window reload, documents without a file may be empty. */
  #missingContentMessage(): string | undefined {
    const name = this.uri.toString();
    const document = vscode.workspace.textDocuments.find(({ uri }) => uri.toString() === name);
    if (document?.getText() !== "") return undefined;
    if (this.uri.scheme === CLIPBOARD_SCHEME)
      return l10n.t("The clipboard content was too large to keep. Copy it again and re-run the comparison.");
    return this.uri.scheme === "untitled"
      ? l10n.t("The untitled document is empty. Paste a config into it, or compare with another document.")
      : undefined;
  }
}
