import * as vscode from "vscode";
import { DisposableStore } from "../../../core/util/disposable.ts";
import { EXPLAINED_LANGUAGES } from "../../ids.ts";
import type { Services } from "../../services.ts";

const SELECTOR = EXPLAINED_LANGUAGES.map((language) => ({ language }));

/** Explanations without a mouse: a code action at the cursor, and optional lenses above functions. */
export function register(services: Services): vscode.Disposable {
  const owned = new DisposableStore();
  const changed = owned.add(new vscode.EventEmitter<void>());
  owned.add(services.settings.onDidChange(() => changed.fire()));
  owned.add(services.onDidChangeLanguage(() => changed.fire()));
  owned.add(
    vscode.languages.registerCodeActionsProvider(
      SELECTOR,
      {
        provideCodeActions: async (document, range, { triggerKind }, token) => {
          // VS Code also asks at every cursor move, to decide whether to show a light bulb.
          if (triggerKind !== vscode.CodeActionTriggerKind.Invoke) return [];
          const { createExplainActions } = await import("./explainActions.ts");
          return createExplainActions(services, document, range.start, token);
        },
      },
      { providedCodeActionKinds: [vscode.CodeActionKind.QuickFix] },
    ),
  );
  owned.add(
    vscode.languages.registerCodeLensProvider(
      { language: "python" },
      {
        onDidChangeCodeLenses: changed.event,
        provideCodeLenses: async (document, token) => {
          if (!services.settings.get("python.codeLens")) return [];
          const { createCodeLenses } = await import("./codeLenses.ts");
          return token.isCancellationRequested ? [] : createCodeLenses(services, document);
        },
      },
    ),
  );
  return owned;
}
