import * as l10n from "@vscode/l10n";
import * as vscode from "vscode";
import { applyFix } from "../../../core/config/edit/applyFix.ts";
import { UserError } from "../../../core/util/errors.ts";
import { isRecord } from "../../../core/util/isRecord.ts";
import type { Services } from "../../services.ts";

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
  const before = (await readSavedText(file)) ?? "{}\n";
  const after = applyFix(before, { title: "", changes: [{ path: ["rules", rule], value: "off" }] });
  await vscode.workspace.fs.writeFile(file, new TextEncoder().encode(after));
}

async function readSavedText(file: vscode.Uri): Promise<string | undefined> {
  const open = vscode.workspace.textDocuments.find((document) => document.uri.toString() === file.toString());
  if (open?.isDirty) throw new UserError(l10n.t("{0} has unsaved changes.", ".posenc.json"));
  try {
    return new TextDecoder().decode(await vscode.workspace.fs.readFile(file));
  } catch {
    return undefined;
  }
}
