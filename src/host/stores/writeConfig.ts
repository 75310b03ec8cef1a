import * as l10n from "@vscode/l10n";
import * as vscode from "vscode";
import { computeWriteBack } from "../../core/config/edit/writeBack.ts";
import type { ViewRequests } from "../../core/protocol/messages.ts";
import { UserError } from "../../core/util/errors.ts";
import type { ConfigStore } from "./configStore.ts";

type WriteBackRequest = ViewRequests["writeBack"];

/**
 * Writes parameters back into a config: edits its document, which can be undone, and does not save it.
 * @throws UserError if the document is no longer the version that the page shows
 */
export async function writeConfig(
  configs: ConfigStore,
  { uri, index, version, wanted }: WriteBackRequest["argument"],
): Promise<WriteBackRequest["answer"]> {
  const document = await configs.open(vscode.Uri.parse(uri));
  const { reading, version: readVersion } = await configs.readDocument(document);
  const spec = reading.specs[index];
  if (readVersion !== version || spec === undefined) throw staleConfig();
  requireVersion(document, version);
  const { edit, unwritable } = computeWriteBack(document.getText(), reading.format, spec, wanted);
  if (edit !== null) {
    const editor = await showDocument(document);
    // Typed while the editor was being shown. The edit is applied in this turn, so that nothing can come between.
    requireVersion(document, version);
    const start = await applyTextEdit(document, edit);
    editor.revealRange(new vscode.Range(start.line, 0, start.line, 0));
  }
  return { written: edit !== null, left: unwritable.map(({ param, reason }) => ({ param, reason })) };
}

function staleConfig(): UserError {
  return new UserError(l10n.t("The config has changed and was reloaded. Review it, then write back again."));
}

/** @throws UserError if the document was edited after this version */
function requireVersion(document: vscode.TextDocument, version: number): void {
  if (document.version !== version) throw staleConfig();
}

async function applyTextEdit(
  document: vscode.TextDocument,
  { offset, length, content }: { offset: number; length: number; content: string },
): Promise<vscode.Position> {
  const edit = new vscode.WorkspaceEdit();
  const [start, end] = [document.positionAt(offset), document.positionAt(offset + length)];
  edit.replace(document.uri, new vscode.Range(start.line, start.character, end.line, end.character), content);
  if (!(await vscode.workspace.applyEdit(edit)))
    throw new UserError(l10n.t("The edit was rejected. Is the file read-only?"));
  return start;
}

/** Shows the edited document; the page keeps the focus. */
async function showDocument(document: vscode.TextDocument): Promise<vscode.TextEditor> {
  const shown = vscode.window.visibleTextEditors.find((editor) => editor.document === document);
  const viewColumn = shown?.viewColumn ?? vscode.ViewColumn.One;
  return vscode.window.showTextDocument(document, { viewColumn, preserveFocus: true, preview: false });
}
