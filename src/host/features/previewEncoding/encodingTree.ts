import { t } from "@vscode/l10n";
import * as vscode from "vscode";
import type { ChoiceGroup, EncodingChoice } from "../../../core/encodings/support/choices.ts";
import { COMMANDS, ENCODINGS_VIEW } from "../../ids.ts";
import type { Services } from "../../services.ts";
import type { ModelChoice } from "./modelChoices.ts";

interface ModelGroup {
  readonly models: readonly ModelChoice[];
}

type Node = ChoiceGroup | EncodingChoice | ModelGroup | ModelChoice;

/** The catalogue, grouped as in the pick and then by model; a click shows the encoding. */
export function register(services: Services): vscode.Disposable {
  return vscode.window.registerTreeDataProvider<Node>(ENCODINGS_VIEW, {
    onDidChangeTreeData: (listener) => services.onDidChangeLanguage(() => listener(undefined)),
    getTreeItem,
    getChildren: async (node) => {
      if (node === undefined) return roots();
      if ("choices" in node) return [...node.choices];
      return "models" in node ? [...node.models] : [];
    },
  });
}

/** Loaded when the view is first looked at. */
async function roots(): Promise<Node[]> {
  const { encodingChoices } = await import("../../../core/encodings/support/choices.ts");
  const { modelChoices } = await import("./modelChoices.ts");
  return [...encodingChoices(), { models: modelChoices() }];
}

function getTreeItem(node: Node): vscode.TreeItem {
  const { Expanded, Collapsed } = vscode.TreeItemCollapsibleState;
  if ("choices" in node) return new vscode.TreeItem(node.label, Expanded);
  if ("models" in node) return new vscode.TreeItem(t("by model"), Collapsed);
  return "model" in node ? modelItem(node) : choiceItem(node);
}

function choiceItem({ encoding, changes, name, description, summary }: EncodingChoice): vscode.TreeItem {
  const tooltip = [name, description, summary].filter(Boolean).join("\n");
  return item(name, description, tooltip, { encoding, changes });
}

function modelItem({ model, encoding, link }: ModelChoice): vscode.TreeItem {
  return item(model, encoding, `${model}\n${encoding}`, link);
}

function item(name: string, description: string, tooltip: string, link: object): vscode.TreeItem {
  const made = new vscode.TreeItem(name, vscode.TreeItemCollapsibleState.None);
  made.description = description;
  made.tooltip = tooltip;
  made.command = { title: name, command: COMMANDS.openPanel, arguments: [link] };
  return made;
}
