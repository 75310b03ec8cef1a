import { afterEach, beforeAll, beforeEach } from "vitest";
import { URI } from "vscode-uri";
import { activate } from "../../../src/host/extension.ts";
import { stub } from "../stub/vscode.ts";

const subscriptions: { dispose(): unknown }[] = [];

/** What the host imports when it first needs it. Loaded before the tests, so that no test waits for a compiler. */
async function loadHostModules(): Promise<void> {
  await Promise.all([
    import("../../../src/host/stores/modelReader.ts"),
    import("../../../src/host/features/checkpointEditor/checkpointPage.ts"),
    import("../../../src/host/features/configFixes/codeActions.ts"),
    import("../../../src/host/features/keyHover/provideKeyHover.ts"),
    import("../../../src/host/features/models/modelTree.ts"),
    import("../../../src/host/features/previewPanel/panels.ts"),
    import("../../../src/host/features/sideView/sideSession.ts"),
  ]);
}

function stop(): void {
  for (const subscription of subscriptions.splice(0).reverse()) subscription.dispose();
}

function start(extensionUri: URI): void {
  activate({ extensionUri, subscriptions });
}

/** Activates the extension in a fresh editor before each test, and deactivates it after. */
export function freshHost(extensionUri = URI.file("/extension")): { restart(): void } {
  beforeAll(loadHostModules);
  beforeEach(() => {
    stub.reset();
    start(extensionUri);
  });
  afterEach(stop);
  return {
    /** Reloads the window: the extension starts without the earlier documents and panels. */
    restart: () => {
      stop();
      stub.documents.splice(0);
      start(extensionUri);
    },
  };
}
