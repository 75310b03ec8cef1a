import * as vscode from "vscode";
import { currentLanguage } from "../../../core/l10n/l10n.ts";
import type { Services } from "../../services.ts";

/** Opens a rule's entry on the bundled rules page. */
export async function openRule({ extensionUri }: Services, rule: unknown): Promise<void> {
  const name = currentLanguage() === "zh-cn" ? "rules.zh-CN.md" : "rules.md";
  const page = vscode.Uri.joinPath(extensionUri, "docs", name);
  // Markdown previews derive heading ids from the text without punctuation.
  const fragment = typeof rule === "string" ? rule.replace(/[^\w-]/g, "") : "";
  await vscode.commands.executeCommand("markdown.showPreview", page.with({ fragment }));
}
