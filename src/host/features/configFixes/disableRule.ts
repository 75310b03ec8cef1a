import { t } from "@vscode/l10n";
import * as vscode from "vscode";
import { applyFix } from "../../../core/config/edit/applyFix.ts";
import { UserError } from "../../../core/util/errors.ts";
import { isRecord } from "../../../core/util/isRecord.ts";
import type { Services } from "../../services.ts";

const RULE_ID = /^[a-z0-9]+(?:-[a-z0-9]+)*\/[a-z0-9]+(?:-[a-z0-9]+)*$/;

/** Silences a rule where the user chose: in the settings, or in the project's file, which the command line reads too. */
export async function disableRule(services: Services, uri: unknown, rule: unknown, where: unknown): Promise<void> {
  if (!(uri instanceof vscode.Uri) || typeof rule !== "string" || !RULE_ID.test(rule))
    throw new UserError(t("Unknown rule."));
  await (where === "project" ? inProject(services, uri, rule) : inSettings(rule));
}

/** Of the workspace if there is one: another project may want to hear of it. */
async function inSettings(rule: string): Promise<void> {
  const settings = vscode.workspace.getConfiguration("posenc");
  const inWorkspace = vscode.workspace.workspaceFolders !== undefined;
  const found = settings.inspect<unknown>("rules");
  const current = inWorkspace ? found?.workspaceValue : found?.globalValue;
  const { Workspace, Global } = vscode.ConfigurationTarget;
  const next = { ...(isRecord(current) ? current : {}), [rule]: "off" };
  await settings.update("rules", next, inWorkspace ? Workspace : Global);
}

/** Text goes in beside what stands there: comments and order stay. */
async function inProject({ rules }: Services, uri: vscode.Uri, rule: string): Promise<void> {
  const file = await rules.fileFor(uri);
  if (file === undefined) throw new UserError(t("This file is not in a workspace folder."));
  const before = (await textOf(file)) ?? "{}\n";
  const after = applyFix(before, { title: "", changes: [{ path: ["rules", rule], value: "off" }] });
  await vscode.workspace.fs.writeFile(file, new TextEncoder().encode(after));
}

async function textOf(file: vscode.Uri): Promise<string | undefined> {
  const open = vscode.workspace.textDocuments.find((document) => document.uri.toString() === file.toString());
  if (open?.isDirty) throw new UserError(t("{0} has unsaved changes.", ".posenc.json"));
  try {
    return new TextDecoder().decode(await vscode.workspace.fs.readFile(file));
  } catch {
    return undefined;
  }
}
