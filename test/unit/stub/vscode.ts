/**
 * As much of VS Code as the host uses, in memory: enough to activate the extension in plain Node, to drive it,
 * and to count what it leaves behind. Aliased to `vscode` in the tests; a file for each namespace in `vscode/`.
 */
import { URI as Uri, Utils } from "vscode-uri";

export * from "./vscode/commands.ts";
export { stub } from "./vscode/control.ts";
export * from "./vscode/enums.ts";
export * from "./vscode/env.ts";
export { CancellationError, CancellationTokenSource, EventEmitter } from "./vscode/events.ts";
export * from "./vscode/languages.ts";
export type { StubDocument } from "./vscode/shapes.ts";
export * from "./vscode/types.ts";
export * from "./vscode/window.ts";
export * from "./vscode/workspace.ts";
export { Uri };

Object.assign(Uri, { joinPath: Utils.joinPath });
