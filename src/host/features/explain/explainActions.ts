import * as l10n from "@vscode/l10n";
import * as vscode from "vscode";
import type { Services } from "../../services.ts";

/** "Explain position encoding", if there is one at the cursor: shows the hover and moves focus into it. */
export async function createExplainActions(
  { explainer }: Services,
  document: vscode.TextDocument,
  position: vscode.Position,
  token: vscode.CancellationToken,
): Promise<vscode.CodeAction[]> {
  const cancelled = () => token.isCancellationRequested;
  const explanation = await (await explainer()).explainAt(document, document.offsetAt(position), cancelled);
  if (explanation === null || cancelled()) return [];
  const title = l10n.t("Explain position encoding");
  const action = new vscode.CodeAction(title, vscode.CodeActionKind.QuickFix);
  action.command = { title, command: "editor.action.showHover", arguments: [{ focus: "autoFocusImmediately" }] };
  return [action];
}
