import type { URI as Uri } from "vscode-uri";
import { stub } from "./control.ts";
import { counted, registerIn } from "./events.ts";
import type { StubDocument } from "./shapes.ts";
import type { Diagnostic } from "./types.ts";

export const languages = {
  match: (selector: readonly { language: string }[], document: StubDocument) =>
    selector.some(({ language }) => language === document.languageId) ? 10 : 0,
  registerHoverProvider: (_: unknown, given: (typeof stub.hovers)[number]) => registerIn(stub.hovers, given),
  registerCompletionItemProvider: (_: unknown, given: (typeof stub.completions)[number]) =>
    registerIn(stub.completions, given),
  registerCodeLensProvider: (_: unknown, given: (typeof stub.lenses)[number]) => registerIn(stub.lenses, given),
  registerCodeActionsProvider: (_: unknown, given: (typeof stub.codeActions)[number]) =>
    registerIn(stub.codeActions, given),
  createDiagnosticCollection: () => ({
    set: (uri: Uri, diagnostics: readonly Diagnostic[]) => stub.diagnostics.set(uri.toString(), diagnostics),
    delete: (uri: Uri) => stub.diagnostics.delete(uri.toString()),
    clear: () => stub.diagnostics.clear(),
    ...counted("registrations", () => stub.diagnostics.clear()),
  }),
};
