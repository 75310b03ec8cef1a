import * as l10n from "@vscode/l10n";
import * as vscode from "vscode";
import { UserError } from "../../core/util/errors.ts";
import { configTitle } from "./configTitle.ts";
import { showPick } from "./show.ts";

/** A longer list is not usable. */
const MAX_LISTED_FILES = 1000;

/** Lets the user choose one of the workspace's configs; undefined if cancelled. */
export async function pickConfig(title: string, placeHolder: string): Promise<vscode.Uri | undefined> {
  const uris = await vscode.workspace.findFiles(
    "**/{*config*.json,params.json,*.gguf}",
    "**/node_modules/**",
    MAX_LISTED_FILES,
  );
  if (uris.length === 0) throw new UserError(l10n.t("No model config is open, and none was found in the workspace."));
  const items = uris
    .map((uri) => ({ label: configTitle(uri), description: vscode.workspace.asRelativePath(uri), uri }))
    .sort((a, b) => a.label.localeCompare(b.label));
  const picked = await showPick(items, { title, placeHolder, matchOnDescription: true });
  return picked?.uri;
}
