import { t } from "@vscode/l10n";
import * as vscode from "vscode";
import { UserError } from "../../../core/util/errors.ts";

/** As much of the built-in git extension's API, version 1, as is used here. */
interface Git {
  getRepository(uri: vscode.Uri): unknown;
  toGitUri(uri: vscode.Uri, ref: string): vscode.Uri;
}

interface GitExtension {
  getAPI(version: 1): Git;
}

/**
 * Address of a file as the last commit has it.
 * @throws UserError where there is no git, or the file is in no repository
 */
export async function lastCommitOf(uri: vscode.Uri): Promise<vscode.Uri> {
  const git = await gitApi();
  if (git === undefined) throw new UserError(t("Git is not available, so the last commit cannot be loaded."));
  const name = vscode.workspace.asRelativePath(uri);
  if ((git.getRepository(uri) ?? null) === null) throw new UserError(t("{0} is not in a Git repository.", name));
  return git.toGitUri(uri, "HEAD");
}

/** undefined where the extension is missing (the web), disabled, or finds no git. */
async function gitApi(): Promise<Git | undefined> {
  const extension = vscode.extensions.getExtension<GitExtension>("vscode.git");
  if (extension === undefined) return undefined;
  try {
    return (await extension.activate()).getAPI(1);
  } catch {
    return undefined; // It says so by throwing when `git.enabled` is off.
  }
}
