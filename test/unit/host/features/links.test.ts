import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { URI } from "vscode-uri";
import { buildLinkQuery } from "../../../../src/core/protocol/link.ts";
import { initialPanelState } from "../../../../src/core/protocol/state.ts";
import * as links from "../../../../src/host/features/links/links.ts";
import { shareLink } from "../../../../src/host/features/previewPanel/requests.ts";
import { createServices } from "../../../../src/host/services.ts";
import type { PanelRequest } from "../../../../src/host/stores/panelOpener.ts";
import { stub } from "../../stub/vscode.ts";

const asked: PanelRequest[] = [];
const owned: { dispose(): unknown }[] = [];

beforeEach(() => {
  stub.reset();
  asked.length = 0;
  const services = createServices(URI.file("/extension"));
  owned.push(
    services,
    links.register(services),
    services.panels.setHandler(async (request) => void asked.push(request)),
  );
});
afterEach(() => {
  for (const thing of owned.splice(0)) thing.dispose();
});

const open = (uri: string) => stub.uriHandler?.handleUri(URI.parse(uri));

describe("a link into the editor", () => {
  it("is created and read back", async () => {
    const state = { ...initialPanelState("alibi"), view: "bias" as const, head: 3 };
    const { link } = shareLink({ state });
    expect(link).toMatch(/^vscode:\/\/posenc\.posenc\/show\?state=/);
    await open(link);
    expect(asked).toEqual([{ state, preserveFocus: false, replaceState: true }]);
  });

  it("is refused with a message if it is invalid", async () => {
    for (const uri of [
      "vscode://posenc.posenc/show",
      "vscode://posenc.posenc/show?state=!",
      `vscode://posenc.posenc/run?${buildLinkQuery(initialPanelState("rope"))}`,
    ]) {
      await open(uri);
      expect(stub.errors.at(-1)).toMatch(/This link cannot be opened/);
    }
    expect(asked).toEqual([]);
  });
});
