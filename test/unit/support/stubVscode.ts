import Module from "node:module";
import * as vscode from "../stub/vscode.ts";

type Load = (request: string, ...rest: readonly unknown[]) => unknown;

/**
 * Makes `require("vscode")`, which only VS Code's own loader knows, give the stub to bundles for Node.
 * @returns undoes it
 */
export function stubVscode(): () => void {
  const original: Load = Reflect.get(Module, "_load");
  const load: Load = function (this: unknown, request, ...rest) {
    return request === "vscode" ? vscode : Reflect.apply(original, this, [request, ...rest]);
  };
  Reflect.set(Module, "_load", load);
  return () => Reflect.set(Module, "_load", original);
}
