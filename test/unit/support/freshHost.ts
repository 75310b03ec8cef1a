import { afterEach, beforeEach } from "vitest";
import { URI } from "vscode-uri";
import { activate } from "../../../src/host/extension.ts";
import { stub } from "../stub/vscode.ts";

const subscriptions: { dispose(): unknown }[] = [];

function stop(): void {
  for (const subscription of subscriptions.splice(0).reverse()) subscription.dispose();
}

function start(extensionUri: URI): void {
  activate({ extensionUri, subscriptions });
}

/** Each test of the file that calls this begins with an editor that has just started, and leaves nothing behind. */
export function freshHost(extensionUri = URI.file("/extension")): { restart(): void } {
  beforeEach(() => {
    stub.reset();
    start(extensionUri);
  });
  afterEach(stop);
  return {
    /** A reload of the window: what documents and panels there were, the extension does not know. */
    restart: () => {
      stop();
      stub.documents.splice(0);
      start(extensionUri);
    },
  };
}
