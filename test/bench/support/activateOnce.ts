// Runs in a process of its own: what VS Code does when it starts the extension, with nothing warm.
import { createRequire, registerHooks } from "node:module";
import * as vscode from "../../unit/stub/vscode.ts";

interface Extension {
  activate(context: { readonly extensionUri: vscode.Uri; readonly subscriptions: unknown[] }): unknown;
}

const [bundle = ""] = process.argv.slice(2);
const extensionUri = vscode.Uri.file("/extension");

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

const start = performance.now();
const extension: Extension = createRequire(bundle)(bundle);
await extension.activate({ extensionUri, subscriptions: [] });
process.stdout.write(`${performance.now() - start}`);
process.exit(0);
