import { t } from "@vscode/l10n";
import * as vscode from "vscode";
import { explanationAt } from "../../stores/explanation.ts";

/** "Explain position encoding" where there is one to explain: shows the hover, and puts the keyboard into it. */
export async function explainActions(
  document: vscode.TextDocument,
  position: vscode.Position,
  token: vscode.CancellationToken,
): Promise<vscode.CodeAction[]> {
  const cancelled = () => token.isCancellationRequested;
  const found = await explanationAt(document, document.offsetAt(position), cancelled);
  if (found === null || cancelled()) return [];
  const title = t("Explain position encoding");
  const action = new vscode.CodeAction(title, vscode.CodeActionKind.QuickFix);
  action.command = { title, command: "editor.action.showHover", arguments: [{ focus: "autoFocusImmediately" }] };
  return [action];
}
