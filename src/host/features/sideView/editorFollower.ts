import * as l10n from "@vscode/l10n";
import * as vscode from "vscode";
import type { SideDisplay, SideSubject } from "../../../core/protocol/side.ts";
import { DisposableStore } from "../../../core/util/disposable.ts";
import { PANEL_TYPE } from "../../ids.ts";
import { findNotebook } from "../../platform/notebooks.ts";
import type { Services } from "../../services.ts";
import { type ActiveLocation, activeLocation } from "./activeLocation.ts";
import { readSubject, type SubjectReading } from "./readSubject.ts";

/** Typing comes in bursts; one reading after each keeps the view live. */
const EDIT_DELAY_MS = 40;
/** An arrow key that is held down passes over places that nobody wants to read. */
const CURSOR_DELAY_MS = 120;

const NOTHING_SHOWN: SideDisplay = { subject: null, current: false, problem: null };

/**
 * Follows the active file while the view is visible. The newest reading wins; if a file is unreadable or has no
 * position encoding, the previous content stays.
 */
export class EditorFollower implements vscode.Disposable {
  readonly #services: Services;
  readonly #onChange: () => void;
  #listening = new DisposableStore();
  #isWatching = false;
  #shown = NOTHING_SHOWN;
  #generation = 0;
  #reading: Promise<void> = Promise.resolve();
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(services: Services, onChange: () => void) {
    this.#services = services;
    this.#onChange = onChange;
  }

  get shown(): SideDisplay {
    return this.#shown;
  }

  /** Resolves when no reading is in progress. */
  whenIdle(): Promise<void> {
    return this.#reading;
  }

  /** Reads and listens only while the view is visible. */
  setWatching(on: boolean): void {
    if (on === this.#isWatching) return;
    this.#isWatching = on;
    if (on) this.#listen();
    else this.#stop();
  }

  dispose(): void {
    this.setWatching(false);
  }

  #stop(): void {
    clearTimeout(this.#timer);
    this.#generation++;
    this.#listening.dispose();
  }

  #listen(): void {
    this.#listening = new DisposableStore();
    const { window, workspace } = vscode;
    const now = () => this.#startReading();
    for (const event of [
      window.onDidChangeActiveTextEditor,
      window.onDidChangeActiveNotebookEditor,
      window.onDidChangeNotebookEditorSelection,
      window.tabGroups.onDidChangeTabs,
      this.#services.rules.onDidChange,
      this.#services.onDidChangeLanguage,
    ] as const)
      this.#listening.add(event(now));
    this.#listening.add(
      workspace.onDidChangeTextDocument(({ document }) => {
        if (document === activeLocation()?.document) this.#scheduleRead(EDIT_DELAY_MS);
      }),
    );
    this.#listening.add(
      window.onDidChangeTextEditorSelection(({ textEditor }) => {
        if (textEditor.document === activeLocation()?.document) this.#scheduleRead(CURSOR_DELAY_MS);
      }),
    );
    this.#startReading();
  }

  #scheduleRead(pause: number): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#startReading(), pause);
  }

  #startReading(): void {
    clearTimeout(this.#timer);
    const generation = ++this.#generation;
    this.#reading = this.#read(() => generation !== this.#generation);
  }

  async #read(isOutdated: () => boolean): Promise<void> {
    const location = activeLocation();
    let reading: SubjectReading | undefined;
    try {
      reading = location === undefined ? undefined : await readSubject(this.#services, location, isOutdated);
    } catch (error) {
      this.#services.log.error("side view", error instanceof Error ? error : String(error));
    }
    if (isOutdated()) return;
    this.#shown = this.#nextShown(location, reading);
    this.#onChange();
  }

  #nextShown(location: ActiveLocation | undefined, reading: SubjectReading | undefined): SideDisplay {
    const { subject } = this.#shown;
    const isSameFile = location !== undefined && fileUri(location) === subject?.uri;
    if (reading === undefined) {
      if (isSameFile)
        return { subject, current: true, problem: l10n.t("This file no longer contains a position encoding.") };
      return { subject, current: location === undefined && subject !== null && isVisible(subject), problem: null };
    }
    if (reading.readable) return { subject: reading.subject, current: true, problem: null };
    if (!isSameFile || subject?.kind !== "config")
      return {
        subject: reading.subject,
        current: true,
        problem: l10n.t("Part of the file could not be read; showing the rest."),
      };
    // Unreadable while being typed: keep the last good content.
    const lastReadable = { ...subject, findings: reading.subject.findings };
    return {
      subject: lastReadable,
      current: true,
      problem: l10n.t("The file cannot be read; showing its last readable version."),
    };
  }
}

/** URI of the file; for a cell, that of its notebook. */
function fileUri({ uri, document }: ActiveLocation): string {
  return ((document && findNotebook(document)?.uri) ?? uri).toString();
}

/** While a panel has focus there is no active editor, but the file may still be visible. */
function isVisible({ uri, title }: SideSubject): boolean {
  const { visibleTextEditors, visibleNotebookEditors, tabGroups } = vscode.window;
  const documents = visibleTextEditors.map(({ document }) => document);
  const files = [...documents, ...visibleNotebookEditors.map(({ notebook }) => notebook)];
  const { input = undefined, label = "" } = tabGroups.activeTabGroup.activeTab ?? {};
  const isPanel = input instanceof vscode.TabInputWebview && input.viewType.endsWith(PANEL_TYPE);
  return (isPanel && label === title) || files.some((file) => file.uri.toString() === uri);
}
