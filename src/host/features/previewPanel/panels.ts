import * as vscode from "vscode";
import { readPanelState } from "../../../core/protocol/guards.ts";
import { initialPanelState, type PanelState } from "../../../core/protocol/state.ts";
import { PANEL_TYPE } from "../../ids.ts";
import { pageResourceRoots } from "../../platform/webviewHtml.ts";
import type { Services } from "../../services.ts";
import type { PanelRequest } from "../../stores/panelOpener.ts";
import { PreviewSession } from "./previewSession.ts";

/** There is one panel per config, one per encoding without a config, and one for the guided path. */
function panelKey(state: PanelState): string {
  return state.lesson === null ? (state.config?.uri ?? state.encoding) : "guided path";
}

/** A request for the same panel without changes only reveals it as the user left it. */
function requestsNothingNew(current: PanelState, requested: PanelState): boolean {
  if (requested.lesson !== null) return requested.lesson === current.lesson;
  const isPlain = Object.keys(requested.changes).length === 0 && requested.given === null && requested.compare === null;
  return isPlain && current.config?.index === requested.config?.index;
}

/** All open panels. */
export class Panels implements vscode.Disposable {
  readonly #services: Services;
  readonly #sessions = new Set<PreviewSession>();

  constructor(services: Services) {
    this.#services = services;
  }

  show({ state, preserveFocus, replaceState = false }: PanelRequest): void {
    const open = [...this.#sessions].find((session) => panelKey(session.state) === panelKey(state));
    if (open !== undefined) {
      if (!replaceState && requestsNothingNew(open.state, state)) open.reveal(preserveFocus);
      else open.show(state, preserveFocus);
      return;
    }
    // A comparison shows three figures and needs the full editor width, as does the path; a single one opens beside.
    const { Active, Beside } = vscode.ViewColumn;
    const isWide = state.compare !== null || state.lesson !== null;
    const column = { viewColumn: isWide ? Active : Beside, preserveFocus };
    this.#openSession(vscode.window.createWebviewPanel(PANEL_TYPE, "", column), state);
  }

  restore(panel: vscode.WebviewPanel, saved: unknown): void {
    const state = readPanelState(saved);
    if (state === undefined) this.#services.log.warn("a saved panel could not be read; it starts afresh");
    this.#openSession(panel, state ?? initialPanelState("rope"));
  }

  dispose(): void {
    for (const session of [...this.#sessions]) session.dispose();
  }

  #openSession(panel: vscode.WebviewPanel, state: PanelState): void {
    panel.webview.options = { enableScripts: true, localResourceRoots: pageResourceRoots(this.#services.extensionUri) };
    panel.iconPath = vscode.Uri.joinPath(this.#services.extensionUri, "media", "icon.png");
    const onDispose = (session: PreviewSession) => this.#sessions.delete(session);
    this.#sessions.add(new PreviewSession(this.#services, panel, state, onDispose));
  }
}
