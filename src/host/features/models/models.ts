import { t } from "@vscode/l10n";
import * as vscode from "vscode";
import { DisposableStore } from "../../../core/util/disposable.ts";
import { MODELS_VIEW } from "../../ids.ts";
import { reportFailure } from "../../platform/failure.ts";
import type { Services } from "../../services.ts";
import type { ModelTree, Node } from "./modelTree.ts";

/** The view of the workspace's models. Nothing is loaded, and no file is read, until it is first looked at. */
export function register(services: Services): vscode.Disposable {
  const owned = new DisposableStore();
  const changed = owned.add(new vscode.EventEmitter<Node[] | undefined>());
  let loaded: Promise<ModelTree> | undefined;
  const load = async () => {
    await loadInParts();
    const { ModelTree } = await import("./modelTree.ts");
    const say = (message: string | undefined) => {
      view.message = message ?? "";
    };
    const count = (wrong: number) => {
      view.badge = wrong === 0 ? undefined : { value: wrong, tooltip: badgeText(wrong) };
    };
    const fire = (nodes: readonly Node[] | undefined) => changed.fire(nodes && [...nodes]);
    return owned.add(new ModelTree(services, { say, count, changed: fire }));
  };
  const tree = () => (loaded ??= load());
  const view: vscode.TreeView<Node> = vscode.window.createTreeView<Node>(MODELS_VIEW, {
    showCollapseAll: true,
    treeDataProvider: {
      onDidChangeTreeData: changed.event,
      getTreeItem: async (node) => (await tree()).item(node),
      getChildren: async (node) => [...(await (await tree()).children(node))],
    },
  });
  owned.add(view);
  owned.add(
    services.modelScans.event(async (asked) => {
      try {
        const model = await tree();
        if (asked === "cancel") model.cancel();
        else await model.rescan();
      } catch (error) {
        reportFailure(services.log, MODELS_VIEW, error);
      }
    }),
  );
  return owned;
}

/** What a search needs, with other work let in between: all of it at once would keep the host for a visible moment. */
async function loadInParts(): Promise<void> {
  const parts = [
    () => import("../../../core/encodings/index.ts"),
    () => import("../../../core/config/frameworks/readYamlConfig.ts"),
    () => import("../../../core/config/readConfig.ts"),
  ];
  for (const part of parts) {
    await part();
    await new Promise<void>((resolve) => setTimeout(resolve, 0));
  }
}

function badgeText(wrong: number): string {
  return wrong === 1 ? t("1 model with errors or warnings") : t("{0} models with errors or warnings", wrong);
}
