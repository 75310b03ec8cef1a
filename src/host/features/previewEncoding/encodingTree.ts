import * as vscode from "vscode";
import type { ChoiceGroup, EncodingChoice } from "../../../core/encodings/encodingChoices.ts";
import { COMMANDS, ENCODINGS_VIEW } from "../../ids.ts";
import type { Services } from "../../services.ts";

type Node = ChoiceGroup | EncodingChoice;

/** The catalogue, grouped as in the pick; a click shows the encoding. */
export function register(services: Services): vscode.Disposable {
  return vscode.window.registerTreeDataProvider<Node>(ENCODINGS_VIEW, {
    onDidChangeTreeData: (listener) => services.onDidChangeLanguage(() => listener(undefined)),
    getTreeItem: (node) => ("choices" in node ? groupItem(node) : choiceItem(node)),
    getChildren: async (node) => {
      if (node !== undefined) return "choices" in node ? [...node.choices] : [];
      // Loaded when the view is first looked at.
      return (await import("../../../core/encodings/encodingChoices.ts")).encodingChoices();
    },
  });
}

function groupItem({ label }: ChoiceGroup): vscode.TreeItem {
  return new vscode.TreeItem(label, vscode.TreeItemCollapsibleState.Expanded);
}

function choiceItem({ encoding, changes, name, description, summary }: EncodingChoice): vscode.TreeItem {
  const item = new vscode.TreeItem(name, vscode.TreeItemCollapsibleState.None);
  item.description = description;
  item.tooltip = [name, description, summary].filter(Boolean).join("\n");
  item.command = { title: name, command: COMMANDS.openPanel, arguments: [{ encoding, changes }] };
  return item;
}
