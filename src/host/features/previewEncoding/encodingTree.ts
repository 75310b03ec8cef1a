import * as l10n from "@vscode/l10n";
import * as vscode from "vscode";
import type { ChoiceGroup, EncodingChoice } from "../../../core/catalogue/choices.ts";
import { COMMANDS, ENCODINGS_VIEW } from "../../ids.ts";
import { tooltipText } from "../../platform/show.ts";
import type { Services } from "../../services.ts";
import type { ModelChoice } from "./modelChoices.ts";

interface ModelGroup {
  readonly models: readonly ModelChoice[];
}

type EncodingTreeNode = ChoiceGroup | EncodingChoice | ModelGroup | ModelChoice;

/** The Encodings view, grouped as in the pick list and then by model; a click opens the panel. */
export function register(services: Services): vscode.Disposable {
  return vscode.window.registerTreeDataProvider<EncodingTreeNode>(ENCODINGS_VIEW, {
    onDidChangeTreeData: (listener) => services.onDidChangeLanguage(() => listener(undefined)),
    getTreeItem,
    getChildren: async (node) => {
      if (node === undefined) return loadRoots();
      if ("choices" in node) return [...node.choices];
      return "models" in node ? [...node.models] : [];
    },
  });
}

/** Loaded when the view is first shown. */
async function loadRoots(): Promise<EncodingTreeNode[]> {
  const { listEncodingChoices } = await import("../../../core/catalogue/choices.ts");
  const { listModelChoices } = await import("./modelChoices.ts");
  return [...listEncodingChoices(), { models: listModelChoices() }];
}

function getTreeItem(node: EncodingTreeNode): vscode.TreeItem {
  const { Expanded, Collapsed } = vscode.TreeItemCollapsibleState;
  if ("choices" in node) return new vscode.TreeItem(node.label, Expanded);
  if ("models" in node) return new vscode.TreeItem(l10n.t("by model"), Collapsed);
  return "model" in node ? createModelItem(node) : createChoiceItem(node);
}

function createChoiceItem({ encoding, params, name, description, summary }: EncodingChoice): vscode.TreeItem {
  const tooltip = tooltipText(name, description, summary ?? "");
  return createItem(name, description, tooltip, { encoding, changes: params });
}

function createModelItem({ model, encodingTitle, link }: ModelChoice): vscode.TreeItem {
  return createItem(model, encodingTitle, tooltipText(model, encodingTitle), link);
}

function createItem(name: string, description: string, tooltip: string, link: object): vscode.TreeItem {
  const treeItem = new vscode.TreeItem(name, vscode.TreeItemCollapsibleState.None);
  treeItem.description = description;
  treeItem.tooltip = tooltip;
  treeItem.command = { title: name, command: COMMANDS.openPanel, arguments: [link] };
  return treeItem;
}
