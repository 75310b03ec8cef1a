import * as vscode from "vscode";
import { DisposableStore } from "../../../core/util/disposable.ts";
import { MODEL_CONFIG_CONTEXT } from "../../ids.ts";
import type { Services } from "../../services.ts";

/** Keeps the editor's title button in step with what the active editor shows. */
export function register(services: Services): vscode.Disposable {
  const owned = new DisposableStore();
  let newest = 0;
  const update = async () => {
    const mine = ++newest;
    const shown = (await activeConfig(services)) !== undefined;
    if (mine === newest && !owned.isDisposed)
      await vscode.commands.executeCommand("setContext", MODEL_CONFIG_CONTEXT, shown);
  };
  owned.add(vscode.window.onDidChangeActiveTextEditor(() => void update()));
  owned.add(
    vscode.workspace.onDidChangeTextDocument(({ document }) => {
      if (document === vscode.window.activeTextEditor?.document) void update();
    }),
  );
  void update();
  return owned;
}

/** The config that the active editor shows. */
export async function activeConfig({ configs }: Services): Promise<vscode.Uri | undefined> {
  const document = vscode.window.activeTextEditor?.document;
  return document !== undefined && (await configs.isConfig(document)) ? document.uri : undefined;
}
