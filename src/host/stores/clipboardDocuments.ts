import * as vscode from "vscode";
import { CLIPBOARD_SCHEME } from "../ids.ts";

/** Read-only documents of what the clipboard held, kept while the window lives. */
export class ClipboardDocuments implements vscode.Disposable, vscode.TextDocumentContentProvider {
  readonly #texts: string[] = [];
  readonly #registration = vscode.workspace.registerTextDocumentContentProvider(CLIPBOARD_SCHEME, this);

  /** The address under which a text can be opened from now on. */
  keep(text: string): vscode.Uri {
    const number = this.#texts.push(text);
    return vscode.Uri.from({ scheme: CLIPBOARD_SCHEME, path: `/${number}/config.json` });
  }

  /** After a reload of the window there is no text any more, and the panel says that the config cannot be read. */
  provideTextDocumentContent({ path }: vscode.Uri): string {
    return this.#texts[Number(path.split("/")[1]) - 1] ?? "";
  }

  dispose(): void {
    this.#registration.dispose();
  }
}
