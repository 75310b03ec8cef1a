import * as vscode from "vscode";
import { DisposableStore } from "../core/util/disposable.ts";
import { COMMANDS, type CommandId } from "./ids.ts";
import { reportFailure } from "./platform/reportFailure.ts";
import type { Services } from "./services.ts";

type CommandHandler = (services: Services, ...args: unknown[]) => unknown;

const loadCompareConfigs = () => import("./features/compareConfigs/compareConfigs.ts");

/**
 * All commands. Each handler is loaded on first use, so that activation stays fast. Arguments come from menus, lenses,
 * links or other extensions: each handler validates its own.
 */
const HANDLERS: Readonly<Record<CommandId, () => Promise<CommandHandler>>> = {
  [COMMANDS.previewEncoding]: async () =>
    (await import("./features/previewEncoding/previewEncoding.ts")).previewEncoding,
  [COMMANDS.learn]: async () => (await import("./features/learn/learn.ts")).learn,
  [COMMANDS.previewConfig]: async () => (await import("./features/previewConfig/previewConfig.ts")).previewConfig,
  [COMMANDS.openCheckpoint]: async () => (await import("./features/checkpointEditor/openCheckpoint.ts")).openCheckpoint,
  [COMMANDS.openPanel]: async () => (await import("./features/previewPanel/openPanel.ts")).openPanel,
  [COMMANDS.openRule]: async () => (await import("./features/configFixes/openRule.ts")).openRule,
  [COMMANDS.disableRule]: async () => (await import("./features/configFixes/disableRule.ts")).disableRule,
  [COMMANDS.compareConfigs]: async () => (await loadCompareConfigs()).compareConfigs,
  [COMMANDS.compareWithCommit]: async () => (await loadCompareConfigs()).compareWithCommit,
  [COMMANDS.compareWithClipboard]: async () => (await loadCompareConfigs()).compareWithClipboard,
  [COMMANDS.compareWithUntitled]: async () => (await loadCompareConfigs()).compareWithUntitled,
  [COMMANDS.planContext]: async () => (await import("./features/sideView/openPlanner.ts")).openPlanner,
  [COMMANDS.scanModels]: async () => (services) => services.scanRequests.fire("again"),
  [COMMANDS.cancelScan]: async () => (services) => services.scanRequests.fire("cancel"),
};

export function register(services: Services): vscode.Disposable {
  const owned = new DisposableStore();
  for (const [id, load] of Object.entries(HANDLERS)) {
    owned.add(vscode.commands.registerCommand(id, (...args: unknown[]) => runCommand(services, id, load, args)));
  }
  return owned;
}

async function runCommand(
  services: Services,
  id: string,
  load: () => Promise<CommandHandler>,
  args: unknown[],
): Promise<void> {
  try {
    const handler = await load();
    await handler(services, ...args);
  } catch (error) {
    reportFailure(services.log, id, error);
  }
}
