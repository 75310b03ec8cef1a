import * as vscode from "vscode";
import type { Range } from "../../../core/spec.ts";
import { toVscodeRange } from "../../platform/ranges.ts";
import type { Services } from "../../services.ts";

/** A place of a file; of a notebook, in one of its cells. */
interface At {
  readonly range: Range;
  readonly cell?: string;
}

/** Puts the cursor at a place of a file, in the editor that shows it if there is one. */
export async function reveal({ configs }: Services, uri: vscode.Uri, { range, cell }: At): Promise<void> {
  const whole = toVscodeRange(range);
  // The cursor goes to where it begins, as from the list of problems: nothing is selected that a key would replace.
  const selection = new vscode.Selection(whole.start, whole.start);
  if (cell !== undefined) return revealInCell(uri, cell, selection);
  const shown = editorOf(uri.toString());
  if (/\.(?:gguf|safetensors)$/i.test(uri.path)) {
    await vscode.commands.executeCommand("vscode.open", uri);
    return;
  }
  const viewColumn = shown?.viewColumn ?? vscode.ViewColumn.Active;
  await vscode.window.showTextDocument(await configs.open(uri), { viewColumn, selection });
}

function editorOf(uri: string): vscode.TextEditor | undefined {
  return vscode.window.visibleTextEditors.find(({ document }) => document.uri.toString() === uri);
}

/** Shown as a document of its own, a cell would leave its notebook. */
async function revealInCell(uri: vscode.Uri, cell: string, selection: vscode.Selection): Promise<void> {
  const notebook = vscode.workspace.notebookDocuments.find((open) => open.uri.toString() === uri.toString());
  const index = notebook?.getCells().findIndex(({ document }) => document.uri.toString() === cell) ?? -1;
  if (notebook === undefined || index < 0) return;
  const cells = new vscode.NotebookRange(index, index + 1);
  const editor = await vscode.window.showNotebookDocument(notebook, { selections: [cells] });
  editor.revealRange(cells, vscode.NotebookEditorRevealType.InCenterIfOutsideViewport);
  const shown = editorOf(cell);
  if (shown === undefined) return;
  shown.selection = selection;
  shown.revealRange(selection);
}
