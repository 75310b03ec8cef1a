import * as vscode from "vscode";
import type { ViewRequests } from "../../../core/protocol/messages.ts";

type Copy = ViewRequests["copyText"];

/** Through the editor, which reaches the clipboard of the person's own machine from a remote one, too. */
export async function copyText({ text }: Copy["argument"]): Promise<Copy["answer"]> {
  await vscode.env.clipboard.writeText(text);
  return {};
}
