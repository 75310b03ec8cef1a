import { t } from "@vscode/l10n";
import * as vscode from "vscode";
import type { SideShown, SideSubject } from "../../../core/protocol/side.ts";
import { DisposableStore } from "../../../core/util/disposable.ts";
import { PANEL_TYPE } from "../../ids.ts";
import { notebookOf } from "../../platform/notebooks.ts";
import type { Services } from "../../services.ts";
import { type Place, placeInFront } from "./activeLocation.ts";
import { type Found, subjectAt } from "./subjectAt.ts";

/** Typing comes in bursts; one reading after each is enough for a live picture. */
const AFTER_EDIT = 40;
/** A cursor that is held down passes over what nobody wants to read. */
const AFTER_MOVE = 120;

const NOTHING: SideShown = { subject: null, current: false, problem: null };

/**
 * What the file in front says of positions, kept up while someone looks. The newest reading wins; what cannot be
 * read, or says nothing, leaves what was shown last.
 */
export class EditorFollower implements vscode.Disposable {
  readonly #services: Services;
  readonly #changed: () => void;
  #listening = new DisposableStore();
  #watching = false;
  #shown = NOTHING;
  #generation = 0;
  #looking: Promise<void> = Promise.resolve();
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(services: Services, changed: () => void) {
    this.#services = services;
    this.#changed = changed;
  }

  get shown(): SideShown {
    return this.#shown;
  }

  /** Resolves when no reading is under way. */
  settled(): Promise<void> {
    return this.#looking;
  }

  /** Nothing is read, and nothing listened to, while nobody can see it. */
  watch(on: boolean): void {
    if (on === this.#watching) return;
    this.#watching = on;
    if (on) this.#listen();
    else this.#stop();
  }

  dispose(): void {
    this.watch(false);
  }

  #stop(): void {
    clearTimeout(this.#timer);
    this.#generation++;
    this.#listening.dispose();
  }

  #listen(): void {
    this.#listening = new DisposableStore();
    const { window, workspace } = vscode;
    const now = () => this.#look();
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
        if (document === placeInFront()?.document) this.#lookAfter(AFTER_EDIT);
      }),
    );
    this.#listening.add(
      window.onDidChangeTextEditorSelection(({ textEditor }) => {
        if (textEditor.document === placeInFront()?.document) this.#lookAfter(AFTER_MOVE);
      }),
    );
    this.#look();
  }

  #lookAfter(pause: number): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#look(), pause);
  }

  #look(): void {
    clearTimeout(this.#timer);
    const mine = ++this.#generation;
    this.#looking = this.#read(() => mine !== this.#generation);
  }

  async #read(outdated: () => boolean): Promise<void> {
    const place = placeInFront();
    let found: Found | undefined;
    try {
      found = place === undefined ? undefined : await subjectAt(this.#services, place, outdated);
    } catch (error) {
      this.#services.log.error("side view", error instanceof Error ? error : String(error));
    }
    if (outdated()) return;
    this.#shown = this.#next(place, found);
    this.#changed();
  }

  #next(place: Place | undefined, found: Found | undefined): SideShown {
    const { subject } = this.#shown;
    const same = place !== undefined && fileOf(place) === subject?.uri;
    if (found === undefined) {
      if (same) return { subject, current: true, problem: t("This file no longer contains a position encoding.") };
      return { subject, current: place === undefined && subject !== null && isOnScreen(subject), problem: null };
    }
    if (found.readable) return { subject: found.subject, current: true, problem: null };
    if (!same || subject?.kind !== "config")
      return {
        subject: found.subject,
        current: true,
        problem: t("Part of the file could not be read; showing the rest."),
      };
    // An unreadable moment of typing.
    const kept = { ...subject, findings: found.subject.findings };
    return {
      subject: kept,
      current: true,
      problem: t("The file cannot be read; showing its last readable version."),
    };
  }
}

/** A cell's file is its notebook. */
function fileOf({ uri, document }: Place): string {
  return ((document && notebookOf(document)?.uri) ?? uri).toString();
}

/** With the keyboard in a panel no editor is the active one, and nothing has changed. */
function isOnScreen({ uri, title }: SideSubject): boolean {
  const { visibleTextEditors, visibleNotebookEditors, tabGroups } = vscode.window;
  const documents = visibleTextEditors.map(({ document }) => document);
  const files = [...documents, ...visibleNotebookEditors.map(({ notebook }) => notebook)];
  const { input = undefined, label = "" } = tabGroups.activeTabGroup.activeTab ?? {};
  const isPanel = input instanceof vscode.TabInputWebview && input.viewType.endsWith(PANEL_TYPE);
  return (isPanel && label === title) || files.some((file) => file.uri.toString() === uri);
}
