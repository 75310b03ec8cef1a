import { t } from "@vscode/l10n";
import * as vscode from "vscode";
import { writeBack } from "../../core/config/edit/writeBack.ts";
import type { ViewRequests } from "../../core/protocol/messages.ts";
import { UserError } from "../../core/util/errors.ts";
import type { Services } from "../services.ts";

type Write = ViewRequests["writeBack"];

/**
 * Makes a config say other parameters: its document is edited, where it can be undone, and not saved.
 * @throws UserError when the document is not the one that the page shows any more
 */
export async function writeConfig(
  { configs }: Pick<Services, "configs">,
  { uri, index, version, wanted }: Write["argument"],
): Promise<Write["answer"]> {
  const document = await configs.open(vscode.Uri.parse(uri));
  const { reading } = await configs.readDocument(document);
  const spec = reading.specs[index];
  if (document.version !== version || spec === undefined)
    throw new UserError(t("The config has changed and was reloaded. Review it, then write back again."));
  const { edit, left } = writeBack(document.getText(), reading.format, spec, wanted);
  if (edit !== null) {
    const editor = await show(document);
    const start = await apply(document, edit);
    editor.revealRange(new vscode.Range(start.line, 0, start.line, 0));
  }
  return { written: edit !== null, left: left.map(({ param, reason }) => ({ param, reason })) };
}

async function apply(
  document: vscode.TextDocument,
  { offset, length, content }: { offset: number; length: number; content: string },
): Promise<vscode.Position> {
  const edit = new vscode.WorkspaceEdit();
  const [start, end] = [document.positionAt(offset), document.positionAt(offset + length)];
  edit.replace(document.uri, new vscode.Range(start.line, start.character, end.line, end.character), content);
  if (!(await vscode.workspace.applyEdit(edit)))
    throw new UserError(t("The edit was rejected. Is the file read-only?"));
  return start;
}

/** What is edited can be seen; the page keeps the keyboard. */
async function show(document: vscode.TextDocument): Promise<vscode.TextEditor> {
  const shown = vscode.window.visibleTextEditors.find((editor) => editor.document === document);
  const viewColumn = shown?.viewColumn ?? vscode.ViewColumn.One;
  return vscode.window.showTextDocument(document, { viewColumn, preserveFocus: true, preview: false });
}
