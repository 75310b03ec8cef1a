import * as vscode from "vscode";
import { DisposableStore } from "../../../core/util/disposable.ts";
import { EXPLAINED_LANGUAGES } from "../../ids.ts";
import type { Services } from "../../services.ts";

const SELECTOR = EXPLAINED_LANGUAGES.map((language) => ({ language }));

/** Ways to an explanation without a mouse: a code action at the cursor, and lenses above functions for who wants them. */
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
          // Asked for at every move of the cursor otherwise, for a light bulb that nobody wants.
          if (triggerKind !== vscode.CodeActionTriggerKind.Invoke) return [];
          const { explainActions } = await import("./explainActions.ts");
          return explainActions(document, range.start, token);
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
          const { codeLenses } = await import("./codeLenses.ts");
          return token.isCancellationRequested ? [] : codeLenses(document);
        },
      },
    ),
  );
  return owned;
}
