import * as vscode from "vscode";
import { DisposableStore } from "../../../core/util/disposable.ts";
import { EXPLAINED_LANGUAGES } from "../../ids.ts";
import type { Services } from "../../services.ts";

/** A pause in typing long enough to analyse what was typed. */
const PAUSE = 300;

const SELECTOR: vscode.DocumentSelector = EXPLAINED_LANGUAGES.map((language) => ({ language }));

// Loaded at the first hover: the parser and the formulas are nothing that a start should wait for.
const explaining = () => import("./explainInDocument.ts");

/** Explains the position encodings that code builds and formulas state. */
export function register(services: Services): vscode.Disposable {
  const owned = new DisposableStore();
  let hovered = false;
  owned.add(
    vscode.languages.registerHoverProvider(SELECTOR, {
      provideHover: async (document, position, token) => {
        if (services.settings.get("hover.sections") === "off") return undefined;
        hovered = true;
        const { explainInDocument } = await explaining();
        return token.isCancellationRequested ? undefined : explainInDocument(services, document, position, token);
      },
    }),
  );
  let timer: ReturnType<typeof setTimeout> | undefined;
  owned.add({ dispose: () => clearTimeout(timer) });
  owned.add(
    vscode.workspace.onDidChangeTextDocument(({ document }) => {
      if (!hovered || document.languageId !== "python") return;
      clearTimeout(timer);
      timer = setTimeout(() => void prepareSoon(document), PAUSE);
    }),
  );
  return owned;
}

async function prepareSoon(document: vscode.TextDocument): Promise<void> {
  const { prepare } = await explaining();
  if (!document.isClosed) prepare(document);
}
