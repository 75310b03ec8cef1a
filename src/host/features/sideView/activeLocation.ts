import * as vscode from "vscode";

/** What the user has in front: a document with its cursor, or a file in an editor of its own (a checkpoint). */
export interface Place {
  readonly uri: vscode.Uri;
  readonly document?: vscode.TextDocument;
  readonly position?: vscode.Position;
}

export function placeInFront(): Place | undefined {
  const { activeTextEditor, activeNotebookEditor, tabGroups } = vscode.window;
  if (activeTextEditor !== undefined) {
    const { document, selection } = activeTextEditor;
    return { uri: document.uri, document, position: selection.active };
  }
  if (activeNotebookEditor !== undefined) return cellOf(activeNotebookEditor);
  const input: unknown = tabGroups.activeTabGroup.activeTab?.input;
  return input instanceof vscode.TabInputCustom ? { uri: input.uri } : undefined;
}

/** A cell that is chosen but not edited has no text editor of its own. */
function cellOf({ notebook, selection }: vscode.NotebookEditor): Place | undefined {
  if (selection.start >= notebook.cellCount) return undefined;
  const { document } = notebook.cellAt(selection.start);
  return { uri: document.uri, document, position: document.positionAt(0) };
}
