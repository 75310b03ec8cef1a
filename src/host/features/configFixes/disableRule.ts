import * as l10n from "@vscode/l10n";
import * as vscode from "vscode";
import { applyFix } from "../../../core/config/edit/applyFix.ts";
import { readJson } from "../../../core/config/text/json.ts";
import { UserError } from "../../../core/util/errors.ts";
import { isRecord } from "../../../core/util/isRecord.ts";
import { readRegularFile } from "../../platform/readRegularFile.ts";
import type { Services } from "../../services.ts";

const PROJECT_FILE = ".posenc.json";

/** A project lists a few rules and globs. */
const MAX_BYTES = 1024 * 1024;

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
  await requireOwnFolders(file);
  const before = (await readSavedText(file)) ?? "{}\n";
  const { root, error } = readJson(before);
  if (error !== null || root?.type !== "object")
    throw new UserError(l10n.t("{0} is not a JSON object and was left as it is.", PROJECT_FILE));
  const after = applyFix(before, { title: "", changes: [{ path: ["rules", rule], value: "off" }] });
  await vscode.workspace.fs.writeFile(file, new TextEncoder().encode(after));
}

async function readSavedText(file: vscode.Uri): Promise<string | undefined> {
  const open = vscode.workspace.textDocuments.find((document) => document.uri.toString() === file.toString());
  if (open?.isDirty) throw new UserError(l10n.t("{0} has unsaved changes.", PROJECT_FILE));
  const type = await fileType(file);
  if (type === undefined) return undefined;
  if ((type & vscode.FileType.SymbolicLink) !== 0) throw leadsElsewhere();
  return new TextDecoder().decode(await readRegularFile(file, MAX_BYTES));
}

/** The type of a file, undefined if it does not exist. A file that cannot be looked at is never written. */
async function fileType(file: vscode.Uri): Promise<vscode.FileType | undefined> {
  try {
    return (await vscode.workspace.fs.stat(file)).type;
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : undefined;
    if (code === "FileNotFound" || code === "ENOENT") return undefined;
    throw error;
  }
}

/** @throws UserError if a folder between the workspace and the file is a link, which may lead anywhere */
async function requireOwnFolders(file: vscode.Uri): Promise<void> {
  const root = vscode.workspace.getWorkspaceFolder(file)?.uri;
  for (let folder = vscode.Uri.joinPath(file, ".."); root !== undefined && folder.path.length > root.path.length; ) {
    if ((((await fileType(folder)) ?? 0) & vscode.FileType.SymbolicLink) !== 0) throw leadsElsewhere();
    folder = vscode.Uri.joinPath(folder, "..");
  }
}

function leadsElsewhere(): UserError {
  return new UserError(l10n.t("{0} is a link to another place and was left as it is.", PROJECT_FILE));
}
