import * as vscode from "vscode";
import type { Range } from "../../../core/spec.ts";
import { toVscodeRange } from "../../platform/ranges.ts";
import type { Services } from "../../services.ts";

/** Puts the cursor at a place of a file, in the editor that shows it if there is one. */
export async function reveal({ configs }: Services, uri: vscode.Uri, range: Range): Promise<void> {
  const whole = toVscodeRange(range);
  // The cursor goes to where it begins, as from the list of problems: nothing is selected that a key would replace.
  const selection = new vscode.Selection(whole.start, whole.start);
  const shown = vscode.window.visibleTextEditors.find(({ document }) => document.uri.toString() === uri.toString());
  if (shown !== undefined && uri.scheme === "vscode-notebook-cell") {
    // Shown as a document of its own, a cell would leave its notebook.
    shown.selection = selection;
    shown.revealRange(whole);
    return;
  }
  if (/\.(?:gguf|safetensors)$/i.test(uri.path)) {
    await vscode.commands.executeCommand("vscode.open", uri);
    return;
  }
  const viewColumn = shown?.viewColumn ?? vscode.ViewColumn.Active;
  await vscode.window.showTextDocument(await configs.open(uri), { viewColumn, selection });
}
