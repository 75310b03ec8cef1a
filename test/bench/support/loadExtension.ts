// For separate processes: the extension's Node bundle with the unit tests' stub of VS Code.
import { createRequire } from "node:module";
import * as vscode from "../../unit/stub/vscode.ts";
import { stubVscode } from "../../unit/support/stubVscode.ts";

interface Extension {
  activate(context: { readonly extensionUri: vscode.Uri; readonly subscriptions: unknown[] }): unknown;
}

stubVscode();

/** Loads and activates the bundle as VS Code does. */
export async function activateExtension(bundle: string): Promise<typeof vscode.stub> {
  const extension: Extension = createRequire(bundle)(bundle);
  await extension.activate({ extensionUri: vscode.Uri.file("/extension"), subscriptions: [] });
  return vscode.stub;
}
