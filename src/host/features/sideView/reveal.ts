import * as vscode from "vscode";
import type { TextRange } from "../../../core/spec.ts";
import { toVscodeRange } from "../../platform/ranges.ts";
import type { Services } from "../../services.ts";

/** A range in a file, or in a cell of a notebook. */
interface RevealTarget {
  readonly range: TextRange;
  readonly cell?: string;
}

/** Moves the cursor to a range, in a visible editor of the file if there is one. */
export async function reveal({ configs }: Services, uri: vscode.Uri, { range, cell }: RevealTarget): Promise<void> {
  const vscodeRange = toVscodeRange(range);
  // Like the Problems view: nothing is selected, so that typing does not replace it.
  const selection = new vscode.Selection(vscodeRange.start, vscodeRange.start);
  if (cell !== undefined) return revealInCell(uri, cell, selection);
  const shown = visibleEditor(uri.toString());
  if (/\.(?:gguf|safetensors)$/i.test(uri.path)) {
    await vscode.commands.executeCommand("vscode.open", uri);
    return;
  }
  const viewColumn = shown?.viewColumn ?? vscode.ViewColumn.Active;
  await vscode.window.showTextDocument(await configs.open(uri), { viewColumn, selection });
}

function visibleEditor(uri: string): vscode.TextEditor | undefined {
  return vscode.window.visibleTextEditors.find(({ document }) => document.uri.toString() === uri);
}

/** Opened as a document, a cell would be shown outside of its notebook. */
async function revealInCell(uri: vscode.Uri, cell: string, selection: vscode.Selection): Promise<void> {
  const notebook = vscode.workspace.notebookDocuments.find((open) => open.uri.toString() === uri.toString());
  const index = notebook?.getCells().findIndex(({ document }) => document.uri.toString() === cell) ?? -1;
  if (notebook === undefined || index < 0) return;
  const cells = new vscode.NotebookRange(index, index + 1);
  const editor = await vscode.window.showNotebookDocument(notebook, { selections: [cells] });
  editor.revealRange(cells, vscode.NotebookEditorRevealType.InCenterIfOutsideViewport);
  const shown = visibleEditor(cell);
  if (shown === undefined) return;
  shown.selection = selection;
  shown.revealRange(selection);
}
