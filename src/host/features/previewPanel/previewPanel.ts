import * as vscode from "vscode";
import { DisposableStore } from "../../../core/util/disposable.ts";
import { PANEL_TYPE } from "../../ids.ts";
import type { Services } from "../../services.ts";
import type { Panels } from "./panels.ts";

/** Panels with matrices, beside the editor; they come back after a reload of the window. */
export function register(services: Services): vscode.Disposable {
  const owned = new DisposableStore();
  let loaded: Promise<Panels> | undefined;
  // Encodings, messages and their guards come with the first panel: a start need not wait for them.
  const panels = () => (loaded ??= import("./panels.ts").then((module) => owned.add(new module.Panels(services))));
  owned.add(services.panels.answer(async (request) => (await panels()).show(request)));
  owned.add(
    vscode.window.registerWebviewPanelSerializer(PANEL_TYPE, {
      deserializeWebviewPanel: async (panel, saved) => (await panels()).restore(panel, saved),
    }),
  );
  return owned;
}
