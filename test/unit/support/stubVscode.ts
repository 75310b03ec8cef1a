import { registerHooks } from "node:module";
import * as vscode from "../stub/vscode.ts";

/** `vscode` is a name that only VS Code's own loader knows: from now on it is the stub, for bundles of Node. */
export function stubVscode(): ReturnType<typeof registerHooks> {
  Object.assign(globalThis, { vscodeStub: vscode });
  return registerHooks({
    resolve: (name, context, next) =>
      name === "vscode" ? { url: "stub:vscode", format: "commonjs", shortCircuit: true } : next(name, context),
    load: (url, context, next) =>
      url === "stub:vscode"
        ? { source: "module.exports = globalThis.vscodeStub", format: "commonjs", shortCircuit: true }
        : next(url, context),
  });
}
