import { t } from "@vscode/l10n";
import * as vscode from "vscode";
import type { ConfigReading } from "../../../core/config/readConfig.ts";
import type { BoundConfig } from "../../../core/protocol/messages.ts";
import { DisposableStore } from "../../../core/util/disposable.ts";
import { CLIPBOARD_SCHEME } from "../../ids.ts";
import { configTitle } from "../../platform/configTitle.ts";
import { describeReading } from "../../platform/describeReading.ts";
import type { Services } from "../../services.ts";
import { findingsOf } from "./findings.ts";

/** Typing comes in bursts; one reading after each is enough for a live picture. */
const PAUSE = 40;

/** Documents without a file that another program could change. */
const MEMORY_SCHEMES = new Set(["untitled", "git", CLIPBOARD_SCHEME]);

/**
 * Keeps the last good reading of a config while the document is edited, saved elsewhere or unreadable for a
 * moment. The newest reading wins.
 */
export class ConfigFollower implements vscode.Disposable {
  readonly uri: vscode.Uri;
  readonly #services: Services;
  readonly #owned = new DisposableStore();
  readonly #changed: () => void;
  #config: BoundConfig | null = null;
  #problem: string | null = null;
  #generation = 0;
  #reading: Promise<void>;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(services: Services, uri: vscode.Uri, changed: () => void) {
    this.#services = services;
    this.uri = uri;
    this.#changed = changed;
    this.#owned.add(vscode.workspace.onDidChangeTextDocument((event) => this.#noticeDocument(event.document.uri)));
    this.#owned.add(services.onDidChangeLanguage(() => this.#readSoon()));
    this.#owned.add(services.rules.onDidChange(() => this.#readSoon()));
    this.#owned.add(services.configs.onDidChangeBeside(() => this.#readSoon()));
    if (!MEMORY_SCHEMES.has(uri.scheme)) this.#owned.add(this.#watch());
    this.#owned.add({ dispose: () => clearTimeout(this.#timer) });
    this.#reading = this.#read().then(() => undefined);
  }

  /** The last good reading. */
  get config(): BoundConfig | null {
    return this.#config;
  }

  /** Why the config as it is now cannot be shown. */
  get problem(): string | null {
    return this.#problem;
  }

  /** Resolves when no reading is under way. */
  settled(): Promise<void> {
    return this.#reading;
  }

  /** Reads without waiting for a pause, and tells of it. */
  async readNow(): Promise<void> {
    clearTimeout(this.#timer);
    const reading = this.#read();
    this.#reading = reading.then(() => undefined);
    if (await reading) this.announce();
  }

  /** Tells of the reading that there is. */
  announce(): void {
    if (!this.#owned.isDisposed) this.#changed();
  }

  dispose(): void {
    this.#generation++;
    this.#owned.dispose();
  }

  /** Changes made by other programs reach VS Code's document only while it is loaded, so the file is watched too. */
  #watch(): vscode.Disposable {
    const folder = vscode.Uri.joinPath(this.uri, "..");
    const name = this.uri.path.slice(this.uri.path.lastIndexOf("/") + 1);
    const watcher = vscode.workspace.createFileSystemWatcher(new vscode.RelativePattern(folder, name));
    this.#owned.add(watcher.onDidChange((uri) => this.#noticeDocument(uri)));
    this.#owned.add(watcher.onDidCreate((uri) => this.#noticeDocument(uri)));
    this.#owned.add(watcher.onDidDelete((uri) => this.#noticeDocument(uri)));
    return watcher;
  }

  #noticeDocument(uri: vscode.Uri): void {
    if (uri.toString() === this.uri.toString()) this.#readSoon();
  }

  #readSoon(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      this.#reading = this.#read().then((isNewest) => {
        if (isNewest) this.#changed();
      });
    }, PAUSE);
  }

  /** @returns false when another reading began meanwhile, or nobody wants it any more */
  async #read(): Promise<boolean> {
    const generation = ++this.#generation;
    try {
      const { configs, rules } = this.#services;
      const { reading, version } = await configs.read(this.uri);
      // The notice too is about what the project and the user want to hear of.
      const problems = await rules.of(this.uri, reading.problems);
      if (generation !== this.#generation) return false;
      this.#keep({ ...reading, problems }, version);
    } catch (error) {
      if (generation !== this.#generation) return false;
      this.#problem = error instanceof Error ? error.message : String(error);
    }
    return true;
  }

  #keep(reading: ConfigReading, version: number): void {
    // What only a rule minds is read all the same: it is among the findings.
    const unread = reading.problems.filter(({ rule }) => rule.startsWith("config/") || reading.specs.length === 0);
    this.#problem = this.#gone() ?? describeReading(this.uri, { ...reading, problems: unread }) ?? null;
    const usable = reading.specs.length > 0 && (reading.error === null || this.#config === null);
    if (usable) {
      const specs = [...reading.specs];
      const findings = findingsOf(reading.problems);
      this.#config = { uri: this.uri.toString(), title: configTitle(this.uri), version, specs, ...findings };
    }
    if (reading.specs.length === 0) this.#problem ??= t("No position encoding found in {0}.", configTitle(this.uri));
  }

  /** Documents without a file may be empty after a reload of the window. */
  #gone(): string | undefined {
    const name = this.uri.toString();
    const document = vscode.workspace.textDocuments.find(({ uri }) => uri.toString() === name);
    if (document?.getText() !== "") return undefined;
    if (this.uri.scheme === CLIPBOARD_SCHEME)
      return t("The clipboard content was too large to keep. Copy it again and re-run the comparison.");
    return this.uri.scheme === "untitled"
      ? t("The untitled document is empty. Paste a config into it, or compare with another document.")
      : undefined;
  }
}
