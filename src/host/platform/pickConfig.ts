import { t } from "@vscode/l10n";
import * as vscode from "vscode";
import { UserError } from "../../core/util/errors.ts";
import { configTitle } from "./configTitle.ts";

/** More than this is no list to choose from. */
const MOST = 1000;

/** Lets the user choose one of the workspace's configs; undefined when they do not. */
export async function pickConfig(title: string, placeHolder: string): Promise<vscode.Uri | undefined> {
  const found = await vscode.workspace.findFiles("**/{*config*.json,params.json,*.gguf}", "**/node_modules/**", MOST);
  if (found.length === 0) throw new UserError(t("No model config is open, and none was found in the workspace."));
  const items = found
    .map((uri) => ({ label: configTitle(uri), description: vscode.workspace.asRelativePath(uri), uri }))
    .sort((a, b) => a.label.localeCompare(b.label));
  const picked = await vscode.window.showQuickPick(items, { title, placeHolder, matchOnDescription: true });
  return picked?.uri;
}
