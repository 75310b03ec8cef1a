import * as l10n from "@vscode/l10n";
import * as vscode from "vscode";
import type { ViewRequests } from "../../../core/protocol/messages.ts";

type SaveFile = ViewRequests["save"];

/** A file name without folders; the user chooses the folder in the dialog. */
function safeFileName(name: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must go
  const safe = name.replace(/[\u0000-\u001f\\/:*?"<>|]/g, "_").replace(/^\.+/, "");
  return safe === "" ? "posenc" : safe.slice(0, 120);
}

/** "picture.png" → a filter for PNG files, so that the dialog keeps the extension. */
function dialogFilters(file: string): { [name: string]: string[] } {
  const [, ending] = /\.([a-z0-9]+)$/i.exec(file) ?? [];
  return ending === undefined ? {} : { [ending.toUpperCase()]: [ending] };
}

/** Asks where to save, then writes. The dialog confirms overwriting; if cancelled, nothing is written. */
export async function saveFile({ name, data }: SaveFile["argument"]): Promise<SaveFile["answer"]> {
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
  const file = safeFileName(name);
  const target = await vscode.window.showSaveDialog({
    title: l10n.t("Save {0}", file),
    filters: dialogFilters(file),
    ...(folder === undefined ? {} : { defaultUri: vscode.Uri.joinPath(folder, file) }),
  });
  if (target === undefined) return { saved: false };
  await vscode.workspace.fs.writeFile(target, typeof data === "string" ? new TextEncoder().encode(data) : data);
  return { saved: true };
}
