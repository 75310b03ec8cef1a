import * as vscode from "vscode";
import type { ConfigReading } from "../../../core/config/readConfig.ts";
import { isEncodingUnknown, summariseReading } from "../../../core/config/report/summarise.ts";
import { escapeControls } from "../../../core/util/escapeControls.ts";
import { CHECKPOINT_EDITOR } from "../../ids.ts";
import { parseHubFolder } from "../../platform/hubFolder.ts";
import { tooltipText } from "../../platform/show.ts";
import { type FindingsSummary, summariseFindings } from "../../platform/summariseFindings.ts";
import type { Services } from "../../services.ts";
import { modelFileKind } from "../../stores/modelFiles.ts";
import type { ModelNode } from "./modelTree.ts";
import type { ModelFile } from "./scanWorkspace.ts";

/** In Hugging Face's cache, the folder of a snapshot is named by commit only, so the model's name is shown instead. */
function displayFolder(uri: vscode.Uri): string {
  const cached = parseHubFolder(uri.path);
  if (cached !== undefined) return escapeControls(`${cached.name} @ ${cached.revision}`);
  const root = vscode.workspace.getWorkspaceFolder(uri);
  const isRoot = root?.uri.toString() === uri.toString();
  return escapeControls(isRoot ? root.name : vscode.workspace.asRelativePath(uri));
}

export function createFolderItem(uri: vscode.Uri): vscode.TreeItem {
  const item = new vscode.TreeItem(displayFolder(uri), vscode.TreeItemCollapsibleState.Expanded);
  item.id = uri.toString();
  item.iconPath = vscode.ThemeIcon.Folder;
  return item;
}

/** How a model stands under the severities that hold for its file. */
export async function verdictOn({ rules }: Services, { uri, reading }: ModelFile): Promise<FindingsSummary> {
  return summariseFindings(reading.error, await rules.applySeverities(uri, reading.problems));
}

/** Tree item of a model: its encodings and findings, as icon and as text. */
export async function createModelItem(
  services: Services,
  { uri, reading, isOnlyInFolder: alone }: ModelNode,
): Promise<vscode.TreeItem> {
  const summary = await verdictOn(services, { uri, reading });
  const file = escapeControls(uri.path.split("/").at(-1) ?? uri.path);
  const name = alone ? displayFolder(vscode.Uri.joinPath(uri, "..")) : file;
  const descriptions = [escapeControls(summariseReading(reading)), summary.text].filter(Boolean);
  const item = new vscode.TreeItem(name, vscode.TreeItemCollapsibleState.None);
  item.id = uri.toString();
  item.description = descriptions.join(" — ");
  item.tooltip = tooltipText(vscode.workspace.asRelativePath(uri), ...descriptions);
  item.accessibilityInformation = { label: [name, ...descriptions].join(", ") };
  item.iconPath = severityIcon(summary, isUncertain(reading));
  item.contextValue = "model";
  item.command = openCommand(name, uri);
  return item;
}

/** Checkpoints are not text: they open in the editor that shows their header. */
function openCommand(title: string, uri: vscode.Uri): vscode.Command {
  if (modelFileKind(uri) !== "checkpoint") return { title, command: "vscode.open", arguments: [uri] };
  return { title, command: "vscode.openWith", arguments: [uri, CHECKPOINT_EDITOR] };
}

/** Neither a known encoding nor known to have none. */
function isUncertain(reading: ConfigReading): boolean {
  return isEncodingUnknown(reading) || reading.specs.some(({ confidence }) => confidence === "guess");
}

/** The icon of the worst finding; without one, a question mark if the encodings are unknown or guessed. */
function severityIcon({ worst }: FindingsSummary, uncertain: boolean): vscode.ThemeIcon {
  switch (worst) {
    case "error":
      return new vscode.ThemeIcon("error", new vscode.ThemeColor("list.errorForeground"));
    case "warning":
      return new vscode.ThemeIcon("warning", new vscode.ThemeColor("list.warningForeground"));
    case "info":
      return new vscode.ThemeIcon("info");
    case undefined:
      return new vscode.ThemeIcon(uncertain ? "question" : "symbol-ruler");
  }
}
