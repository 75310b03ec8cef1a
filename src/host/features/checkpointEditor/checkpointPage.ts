import * as vscode from "vscode";
import { DisposableStore } from "../../../core/util/disposable.ts";
import { COMMANDS } from "../../ids.ts";
import { fileName } from "../../platform/fileName.ts";
import { reportFailure } from "../../platform/reportFailure.ts";
import type { Services } from "../../services.ts";
import { readCheckpointView } from "./checkpointView.ts";
import { renderCheckpoint } from "./renderCheckpoint.ts";

/** A download writes its file in many pieces; the page waits for a pause. */
const REFRESH_DELAY_MS = 300;

/** One open editor. Its page is rendered again when the file, the rules' severities or the language change. */
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
    // Without scripts, the page can only run these commands through links.
    panel.webview.options = {
      enableScripts: false,
      enableCommandUris: [COMMANDS.previewConfig, COMMANDS.openRule],
      localResourceRoots: [media],
    };
    this.#owned.add(panel.onDidDispose(() => this.#dispose()));
    this.#owned.add(services.rules.onDidChange(() => this.#scheduleShow()));
    this.#owned.add(services.onDidChangeLanguage(() => this.#scheduleShow()));
    this.#watch();
    void this.#show();
  }

  #watch(): void {
    const folder = vscode.Uri.joinPath(this.#uri, "..");
    const name = fileName(this.#uri);
    for (const fileName of [name, "config.json"]) {
      const watcher = this.#owned.add(
        vscode.workspace.createFileSystemWatcher(new vscode.RelativePattern(folder, fileName)),
      );
      for (const event of [watcher.onDidChange, watcher.onDidCreate, watcher.onDidDelete])
        this.#owned.add(
          event(async (uri) => {
            (await this.#services.configs.reader()).forgetSiblings(uri);
            this.#scheduleShow();
          }),
        );
    }
  }

  #scheduleShow(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#show(), REFRESH_DELAY_MS);
  }

  async #show(): Promise<void> {
    const generation = ++this.#generation;
    try {
      const view = await readCheckpointView(this.#services, this.#uri);
      if (generation !== this.#generation) return;
      this.#panel.webview.html = renderCheckpoint(this.#panel.webview, this.#services.extensionUri, view);
    } catch (error) {
      if (generation === this.#generation) reportFailure(this.#services.log, "checkpoint", error);
    }
  }

  #dispose(): void {
    this.#generation++;
    clearTimeout(this.#timer);
    this.#owned.dispose();
  }
}
