import * as vscode from "vscode";
import { CLIPBOARD_SCHEME } from "../ids.ts";

/** A config is a few kB. What is longer is not carried along in the state of a panel. */
const LONGEST = 50_000;

/**
 * Read-only documents of what the clipboard held. Their address is the text itself, so that they come back with the
 * panel after a reload of the window; longer ones live as long as the window.
 */
export class ClipboardDocuments implements vscode.Disposable, vscode.TextDocumentContentProvider {
  readonly #long: string[] = [];
  readonly #registration = vscode.workspace.registerTextDocumentContentProvider(CLIPBOARD_SCHEME, this);

  /** The address under which a text can be opened from now on. */
  keep(text: string): vscode.Uri {
    const scheme = CLIPBOARD_SCHEME;
    if (text.length <= LONGEST) return vscode.Uri.from({ scheme, path: "/config.json", query: text });
    return vscode.Uri.from({ scheme, path: `/${this.#long.push(text)}/config.json` });
  }

  /** Empty for a long text of an earlier window. */
  provideTextDocumentContent({ path, query }: vscode.Uri): string {
    return query === "" ? (this.#long[Number(path.split("/")[1]) - 1] ?? "") : query;
  }

  dispose(): void {
    this.#registration.dispose();
  }
}
