import * as l10n from "@vscode/l10n";
import * as vscode from "vscode";
import { DisposableStore } from "../../../core/util/disposable.ts";
import { MODELS_VIEW } from "../../ids.ts";
import { reportFailure } from "../../platform/reportFailure.ts";
import type { Services } from "../../services.ts";
import { lazy } from "../../stores/lazy.ts";
import type { ModelTreeNode } from "./modelTree.ts";

/** The Models view. Nothing is loaded or read until it is first shown. */
export function register(services: Services): vscode.Disposable {
  const owned = new DisposableStore();
  const changed = owned.add(new vscode.EventEmitter<ModelTreeNode[] | undefined>());
  const getTree = lazy(async () => {
    await loadInParts();
    const { ModelTree } = await import("./modelTree.ts");
    const showMessage = (message: string | undefined) => {
      view.message = message ?? "";
    };
    const showProblemCount = (problemCount: number) => {
      view.badge = problemCount === 0 ? undefined : { value: problemCount, tooltip: badgeText(problemCount) };
    };
    const fire = (nodes: readonly ModelTreeNode[] | undefined) => changed.fire(nodes && [...nodes]);
    return owned.add(new ModelTree(services, { showMessage, showProblemCount, refresh: fire }));
  });
  const view: vscode.TreeView<ModelTreeNode> = vscode.window.createTreeView<ModelTreeNode>(MODELS_VIEW, {
    showCollapseAll: true,
    treeDataProvider: {
      onDidChangeTreeData: changed.event,
      getTreeItem: async (node) => (await getTree()).createItem(node),
      getChildren: async (node) => [...(await (await getTree()).children(node))],
    },
  });
  owned.add(view);
  owned.add(
    services.scanRequests.event(async (request) => {
      try {
        const loadedTree = await getTree();
        if (request === "cancel") loadedTree.cancel();
        else await loadedTree.rescan();
      } catch (error) {
        reportFailure(services.log, MODELS_VIEW, error);
      }
    }),
  );
  return owned;
}

/** Loads what a scan needs in steps: all at once would block the host noticeably. */
async function loadInParts(): Promise<void> {
  const imports = [
    () => import("../../../core/encodings/index.ts"),
    () => import("../../../core/config/frameworks/readYamlConfig.ts"),
    () => import("../../../core/config/readConfig.ts"),
  ];
  for (const load of imports) {
    await load();
    await new Promise<void>((resolve) => setTimeout(resolve, 0));
  }
}

function badgeText(problemCount: number): string {
  return problemCount === 1
    ? l10n.t("1 model with errors or warnings")
    : l10n.t("{0} models with errors or warnings", problemCount);
}
