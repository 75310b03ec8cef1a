import { t } from "@vscode/l10n";
import type * as vscode from "vscode";
import { CLIPBOARD_SCHEME } from "../ids.ts";
import { hubFolder } from "./hubFolder.ts";

/** "Qwen2.5-7B / config.json": the folder is what tells configs apart. */
export function configTitle(uri: vscode.Uri): string {
  if (uri.scheme === CLIPBOARD_SCHEME) return t("clipboard");
  const parts = uri.path.split("/").filter(Boolean).slice(-2);
  const title = [hubFolder(uri.path)?.name ?? parts[0], ...parts.slice(1)].join(" / ");
  return uri.scheme === "git" ? t("{0} (last commit)", title) : title;
}
