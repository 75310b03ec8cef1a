import * as vscode from "vscode";
import { DisposableStore } from "../../../core/util/disposable.ts";
import { MODEL_CONFIG_CONTEXT } from "../../ids.ts";
import type { Services } from "../../services.ts";

/** Shows the editor's title button while the active editor contains a model config. */
export function register(services: Services): vscode.Disposable {
  const owned = new DisposableStore();
  let latestUpdate = 0;
  const update = async () => {
    const thisUpdate = ++latestUpdate;
    const isConfig = (await activeConfig(services)) !== undefined;
    if (thisUpdate === latestUpdate && !owned.isDisposed)
      await vscode.commands.executeCommand("setContext", MODEL_CONFIG_CONTEXT, isConfig);
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

/** The config in the active editor. */
export async function activeConfig({ configs }: Services): Promise<vscode.Uri | undefined> {
  const document = vscode.window.activeTextEditor?.document;
  return document !== undefined && (await configs.isConfig(document)) ? document.uri : undefined;
}
