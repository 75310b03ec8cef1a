import * as l10n from "@vscode/l10n";
import * as vscode from "vscode";
import { SIDE_VIEW } from "../../ids.ts";
import { pickConfig } from "../../platform/pickConfig.ts";
import type { Services } from "../../services.ts";

/**
 * Opens the planner on a config: the one that a menu passes; else the active editor's; else one that the user picks.
 */
export async function openPlanner(services: Services, target: unknown): Promise<void> {
  const uri = uriFromArgument(target) ?? (await pickOtherConfig(services));
  if (uri === null) return;
  if (uri !== undefined) await vscode.window.showTextDocument(await services.configs.open(uri), { preview: false });
  // VS Code generates this command for every view.
  await vscode.commands.executeCommand(`${SIDE_VIEW}.focus`);
  services.planRequests.fire();
}

/** The explorer passes a URI, trees pass a node. */
function uriFromArgument(target: unknown): vscode.Uri | undefined {
  const named = typeof target === "object" && target !== null && "uri" in target ? target.uri : target;
  return named instanceof vscode.Uri ? named : undefined;
}

/** Undefined if the active editor already shows one; null if the user chose none. */
async function pickOtherConfig({ configs }: Services): Promise<vscode.Uri | undefined | null> {
  const active = vscode.window.activeTextEditor?.document;
  if (active !== undefined && (await configs.isConfig(active))) return undefined;
  return (await pickConfig(l10n.t("Plan Longer Context"), l10n.t("Select a model"))) ?? null;
}
