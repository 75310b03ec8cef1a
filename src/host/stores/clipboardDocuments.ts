import * as vscode from "vscode";
import { CLIPBOARD_SCHEME } from "../ids.ts";

/** A config is a few kB. Longer texts are not stored in a panel's state. */
const MAX_TEXT_IN_URI = 50_000;

/**
 * Read-only documents with clipboard text. The URI contains the text itself, so that it survives a window reload with
 * the panel; longer texts last only as long as the window.
 */
export class ClipboardDocuments implements vscode.Disposable, vscode.TextDocumentContentProvider {
  readonly #longTexts: string[] = [];
  readonly #registration = vscode.workspace.registerTextDocumentContentProvider(CLIPBOARD_SCHEME, this);

  /** Stores a text and returns its URI. */
  store(text: string): vscode.Uri {
    const scheme = CLIPBOARD_SCHEME;
    if (text.length <= MAX_TEXT_IN_URI) return vscode.Uri.from({ scheme, path: "/config.json", query: text });
    return vscode.Uri.from({ scheme, path: `/${this.#longTexts.push(text)}/config.json` });
  }

  /** Empty for a long text stored before a window reload. */
  provideTextDocumentContent({ path, query }: vscode.Uri): string {
    return query === "" ? (this.#longTexts[Number(path.split("/")[1]) - 1] ?? "") : query;
  }

  dispose(): void {
    this.#registration.dispose();
  }
}
