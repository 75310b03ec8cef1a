import * as vscode from "vscode";
import { DisposableStore } from "../core/util/disposable.ts";
import { COMMANDS, type CommandId } from "./ids.ts";
import { reportFailure } from "./platform/failure.ts";
import type { Services } from "./services.ts";

type Handler = (services: Services, ...given: unknown[]) => unknown;

const comparing = () => import("./features/compareConfigs/compareConfigs.ts");

/**
 * Every command. Each is loaded when it first runs, so that a start waits for none of them. What a handler is
 * given comes from menus, lenses, links or other extensions: it checks it.
 */
const HANDLERS: Readonly<Record<CommandId, () => Promise<Handler>>> = {
  [COMMANDS.previewEncoding]: async () =>
    (await import("./features/previewEncoding/previewEncoding.ts")).previewEncoding,
  [COMMANDS.previewConfig]: async () => (await import("./features/previewConfig/previewConfig.ts")).previewConfig,
  [COMMANDS.openCheckpoint]: async () => (await import("./features/checkpointEditor/openCheckpoint.ts")).openCheckpoint,
  [COMMANDS.openPanel]: async () => (await import("./features/previewPanel/openPanel.ts")).openPanel,
  [COMMANDS.openRule]: async () => (await import("./features/configFixes/openRule.ts")).openRule,
  [COMMANDS.disableRule]: async () => (await import("./features/configFixes/disableRule.ts")).disableRule,
  [COMMANDS.compareConfigs]: async () => (await comparing()).compareConfigs,
  [COMMANDS.compareWithCommit]: async () => (await comparing()).compareWithCommit,
  [COMMANDS.compareWithClipboard]: async () => (await comparing()).compareWithClipboard,
  [COMMANDS.compareWithUntitled]: async () => (await comparing()).compareWithUntitled,
  [COMMANDS.planContext]: async () => (await import("./features/sideView/planContext.ts")).planContext,
  [COMMANDS.scanModels]: async () => (services) => services.modelScans.fire("again"),
  [COMMANDS.cancelScan]: async () => (services) => services.modelScans.fire("cancel"),
};

export function register(services: Services): vscode.Disposable {
  const owned = new DisposableStore();
  for (const [id, load] of Object.entries(HANDLERS)) {
    owned.add(vscode.commands.registerCommand(id, (...given: unknown[]) => run(services, id, load, given)));
  }
  return owned;
}

async function run(services: Services, id: string, load: () => Promise<Handler>, given: unknown[]): Promise<void> {
  try {
    const handler = await load();
    await handler(services, ...given);
  } catch (error) {
    reportFailure(services.log, id, error);
  }
}
