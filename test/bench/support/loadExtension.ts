// For processes of their own: the extension's Node bundle, with the stub of the unit tests in VS Code's place.
import { createRequire } from "node:module";
import * as vscode from "../../unit/stub/vscode.ts";
import { stubVscode } from "../../unit/support/stubVscode.ts";

interface Extension {
  activate(context: { readonly extensionUri: vscode.Uri; readonly subscriptions: unknown[] }): unknown;
}

stubVscode();

/** Loads the bundle and starts it, as VS Code does. */
export async function activateExtension(bundle: string): Promise<typeof vscode.stub> {
  const extension: Extension = createRequire(bundle)(bundle);
  await extension.activate({ extensionUri: vscode.Uri.file("/extension"), subscriptions: [] });
  return vscode.stub;
}
