import * as vscode from "vscode";
import { findNotebook } from "./notebooks.ts";

/**
 * Whether findings in a document belong in the Problems list. A commit, the clipboard and other read-only documents are
 * copies: what they have, the file has or had.
 */
export function isEditable(document: vscode.TextDocument): boolean {
  const { scheme } = findNotebook(document)?.uri ?? document.uri;
  const { fs, workspaceFolders = [] } = vscode.workspace;
  return (
    scheme === "untitled" ||
    workspaceFolders.some(({ uri }) => uri.scheme === scheme) ||
    fs.isWritableFileSystem(scheme) === true
  );
}
