import { t } from "@vscode/l10n";
import * as vscode from "vscode";
import { SIDE_VIEW } from "../../ids.ts";
import { pickConfig } from "../../platform/pickConfig.ts";
import type { Services } from "../../services.ts";

/** Opens the planner on a config: the one given by a menu, else the active editor's, else one that the user picks. */
export async function planContext(services: Services, given: unknown): Promise<void> {
  const uri = uriOf(given) ?? (await otherConfig(services));
  if (uri === null) return;
  if (uri !== undefined) await vscode.window.showTextDocument(await services.configs.open(uri), { preview: false });
  // VS Code makes this command for every view.
  await vscode.commands.executeCommand(`${SIDE_VIEW}.focus`);
  services.planning.fire();
}

/** Menus of the explorer give a file; those of a tree the node that stands for it. */
function uriOf(given: unknown): vscode.Uri | undefined {
  const named = typeof given === "object" && given !== null && "uri" in given ? given.uri : given;
  return named instanceof vscode.Uri ? named : undefined;
}

/** Undefined: the active editor shows one already. Null: the user chose none. */
async function otherConfig({ configs }: Services): Promise<vscode.Uri | undefined | null> {
  const active = vscode.window.activeTextEditor?.document;
  if (active !== undefined && (await configs.isConfig(active))) return undefined;
  return (await pickConfig(t("Plan Longer Context"), t("Select a model"))) ?? null;
}
