import * as vscode from "vscode";
import type { Services } from "../../services.ts";

/** Explains the position encodings that Python code builds; cells of notebooks are documents of that language too. */
export function register(services: Services): vscode.Disposable {
  return vscode.languages.registerHoverProvider(
    { language: "python" },
    {
      provideHover: async (document, position, token) => {
        if (!services.settings.get("hover.enabled")) return undefined;
        // Loaded at the first hover: the parser and the formulas are nothing that a start should wait for.
        const { explainInDocument } = await import("./explainInDocument.ts");
        return token.isCancellationRequested ? undefined : explainInDocument(services, document, position, token);
      },
    },
  );
}
