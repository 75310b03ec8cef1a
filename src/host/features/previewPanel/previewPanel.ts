import * as vscode from "vscode";
import { DisposableStore } from "../../../core/util/disposable.ts";
import { PANEL_TYPE } from "../../ids.ts";
import type { Services } from "../../services.ts";
import { lazy } from "../../stores/lazy.ts";

/** Registers the panel and restores panels after a window reload. */
export function register(services: Services): vscode.Disposable {
  const owned = new DisposableStore();
  // Loaded with the first panel, to keep encodings and message schemas out of activation.
  const panels = lazy(async () => owned.add(new (await import("./panels.ts")).Panels(services)));
  owned.add(services.panels.setHandler(async (request) => (await panels()).show(request)));
  owned.add(
    vscode.window.registerWebviewPanelSerializer(PANEL_TYPE, {
      deserializeWebviewPanel: async (panel, saved) => (await panels()).restore(panel, saved),
    }),
  );
  return owned;
}
