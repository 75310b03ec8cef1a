import * as l10n from "@vscode/l10n";
import * as vscode from "vscode";
import { fixEdit, minimalEdit } from "../../../core/config/edit/applyFix.ts";
import { type ConfigProblem, isOnRulesPage } from "../../../core/config/problems.ts";
import { COMMANDS } from "../../ids.ts";
import { toDiagnostic } from "../../platform/configDiagnostics.ts";
import { toVscodeRange } from "../../platform/ranges.ts";
import type { Services } from "../../services.ts";
import { applyAllFixes } from "./applyAllFixes.ts";

/** Code actions for the findings in a range, or for the whole file if `only` requests that kind. */
export async function createCodeActions(
  services: Services,
  document: vscode.TextDocument,
  range: vscode.Range,
  only: vscode.CodeActionKind | undefined,
): Promise<vscode.CodeAction[]> {
  const { reading, version } = await services.configs.readDocument(document);
  if (reading.error !== null) return [];
  const text = document.getText();
  const problems = await services.rules.applySeverities(document.uri, reading.problems);
  const problemsHere = problems.filter((problem) => overlaps(toVscodeRange(problem.range), range));
  const { QuickFix, SourceFixAll } = vscode.CodeActionKind;
  const fixAllKind = SourceFixAll.append("posenc");
  const fixable = problems.filter(({ fix }) => fix !== undefined).length;
  const offersQuickFix = only === undefined || only.contains(QuickFix);
  // The light bulb does not show source actions. "Fix all" is offered there as a quick fix if it fixes more than the
  // single fix does.
  const bulbOffersAll = offersQuickFix && problemsHere.length > 0 && fixable > 1;
  const menuOffersAll = only?.contains(fixAllKind) === true && fixable > 0;
  const fixed =
    bulbOffersAll || menuOffersAll
      ? await applyAllFixes(text, (found) => services.rules.applySeverities(document.uri, found))
      : text;
  // Edits are made from here on without waiting. VS Code asks again for a document that has changed.
  if (document.version !== version) return [];
  return [
    ...(offersQuickFix ? problemsHere.flatMap((problem) => createFixes(document, problem)) : []),
    ...(bulbOffersAll ? [createFixAllAction(document, fixed, QuickFix)] : []),
    // After all fixes: the first action is the one that Enter takes.
    ...(offersQuickFix ? problemsHere.flatMap((problem) => createRuleActions(document, problem)) : []),
    ...(menuOffersAll ? [createFixAllAction(document, fixed, fixAllKind)] : []),
  ];
}

/** True if ranges touch; ends count, since a cursor after the last character still belongs to it. */
function overlaps(a: vscode.Range, b: vscode.Range): boolean {
  return !isAfter(a.start, b.end) && !isAfter(b.start, a.end);
}

function isAfter(a: vscode.Position, b: vscode.Position): boolean {
  return a.line > b.line || (a.line === b.line && a.character > b.character);
}

/** The certain fix, or else the possible ones, of which none is preferred. */
function createFixes(document: vscode.TextDocument, problem: ConfigProblem): vscode.CodeAction[] {
  const { fix, choices = [] } = problem;
  return (fix === undefined ? choices : [fix]).map((option) => {
    const action = new vscode.CodeAction(option.title, vscode.CodeActionKind.QuickFix);
    action.edit = workspaceEdit(document, fixEdit(document.getText(), option));
    action.isPreferred = option === fix;
    action.diagnostics = [toDiagnostic(problem)];
    return action;
  });
}

/** What can be done about the rule: read why, or disable it. */
function createRuleActions(document: vscode.TextDocument, problem: ConfigProblem): vscode.CodeAction[] {
  const { rule } = problem;
  const inWorkspace = vscode.workspace.workspaceFolders !== undefined;
  const settings = inWorkspace
    ? l10n.t("Disable {0} in the workspace settings", rule)
    : l10n.t("Disable {0} in the user settings", rule);
  const actions = [
    ...(isOnRulesPage(rule)
      ? [createCommandAction(l10n.t("Explain {0}", rule), { command: COMMANDS.openRule, arguments: [rule] })]
      : []),
    createDisableAction(settings, document.uri, rule, "settings"),
  ];
  if (vscode.workspace.getWorkspaceFolder(document.uri) !== undefined)
    actions.push(
      createDisableAction(l10n.t("Disable {0} for this project (.posenc.json)", rule), document.uri, rule, "project"),
    );
  for (const action of actions) action.diagnostics = [toDiagnostic(problem)];
  return actions;
}

function createDisableAction(
  title: string,
  uri: vscode.Uri,
  rule: string,
  where: "settings" | "project",
): vscode.CodeAction {
  return createCommandAction(title, { command: COMMANDS.disableRule, arguments: [uri, rule, where] });
}

function createCommandAction(title: string, run: Omit<vscode.Command, "title">): vscode.CodeAction {
  const action = new vscode.CodeAction(title, vscode.CodeActionKind.QuickFix);
  action.command = { title, ...run };
  return action;
}

function createFixAllAction(
  document: vscode.TextDocument,
  fixed: string,
  kind: vscode.CodeActionKind,
): vscode.CodeAction {
  const action = new vscode.CodeAction(l10n.t("Apply all safe fixes"), kind);
  action.edit = workspaceEdit(document, minimalEdit(document.getText(), fixed));
  return action;
}

function workspaceEdit(
  document: vscode.TextDocument,
  { offset, length, content }: ReturnType<typeof minimalEdit>,
): vscode.WorkspaceEdit {
  const [start, end] = [document.positionAt(offset), document.positionAt(offset + length)];
  const edit = new vscode.WorkspaceEdit();
  edit.replace(document.uri, new vscode.Range(start.line, start.character, end.line, end.character), content);
  return edit;
}
