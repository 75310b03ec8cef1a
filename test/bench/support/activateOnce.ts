// Runs in a process of its own: what VS Code does when it starts the extension, with nothing warm.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { compileFunction } from "node:vm";
import * as vscode from "../../unit/stub/vscode.ts";

interface Extension {
  activate(context: { readonly extensionUri: vscode.Uri; readonly subscriptions: unknown[] }): unknown;
}

const [bundle = ""] = process.argv.slice(2);
const require = createRequire(bundle);
const extensionUri = vscode.Uri.file("/extension");

const start = performance.now();
const module: { exports: Partial<Extension> } = { exports: {} };
const given = (name: string): unknown => (name === "vscode" ? vscode : require(name));
compileFunction(readFileSync(bundle, "utf8"), ["module", "exports", "require"])(module, module.exports, given);
await module.exports.activate?.({ extensionUri, subscriptions: [] });
process.stdout.write(`${performance.now() - start}`);
process.exit(module.exports.activate === undefined ? 1 : 0);
