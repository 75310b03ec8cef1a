import * as vscode from "vscode";
import { DisposableStore } from "../../../core/util/disposable.ts";
import { EXPLAINED_LANGUAGES } from "../../ids.ts";
import type { Services } from "../../services.ts";

/** Pause in typing before the document is analysed ahead. */
const PREPARE_DELAY_MS = 300;

const SELECTOR: vscode.DocumentSelector = EXPLAINED_LANGUAGES.map((language) => ({ language }));

/** Explains position encodings in code and formulas on hover. */
export function register(services: Services): vscode.Disposable {
  const owned = new DisposableStore();
  let hovered = false;
  owned.add(
    vscode.languages.registerHoverProvider(SELECTOR, {
      provideHover: async (document, position, token) => {
        if (services.settings.get("hover.sections") === "off") return undefined;
        hovered = true;
        // Loaded at the first hover, to keep the parser and the formulas out of activation.
        const { provideCodeHover } = await import("./provideCodeHover.ts");
        return token.isCancellationRequested ? undefined : provideCodeHover(services, document, position, token);
      },
    }),
  );
  let timer: ReturnType<typeof setTimeout> | undefined;
  owned.add({ dispose: () => clearTimeout(timer) });
  owned.add(
    vscode.workspace.onDidChangeTextDocument(({ document }) => {
      if (!hovered || document.languageId !== "python") return;
      clearTimeout(timer);
      timer = setTimeout(() => void prepare(services, document), PREPARE_DELAY_MS);
    }),
  );
  return owned;
}

async function prepare({ explainer }: Services, document: vscode.TextDocument): Promise<void> {
  const codeExplainer = await explainer();
  if (!document.isClosed) await codeExplainer.analyseAhead(document);
}
