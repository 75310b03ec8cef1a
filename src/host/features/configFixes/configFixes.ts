import * as vscode from "vscode";
import type { Services } from "../../services.ts";

/** Quick fixes of what the rules find: the certain fix, all of them at once, or silence for the rule. */
export function register(services: Services): vscode.Disposable {
  const { QuickFix, SourceFixAll } = vscode.CodeActionKind;
  return vscode.languages.registerCodeActionsProvider(
    [...services.configs.selector],
    {
      provideCodeActions: async (document, range, { only }, token) => {
        if (!(await services.configs.isConfig(document)) || token.isCancellationRequested) return [];
        const { codeActions } = await import("./codeActions.ts");
        return codeActions(services, document, range, only);
      },
    },
    { providedCodeActionKinds: [QuickFix, SourceFixAll.append("posenc")] },
  );
}
