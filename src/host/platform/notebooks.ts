import * as vscode from "vscode";

/** The notebook that a document is a cell of. */
export function findNotebook(document: vscode.TextDocument): vscode.NotebookDocument | undefined {
  if (document.uri.scheme !== "vscode-notebook-cell") return undefined;
  // A cell has its notebook's path, and a notebook may have too many cells to search each for every document.
  return vscode.workspace.notebookDocuments.find(({ uri }) => uri.path === document.uri.path);
}

/** The Python cells of a notebook, in order. */
export function pythonCells(notebook: vscode.NotebookDocument): vscode.TextDocument[] {
  return notebook
    .getCells()
    .map(({ document }) => document)
    .filter(({ languageId }) => languageId === "python");
}
