import * as vscode from "vscode";

/** The notebook that a document is a cell of. */
export function notebookOf(document: vscode.TextDocument): vscode.NotebookDocument | undefined {
  if (document.uri.scheme !== "vscode-notebook-cell") return undefined;
  const holds = (notebook: vscode.NotebookDocument) => notebook.getCells().some((cell) => cell.document === document);
  return vscode.workspace.notebookDocuments.find(holds);
}

/** The cells of a notebook that hold Python, in their order. */
export function pythonCells(notebook: vscode.NotebookDocument): vscode.TextDocument[] {
  return notebook
    .getCells()
    .map(({ document }) => document)
    .filter(({ languageId }) => languageId === "python");
}
