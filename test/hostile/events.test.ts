import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { URI } from "vscode-uri";
import { activate } from "../../src/host/extension.ts";
import { events } from "../unit/stub/vscode/state.ts";
import { stub, workspace } from "../unit/stub/vscode.ts";
import { eventually } from "../unit/support/eventually.ts";
import { freshHost } from "../unit/support/freshHost.ts";
import { config } from "../unit/support/llamaConfig.ts";
import { posted, ready, request } from "../unit/support/panelPage.ts";

const encode = (text: string) => new TextEncoder().encode(text);

const put = (path: string, text = config()): URI => {
  const uri = URI.file(`/workspace/${path}`);
  stub.files.set(uri.toString(), encode(text));
  stub.found.push(uri);
  return uri;
};

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

async function listModels(): Promise<string[]> {
  const provider = stub.trees.get("posenc.models")?.provider;
  const labels = async (node?: unknown): Promise<string[]> => {
    const children = (await provider?.getChildren(node)) ?? [];
    const rows = await Promise.all(children.map((child) => provider?.getTreeItem(child)));
    const below = await Promise.all(children.map((child) => (node === undefined ? labels(child) : [])));
    return [...rows.map((row) => row?.label ?? ""), ...below.flat()];
  };
  return labels();
}

describe("files of the workspace", () => {
  freshHost();
  beforeEach(() => void vi.restoreAllMocks());
  afterEach(() => {
    workspace.workspaceFolders.splice(0, workspace.workspaceFolders.length, {
      uri: URI.file("/workspace"),
      name: "workspace",
      index: 0,
    });
  });

  it("that may not be read are left out, and the others are listed", async () => {
    put("good/config.json");
    stub.unreadable.set(put("locked/config.json").toString(), "NoPermissions");
    stub.unreadable.set("file:///workspace/good/tokenizer_config.json", "NoPermissions");
    expect(await listModels()).toEqual(["good"]);
    expect(stub.errors).toEqual([]);
  });

  it("that are deleted and come back while a panel shows them keep its picture, with a reason", async () => {
    const document = stub.open("/workspace/m/config.json", "json", config());
    await stub.handlers.get("posenc.previewConfig")?.(document.uri);
    const { config: bound, state } = await ready();
    stub.close(document);
    stub.watched.fire(document.uri);
    await eventually(() => expect(posted("configProblem").at(-1)?.message).toMatch(/Cannot open m\/config.json/));
    const wanted = { ...bound?.specs[0]?.params, rope_theta: 7 };
    const argument = { uri: document.uri.toString(), index: 0, version: 1, wanted };
    expect(await request("writeBack", argument)).toMatchObject({ ok: false });
    expect((await ready(state)).config).toMatchObject({ uri: bound?.uri });
    stub.open("/workspace/m/config.json", "json", config({ rope_theta: 20_000 }));
    stub.watched.fire(document.uri);
    await eventually(() => expect(posted("configProblem").at(-1)?.message).toBeNull());
    expect(posted("config").at(-1)?.config.specs[0]?.params.rope_theta).toBe(20_000);
  });

  it("that are renamed are listed under their new name", async () => {
    const old = put("old/config.json");
    put("other/config.json");
    expect(await listModels()).toEqual(["old", "other"]);
    stub.files.delete(old.toString());
    stub.watched.fire(old);
    stub.watched.fire(put("renamed/config.json"));
    await eventually(async () => expect(await listModels()).toEqual(["other", "renamed"]));
  });

  it("of a folder that is removed from the workspace are gone, and no rule is disabled there", async () => {
    const uri = put("m/config.json");
    expect(await listModels()).toEqual(["m"]);
    const document = stub.open(uri, "json", config());
    workspace.workspaceFolders.splice(0);
    stub.found.splice(0);
    events.changedFolders.fire();
    await eventually(async () => expect(await listModels()).toEqual([]));
    await stub.handlers.get("posenc.disableRule")?.(document.uri, "rope/types-disagree", "project");
    expect(stub.errors).toEqual(["This file is not in a workspace folder."]);
    expect(stub.files.has("file:///workspace/.posenc.json")).toBe(false);
  });
});

describe("5,000 events of files in a second", () => {
  freshHost();
  beforeEach(() => void vi.restoreAllMocks());

  it("read each changed model once, and refresh the list once", async () => {
    const uris = Array.from({ length: 50 }, (_, n) => put(`m${n}/config.json`));
    await listModels();
    let refreshes = 0;
    const subscription = stub.trees.get("posenc.models")?.provider.onDidChangeTreeData(() => void refreshes++);
    for (const uri of uris) stub.files.set(uri.toString(), encode(config({ rope_theta: 20_000 })));
    const read = vi.spyOn(workspace.fs, "readFile");
    for (let n = 0; n < 100; n++) for (const uri of uris) stub.watched.fire(uri);
    await eventually(() => expect(refreshes).toBe(1));
    await pause(500);
    expect(refreshes).toBe(1);
    const reads = read.mock.calls.map(([uri]) => uri.toString()).filter((name) => name.endsWith("/config.json"));
    expect(reads.length).toBe(uris.length);
    subscription?.dispose();
  });

  it.each([
    ["rules", "/workspace/.posenc.json"],
    ["neighbours", "/workspace/m/tokenizer_config.json"],
  ])("of %s check an open config once or twice", async (_, changed) => {
    const document = stub.open(
      "/workspace/m/config.json",
      "json",
      config({ rope_scaling: { type: "x", factor: 0.5 } }),
    );
    await eventually(() => expect(stub.diagnostics.get(document.uri.toString())?.length).toBeGreaterThan(0));
    await pause(300);
    let checks = 0;
    const original = stub.diagnostics.set.bind(stub.diagnostics);
    const set = vi.spyOn(stub.diagnostics, "set").mockImplementation((...entry) => {
      checks++;
      return original(...entry);
    });
    for (let n = 0; n < 5000; n++) stub.watched.fire(URI.file(changed));
    await eventually(() => expect(checks).toBeGreaterThan(0));
    await pause(500);
    expect(checks).toBeLessThanOrEqual(2);
    set.mockRestore();
  });
});

describe("after the extension is disposed", () => {
  it("no listener, registration or timer is left, whatever was open", async () => {
    stub.reset();
    const before = { ...stub.live };
    const subscriptions: { dispose(): unknown }[] = [];
    activate({ extensionUri: URI.file("/extension"), subscriptions });
    put("m/config.json");
    await listModels();
    const document = stub.open("/workspace/m/config.json", "json", config());
    stub.activate(document);
    await stub.handlers.get("posenc.previewConfig")?.(document.uri);
    await ready();
    const side = await stub.openView("posenc.side");
    await eventually(() => expect(side.description).not.toBe(""));
    await eventually(() => expect(stub.statusItems[0]?.visible).toBe(true));
    await pause(300);
    expect(stub.live.listeners).toBeGreaterThan(before.listeners);

    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "setInterval", "clearInterval"] });
    try {
      stub.edit(document, config({ rope_theta: 20_000 }));
      stub.watched.fire(document.uri);
      stub.watched.fire(URI.file("/workspace/.posenc.json"));
      stub.watched.fire(URI.file("/workspace/m/tokenizer_config.json"));
      expect(vi.getTimerCount()).toBeGreaterThan(0);
      side.dispose();
      for (const panel of [...stub.panels]) panel.dispose();
      for (const subscription of subscriptions.reverse()) subscription.dispose();
      await Promise.resolve();
      expect(vi.getTimerCount()).toBe(0);
    } finally {
      vi.useRealTimers();
    }
    expect({ ...stub.live }).toEqual(before);
  });
});
