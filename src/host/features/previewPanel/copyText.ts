import * as vscode from "vscode";
import type { ViewRequests } from "../../../core/protocol/messages.ts";

type CopyText = ViewRequests["copyText"];

/** Uses VS Code's clipboard, which is the local one even if the extension runs remotely. */
export async function copyText({ text }: CopyText["argument"]): Promise<CopyText["answer"]> {
  await vscode.env.clipboard.writeText(text);
  return {};
}
