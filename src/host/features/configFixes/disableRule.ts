import * as l10n from "@vscode/l10n";
import * as vscode from "vscode";
import { applyFix } from "../../../core/config/edit/applyFix.ts";
import { readJson } from "../../../core/config/text/json.ts";
import { errorMessage, UserError } from "../../../core/util/errors.ts";
import { isRecord } from "../../../core/util/isRecord.ts";
import { readRegularFile } from "../../platform/readRegularFile.ts";
import type { Services } from "../../services.ts";
import { MAX_PROJECT_FILE_BYTES, PROJECT_FILE } from "../../stores/ruleSettings.ts";

const RULE_ID = /^[a-z0-9]+(?:-[a-z0-9]+)*\/[a-z0-9]+(?:-[a-z0-9]+)*$/;

/** Disables a rule in the settings or in the project's file, which the command line reads too. */
export async function disableRule(services: Services, uri: unknown, rule: unknown, where: unknown): Promise<void> {
  if (!(uri instanceof vscode.Uri) || typeof rule !== "string" || !RULE_ID.test(rule))
    throw new UserError(l10n.t("Unknown rule."));
  await (where === "project" ? disableInProject(services, uri, rule) : disableInSettings(rule));
}

/** In the workspace settings if there is a workspace: other projects may want the rule. */
async function disableInSettings(rule: string): Promise<void> {
  const settings = vscode.workspace.getConfiguration("posenc");
  const inWorkspace = vscode.workspace.workspaceFolders !== undefined;
  const inspected = settings.inspect<unknown>("rules");
  const current = inWorkspace ? inspected?.workspaceValue : inspected?.globalValue;
  const { Workspace, Global } = vscode.ConfigurationTarget;
  const next = { ...(isRecord(current) ? current : {}), [rule]: "off" };
  await settings.update("rules", next, inWorkspace ? Workspace : Global);
}

/** Edits the text in place: comments and order are kept. */
async function disableInProject({ rules }: Services, uri: vscode.Uri, rule: string): Promise<void> {
  const file = await rules.projectFileFor(uri);
  if (file === undefined) throw new UserError(l10n.t("This file is not in a workspace folder."));
  await refuseSymbolicLinks(file);
  const before = (await readSavedText(file)) ?? "{}\n";
  if (!isProjectSettings(before))
    throw new UserError(
      l10n.t("{0} is not valid and was left as it is. Correct it, then disable the rule again.", PROJECT_FILE),
    );
  const after = applyFix(before, { title: "", changes: [{ path: ["rules", rule], value: "off" }] });
  await vscode.workspace.fs.writeFile(file, new TextEncoder().encode(after));
}

/** A stranger's folder may have links to files elsewhere. Folders above the workspace are the user's own. */
async function refuseSymbolicLinks(file: vscode.Uri): Promise<void> {
  const root = vscode.workspace.getWorkspaceFolder(file)?.uri.path;
  for (let place = file; place.path !== root; place = vscode.Uri.joinPath(place, "..")) {
    const { type } = (await statFile(place)) ?? { type: vscode.FileType.Unknown };
    if ((type & vscode.FileType.SymbolicLink) !== 0)
      throw new UserError(
        l10n.t("{0} is a symbolic link. Posenc does not write through it.", vscode.workspace.asRelativePath(place)),
      );
    if (root === undefined) return;
  }
}

/** Undefined if the file does not exist. Any other failure is one: a file that cannot be read is not overwritten. */
async function statFile(file: vscode.Uri): Promise<vscode.FileStat | undefined> {
  try {
    return await vscode.workspace.fs.stat(file);
  } catch (error) {
    if (error instanceof vscode.FileSystemError && error.code === "FileNotFound") return undefined;
    throw cannotRead(error);
  }
}

/** Undefined if the file does not exist. */
async function readSavedText(file: vscode.Uri): Promise<string | undefined> {
  const open = vscode.workspace.textDocuments.find((document) => document.uri.toString() === file.toString());
  if (open?.isDirty) throw new UserError(l10n.t("{0} has unsaved changes.", PROJECT_FILE));
  if ((await statFile(file)) === undefined) return undefined;
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(await readRegularFile(file, MAX_PROJECT_FILE_BYTES));
  } catch (error) {
    throw cannotRead(error);
  }
}

function cannotRead(error: unknown): UserError {
  return new UserError(l10n.t("{0} cannot be read and was left as it is: {1}", PROJECT_FILE, errorMessage(error)));
}

/** Whether the text parses without error as what Posenc reads from the file, so that an edit keeps its meaning. */
function isProjectSettings(text: string): boolean {
  const document = readJson(text);
  const value = document.root === undefined ? undefined : document.valueOf(document.root);
  return document.error === null && isRecord(value) && (value.rules === undefined || isRecord(value.rules));
}
