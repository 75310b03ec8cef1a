import * as vscode from "vscode";
import type { Services } from "../../services.ts";

/** Opens a rule's entry on the bundled rules page. */
export async function openRule({ extensionUri }: Services, rule: unknown): Promise<void> {
  const page = vscode.Uri.joinPath(extensionUri, "docs", "rules.md");
  // Markdown previews derive heading ids from the text without punctuation.
  const fragment = typeof rule === "string" ? rule.replace(/[^\w-]/g, "") : "";
  await vscode.commands.executeCommand("markdown.showPreview", page.with({ fragment }));
}
