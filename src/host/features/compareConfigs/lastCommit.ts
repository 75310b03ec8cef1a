import * as l10n from "@vscode/l10n";
import * as vscode from "vscode";
import { UserError } from "../../../core/util/errors.ts";

/** The part of the built-in Git extension's API (version 1) that is used here. */
interface GitApi {
  getRepository(uri: vscode.Uri): unknown;
  toGitUri(uri: vscode.Uri, ref: string): vscode.Uri;
}

interface GitExtension {
  getAPI(version: 1): GitApi;
}

/**
 * URI of a file as of the last commit.
 * @throws UserError if Git is unavailable, or the file is not in a repository or not in its last commit
 */
export async function lastCommitUri(uri: vscode.Uri): Promise<vscode.Uri> {
  const git = await loadGitApi();
  if (git === undefined) throw new UserError(gitUnavailableMessage());
  const name = vscode.workspace.asRelativePath(uri);
  if ((git.getRepository(uri) ?? null) === null) throw new UserError(l10n.t("{0} is not in a Git repository.", name));
  const committed = git.toGitUri(uri, "HEAD");
  try {
    await vscode.workspace.openTextDocument(committed);
  } catch (cause) {
    throw new UserError(l10n.t("{0} is not in the last commit.", name), undefined, { cause });
  }
  return committed;
}

/** VS Code disables its Git extension in Restricted Mode. */
function gitUnavailableMessage(): string {
  return vscode.workspace.isTrusted
    ? l10n.t("Git is not available, so the last commit cannot be loaded.")
    : l10n.t("Git is disabled in Restricted Mode. Trust this workspace to compare with the last commit.");
}

/** Undefined if the extension is missing (web), disabled, or finds no Git. */
async function loadGitApi(): Promise<GitApi | undefined> {
  const extension = vscode.extensions.getExtension<GitExtension>("vscode.git");
  if (extension === undefined) return undefined;
  try {
    return (await extension.activate()).getAPI(1);
  } catch {
    return undefined; // getAPI throws if `git.enabled` is off.
  }
}
