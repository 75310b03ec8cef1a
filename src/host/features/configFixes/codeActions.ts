import { t } from "@vscode/l10n";
import * as vscode from "vscode";
import { fixEdit, replacement } from "../../../core/config/edit/applyFix.ts";
import type { ConfigProblem } from "../../../core/config/problems.ts";
import { COMMANDS } from "../../ids.ts";
import { toDiagnostic } from "../../platform/describeReading.ts";
import { toVscodeRange } from "../../platform/ranges.ts";
import type { Services } from "../../services.ts";
import { allFixed } from "./fixAll.ts";

/** What can be done about the findings at a place, or about all of the file where `only` asks for that. */
export async function codeActions(
  services: Services,
  document: vscode.TextDocument,
  range: vscode.Range,
  only: vscode.CodeActionKind | undefined,
): Promise<vscode.CodeAction[]> {
  const { reading } = await services.configs.readDocument(document);
  if (reading.error !== null) return [];
  const problems = await services.rules.of(document.uri, reading.problems);
  const here = problems.filter((problem) => touches(toVscodeRange(problem.range), range));
  const { QuickFix, SourceFixAll } = vscode.CodeActionKind;
  const everything = SourceFixAll.append("posenc");
  const fixable = problems.filter(({ fix }) => fix !== undefined).length;
  const inBulb = only === undefined || only.contains(QuickFix);
  // The bulb leaves out what acts on a whole file by its kind; it offers it only where it does more than the fix beside.
  const bulbHasAll = inBulb && here.length > 0 && fixable > 1;
  const sourceHasAll = only?.contains(everything) === true && fixable > 0;
  return [
    ...(inBulb ? here.flatMap((problem) => quickFixes(document, problem)) : []),
    ...(bulbHasAll ? [await fixAll(services, document, QuickFix)] : []),
    ...(sourceHasAll ? [await fixAll(services, document, everything)] : []),
  ];
}

/** Ranges that share a place; ends count, as a cursor behind the last character is still there. */
function touches(a: vscode.Range, b: vscode.Range): boolean {
  return !isAfter(a.start, b.end) && !isAfter(b.start, a.end);
}

function isAfter(a: vscode.Position, b: vscode.Position): boolean {
  return a.line > b.line || (a.line === b.line && a.character > b.character);
}

function quickFixes(document: vscode.TextDocument, problem: ConfigProblem): vscode.CodeAction[] {
  const { fix, rule } = problem;
  const actions: vscode.CodeAction[] = [];
  if (fix !== undefined) {
    const certain = new vscode.CodeAction(fix.title, vscode.CodeActionKind.QuickFix);
    certain.edit = workspaceEdit(document, fixEdit(document.getText(), fix));
    certain.isPreferred = true;
    actions.push(certain);
  }
  actions.push(silence(t("Disable {0} in settings", rule), document.uri, rule, "settings"));
  if (vscode.workspace.getWorkspaceFolder(document.uri) !== undefined)
    actions.push(silence(t("Disable {0} for this project (.posenc.json)", rule), document.uri, rule, "project"));
  for (const action of actions) action.diagnostics = [toDiagnostic(problem)];
  return actions;
}

function silence(title: string, uri: vscode.Uri, rule: string, where: "settings" | "project"): vscode.CodeAction {
  const action = new vscode.CodeAction(title, vscode.CodeActionKind.QuickFix);
  action.command = { title, command: COMMANDS.disableRule, arguments: [uri, rule, where] };
  return action;
}

async function fixAll(
  { rules }: Services,
  document: vscode.TextDocument,
  kind: vscode.CodeActionKind,
): Promise<vscode.CodeAction> {
  const text = document.getText();
  const fixed = await allFixed(text, (problems) => rules.of(document.uri, problems));
  const action = new vscode.CodeAction(t("Apply all safe fixes"), kind);
  action.edit = workspaceEdit(document, replacement(text, fixed));
  return action;
}

function workspaceEdit(
  document: vscode.TextDocument,
  { offset, length, content }: ReturnType<typeof replacement>,
): vscode.WorkspaceEdit {
  const [start, end] = [document.positionAt(offset), document.positionAt(offset + length)];
  const edit = new vscode.WorkspaceEdit();
  edit.replace(document.uri, new vscode.Range(start.line, start.character, end.line, end.character), content);
  return edit;
}
