import type * as vscode from "vscode";

/** "Qwen2.5-7B / config.json": the folder is what tells configs apart. */
export function configTitle(uri: vscode.Uri): string {
  return uri.path.split("/").filter(Boolean).slice(-2).join(" / ");
}
