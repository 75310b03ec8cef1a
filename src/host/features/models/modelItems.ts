import * as vscode from "vscode";
import { summarise } from "../../../core/config/report/summarise.ts";
import { CHECKPOINT_EDITOR } from "../../ids.ts";
import { findingsInWords, type Verdict } from "../../platform/findingsInWords.ts";
import { hubFolder } from "../../platform/hubFolder.ts";
import type { Services } from "../../services.ts";
import { kindOf } from "../../stores/modelFiles.ts";
import type { ModelNode } from "./modelTree.ts";
import type { Model } from "./scan.ts";

/** A model of Hugging Face's cache has its own name; the snapshot's folder says only which commit. */
function folderName(uri: vscode.Uri): string {
  const cached = hubFolder(uri.path);
  if (cached !== undefined) return `${cached.name} @ ${cached.revision}`;
  const root = vscode.workspace.getWorkspaceFolder(uri);
  return root?.uri.toString() === uri.toString() ? root.name : vscode.workspace.asRelativePath(uri);
}

export function folderItem(uri: vscode.Uri): vscode.TreeItem {
  const item = new vscode.TreeItem(folderName(uri), vscode.TreeItemCollapsibleState.Expanded);
  item.id = uri.toString();
  item.iconPath = vscode.ThemeIcon.Folder;
  return item;
}

/** How a model stands under the severities that hold for its file. */
export async function verdictOn({ rules }: Services, { uri, reading }: Model): Promise<Verdict> {
  return findingsInWords(reading.error, await rules.of(uri, reading.problems));
}

/** What the file's encodings are and what was found in it: as a colour, a shape and words. */
export async function modelItem(services: Services, { uri, reading, alone }: ModelNode): Promise<vscode.TreeItem> {
  const verdict = await verdictOn(services, { uri, reading });
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
  item.command = openCommand(name, uri);
  return item;
}

/** Weights have no text: they open in the editor that shows their head. */
function openCommand(title: string, uri: vscode.Uri): vscode.Command {
  if (kindOf(uri) !== "checkpoint") return { title, command: "vscode.open", arguments: [uri] };
  return { title, command: "vscode.openWith", arguments: [uri, CHECKPOINT_EDITOR] };
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
