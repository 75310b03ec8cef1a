import * as vscode from "vscode";

/** The active document with its cursor, or the file of a custom editor (a checkpoint). */
export interface ActiveLocation {
  readonly uri: vscode.Uri;
  readonly document?: vscode.TextDocument;
  readonly position?: vscode.Position;
}

export function activeLocation(): ActiveLocation | undefined {
  const { activeTextEditor, activeNotebookEditor, tabGroups } = vscode.window;
  if (activeTextEditor !== undefined) {
    const { document, selection } = activeTextEditor;
    return { uri: document.uri, document, position: selection.active };
  }
  if (activeNotebookEditor !== undefined) return notebookLocation(activeNotebookEditor);
  const input: unknown = tabGroups.activeTabGroup.activeTab?.input;
  return input instanceof vscode.TabInputCustom ? { uri: input.uri } : undefined;
}

/** A cell that is selected but not edited has no text editor. */
function notebookLocation({ notebook, selection }: vscode.NotebookEditor): ActiveLocation | undefined {
  if (selection.start >= notebook.cellCount) return undefined;
  const { document } = notebook.cellAt(selection.start);
  return { uri: document.uri, document, position: document.positionAt(0) };
}
