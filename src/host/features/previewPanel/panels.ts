import * as vscode from "vscode";
import { readPanelState } from "../../../core/protocol/guards.ts";
import { initialPanelState, type PanelState } from "../../../core/protocol/state.ts";
import { PANEL_TYPE } from "../../ids.ts";
import { pageRoots } from "../../platform/webviewHtml.ts";
import type { Services } from "../../services.ts";
import type { PanelRequest } from "../../stores/panelOpener.ts";
import { PreviewSession } from "./previewSession.ts";

/** One panel for each config, and one for each encoding without a config. */
function subjectOf(state: PanelState): string {
  return state.config?.uri ?? state.encoding;
}

/** Asking for the same subject again brings the panel forward as the user left it. */
function asksNothingNew(shown: PanelState, asked: PanelState): boolean {
  const free = Object.keys(asked.changes).length === 0 && asked.given === null && asked.compare === null;
  return free && shown.config?.index === asked.config?.index;
}

/** All open panels. */
export class Panels implements vscode.Disposable {
  readonly #services: Services;
  readonly #sessions = new Set<PreviewSession>();

  constructor(services: Services) {
    this.#services = services;
  }

  show({ state, preserveFocus, exactly = false }: PanelRequest): void {
    const open = [...this.#sessions].find((session) => subjectOf(session.state) === subjectOf(state));
    if (open !== undefined) {
      if (!exactly && asksNothingNew(open.state, state)) open.reveal(preserveFocus);
      else open.show(state, preserveFocus);
      return;
    }
    // Three pictures want the room of an editor; one stands beside what it is of.
    const { Active, Beside } = vscode.ViewColumn;
    const column = { viewColumn: state.compare === null ? Beside : Active, preserveFocus };
    this.#adopt(vscode.window.createWebviewPanel(PANEL_TYPE, "", column), state);
  }

  restore(panel: vscode.WebviewPanel, saved: unknown): void {
    const state = readPanelState(saved);
    if (state === undefined) this.#services.log.warn("a saved panel could not be read; it starts afresh");
    this.#adopt(panel, state ?? initialPanelState("rope"));
  }

  dispose(): void {
    for (const session of [...this.#sessions]) session.dispose();
  }

  #adopt(panel: vscode.WebviewPanel, state: PanelState): void {
    panel.webview.options = { enableScripts: true, localResourceRoots: pageRoots(this.#services.extensionUri) };
    panel.iconPath = vscode.Uri.joinPath(this.#services.extensionUri, "media", "icon.png");
    const ended = (session: PreviewSession) => this.#sessions.delete(session);
    this.#sessions.add(new PreviewSession(this.#services, panel, state, ended));
  }
}
