import * as l10n from "@vscode/l10n";
import * as vscode from "vscode";
import { escapeControls } from "../../core/util/escapeControls.ts";
import { CLIPBOARD_SCHEME } from "../ids.ts";
import { parseHubFolder } from "./hubFolder.ts";

/** "Qwen2.5-7B / config.json": configs are told apart by folder, and by root if there are several. */
export function configTitle(uri: vscode.Uri): string {
  if (uri.scheme === CLIPBOARD_SCHEME) return l10n.t("clipboard");
  const parts = uri.path.split("/").filter(Boolean).slice(-2);
  const names = [...workspaceRootName(uri), parseHubFolder(uri.path)?.name ?? parts[0], ...parts.slice(1)];
  const title = escapeControls(names.join(" / "));
  return uri.scheme === "git" ? l10n.t("{0} (last commit)", title) : title;
}

/** The name of the workspace root, if there are several and the file is in a subfolder. */
function workspaceRootName(uri: vscode.Uri): string[] {
  if ((vscode.workspace.workspaceFolders?.length ?? 0) < 2) return [];
  const root = vscode.workspace.getWorkspaceFolder(uri);
  return root === undefined || vscode.Uri.joinPath(uri, "..").path === root.uri.path ? [] : [root.name];
}
