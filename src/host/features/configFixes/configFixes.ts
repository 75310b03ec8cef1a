import * as vscode from "vscode";
import type { Services } from "../../services.ts";

/** Quick fixes for findings: apply the fix, apply all fixes, or disable the rule. */
export function register(services: Services): vscode.Disposable {
  const { QuickFix, SourceFixAll } = vscode.CodeActionKind;
  return vscode.languages.registerCodeActionsProvider(
    [...services.configs.selector],
    {
      provideCodeActions: async (document, range, { only }, token) => {
        if (!(await services.configs.isConfig(document)) || token.isCancellationRequested) return [];
        const { createCodeActions } = await import("./codeActions.ts");
        return createCodeActions(services, document, range, only);
      },
    },
    { providedCodeActionKinds: [QuickFix, SourceFixAll.append("posenc")] },
  );
}
