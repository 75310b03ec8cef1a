import * as vscode from "vscode";

/** The notebook that a document is a cell of. */
export function findNotebook(document: vscode.TextDocument): vscode.NotebookDocument | undefined {
  if (document.uri.scheme !== "vscode-notebook-cell") return undefined;
  const hasDocument = (notebook: vscode.NotebookDocument) =>
    notebook.getCells().some((cell) => cell.document === document);
  return vscode.workspace.notebookDocuments.find(hasDocument);
}

/** The Python cells of a notebook, in order. */
export function pythonCells(notebook: vscode.NotebookDocument): vscode.TextDocument[] {
  return notebook
    .getCells()
    .map(({ document }) => document)
    .filter(({ languageId }) => languageId === "python");
}
