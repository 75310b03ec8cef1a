import * as vscode from "vscode";
import { DisposableStore } from "../../../core/util/disposable.ts";
import { COMMANDS } from "../../ids.ts";
import { reportFailure } from "../../platform/failure.ts";
import type { Services } from "../../services.ts";
import { forgetSiblings } from "../../stores/siblings.ts";
import { checkpointHtml } from "./checkpointHtml.ts";
import { checkpointView } from "./checkpointView.ts";

/** A download writes its file in many pieces. */
const PAUSE = 300;

/** One open editor: its page is made anew when the file, the rules' severities or the language change. */
export class CheckpointPage {
  readonly #services: Services;
  readonly #uri: vscode.Uri;
  readonly #panel: vscode.WebviewPanel;
  readonly #owned = new DisposableStore();
  #generation = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(services: Services, uri: vscode.Uri, panel: vscode.WebviewPanel) {
    this.#services = services;
    this.#uri = uri;
    this.#panel = panel;
    const media = vscode.Uri.joinPath(services.extensionUri, "media");
    // The page has no scripts: what can be done there are links to these commands.
    panel.webview.options = {
      enableScripts: false,
      enableCommandUris: [COMMANDS.previewConfig, COMMANDS.openRule],
      localResourceRoots: [media],
    };
    this.#owned.add(panel.onDidDispose(() => this.#end()));
    this.#owned.add(services.rules.onDidChange(() => this.#showSoon()));
    this.#owned.add(services.onDidChangeLanguage(() => this.#showSoon()));
    this.#watch();
    void this.#show();
  }

  #watch(): void {
    const folder = vscode.Uri.joinPath(this.#uri, "..");
    const name = this.#uri.path.slice(this.#uri.path.lastIndexOf("/") + 1);
    for (const each of [name, "config.json"]) {
      const watcher = this.#owned.add(
        vscode.workspace.createFileSystemWatcher(new vscode.RelativePattern(folder, each)),
      );
      for (const event of [watcher.onDidChange, watcher.onDidCreate, watcher.onDidDelete])
        this.#owned.add(
          event((uri) => {
            forgetSiblings(uri);
            this.#showSoon();
          }),
        );
    }
  }

  #showSoon(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#show(), PAUSE);
  }

  async #show(): Promise<void> {
    const generation = ++this.#generation;
    try {
      const view = await checkpointView(this.#services, this.#uri);
      if (generation !== this.#generation) return;
      this.#panel.webview.html = checkpointHtml(this.#panel.webview, this.#services.extensionUri, view);
    } catch (error) {
      if (generation === this.#generation) reportFailure(this.#services.log, "checkpoint", error);
    }
  }

  #end(): void {
    this.#generation++;
    clearTimeout(this.#timer);
    this.#owned.dispose();
  }
}
