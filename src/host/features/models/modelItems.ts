import * as vscode from "vscode";
import { summarise } from "../../../core/config/summarise.ts";
import { findingsInWords, type Verdict } from "../../platform/findingsInWords.ts";
import type { Services } from "../../services.ts";
import type { ModelNode } from "./modelTree.ts";

function folderName(uri: vscode.Uri): string {
  const root = vscode.workspace.getWorkspaceFolder(uri);
  return root?.uri.toString() === uri.toString() ? root.name : vscode.workspace.asRelativePath(uri);
}

export function folderItem(uri: vscode.Uri): vscode.TreeItem {
  const item = new vscode.TreeItem(folderName(uri), vscode.TreeItemCollapsibleState.Expanded);
  item.id = uri.toString();
  item.iconPath = vscode.ThemeIcon.Folder;
  return item;
}

/** What the file's encodings are and what was found in it: as a colour, a shape and words. */
export async function modelItem({ rules }: Services, { uri, reading, alone }: ModelNode): Promise<vscode.TreeItem> {
  const verdict = findingsInWords(reading.error, await rules.of(uri, reading.problems));
  const file = uri.path.split("/").at(-1) ?? uri.path;
  const name = alone ? folderName(vscode.Uri.joinPath(uri, "..")) : file;
  const said = [summarise(reading.specs), verdict.words].filter(Boolean);
  const item = new vscode.TreeItem(name, vscode.TreeItemCollapsibleState.None);
  item.id = uri.toString();
  item.description = said.join(" — ");
  item.tooltip = [vscode.workspace.asRelativePath(uri), ...said].join("\n");
  item.accessibilityInformation = { label: [name, ...said].join(", ") };
  item.iconPath = iconOf(verdict);
  item.contextValue = "model";
  item.command = { title: name, command: "vscode.open", arguments: [uri] };
  return item;
}

function iconOf({ worst }: Verdict): vscode.ThemeIcon {
  switch (worst) {
    case "error":
      return new vscode.ThemeIcon("error", new vscode.ThemeColor("list.errorForeground"));
    case "warning":
      return new vscode.ThemeIcon("warning", new vscode.ThemeColor("list.warningForeground"));
    case "info":
      return new vscode.ThemeIcon("info");
    case undefined:
      return new vscode.ThemeIcon("symbol-ruler");
  }
}
