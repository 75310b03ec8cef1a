// For processes of their own: the extension's Node bundle, with the stub of the unit tests in VS Code's place.
import { createRequire, registerHooks } from "node:module";
import * as vscode from "../../unit/stub/vscode.ts";

interface Extension {
  activate(context: { readonly extensionUri: vscode.Uri; readonly subscriptions: unknown[] }): unknown;
}

// `vscode` is a name that only VS Code's own loader knows.
Object.assign(globalThis, { vscodeStub: vscode });
registerHooks({
  resolve: (name, context, next) =>
    name === "vscode" ? { url: "stub:vscode", format: "commonjs", shortCircuit: true } : next(name, context),
  load: (url, context, next) =>
    url === "stub:vscode"
      ? { source: "module.exports = globalThis.vscodeStub", format: "commonjs", shortCircuit: true }
      : next(url, context),
});

/** Loads the bundle and starts it, as VS Code does. */
export async function activateExtension(bundle: string): Promise<typeof vscode.stub> {
  const extension: Extension = createRequire(bundle)(bundle);
  await extension.activate({ extensionUri: vscode.Uri.file("/extension"), subscriptions: [] });
  return vscode.stub;
}
