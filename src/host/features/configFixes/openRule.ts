import * as vscode from "vscode";
import type { Services } from "../../services.ts";

/** Shows what a rule is about: its entry of the page that comes with the extension. */
export async function openRule({ extensionUri }: Services, rule: unknown): Promise<void> {
  const page = vscode.Uri.joinPath(extensionUri, "docs", "rules.md");
  // Headings are named by their text without punctuation, as everywhere where Markdown is shown.
  const fragment = typeof rule === "string" ? rule.replace(/[^\w-]/g, "") : "";
  await vscode.commands.executeCommand("markdown.showPreview", page.with({ fragment }));
}
