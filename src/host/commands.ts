import * as vscode from "vscode";
import { DisposableStore } from "../core/disposable.ts";
import { previewConfig } from "./features/previewConfig/previewConfig.ts";
import { previewEncoding } from "./features/previewEncoding/previewEncoding.ts";
import { openPanel } from "./features/previewPanel/openPanel.ts";
import { COMMANDS, type CommandId } from "./ids.ts";
import { reportFailure } from "./platform/failure.ts";
import type { Services } from "./services.ts";

type Handler = (services: Services, ...given: unknown[]) => unknown;

/** Every command. What `given` holds comes from menus, lenses, links or other extensions: handlers check it. */
const HANDLERS: Readonly<Record<CommandId, Handler>> = {
  [COMMANDS.previewEncoding]: previewEncoding,
  [COMMANDS.previewConfig]: previewConfig,
  [COMMANDS.openPanel]: openPanel,
};

export function register(services: Services): vscode.Disposable {
  const owned = new DisposableStore();
  for (const [id, handler] of Object.entries(HANDLERS)) {
    owned.add(vscode.commands.registerCommand(id, (...given: unknown[]) => run(services, id, handler, given)));
  }
  return owned;
}

async function run(services: Services, id: string, handler: Handler, given: unknown[]): Promise<void> {
  try {
    await handler(services, ...given);
  } catch (error) {
    reportFailure(services.log, id, error);
  }
}
