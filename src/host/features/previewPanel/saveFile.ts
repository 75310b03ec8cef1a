import { t } from "@vscode/l10n";
import * as vscode from "vscode";
import type { ViewRequests } from "../../../core/protocol/messages.ts";

type Save = ViewRequests["save"];

/** A name without folders: where it goes is the user's choice in the dialog. */
function fileName(name: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must go
  const safe = name.replace(/[\u0000-\u001f\\/:*?"<>|]/g, "_").replace(/^\.+/, "");
  return safe === "" ? "posenc" : safe.slice(0, 120);
}

/** "picture.png" → one filter for PNG files, so that the dialog keeps the ending. */
function filtersOf(file: string): { [name: string]: string[] } {
  const [, ending] = /\.([a-z0-9]+)$/i.exec(file) ?? [];
  return ending === undefined ? {} : { [ending.toUpperCase()]: [ending] };
}

/** Asks where, then writes; the dialog asks before a file is replaced. A cancelled dialog writes nothing. */
export async function saveFile({ name, data }: Save["argument"]): Promise<Save["answer"]> {
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
  const file = fileName(name);
  const target = await vscode.window.showSaveDialog({
    title: t("Save {0}", file),
    filters: filtersOf(file),
    ...(folder === undefined ? {} : { defaultUri: vscode.Uri.joinPath(folder, file) }),
  });
  if (target === undefined) return { saved: false };
  await vscode.workspace.fs.writeFile(target, typeof data === "string" ? new TextEncoder().encode(data) : data);
  return { saved: true };
}
