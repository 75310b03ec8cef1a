import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { URI } from "vscode-uri";
import type { BoundConfig } from "../../../../src/core/protocol/messages.ts";
import { activate } from "../../../../src/host/extension.ts";
import { type StubDocument, stub } from "../../stub/vscode.ts";
import { readFixture } from "../../support/files.ts";
import { posted, postedMessages, ready, request } from "../../support/panelPage.ts";

const fixture = readFixture("workspace/qwen2.5-7b-yarn/config.json");
const COMMENTED = fixture.replace('  "rope_theta"', '  // tuned by hand\n  "rope_theta"');
const subscriptions: { dispose(): unknown }[] = [];
let document: StubDocument;

let bound: BoundConfig;

beforeEach(async () => {
  stub.reset();
  activate({ extensionUri: URI.file("/extension"), subscriptions });
  document = stub.open("/workspace/qwen/config.json", "jsonc", COMMENTED);
  await stub.handlers.get("posenc.previewConfig")?.(document.uri);
  const { config } = await ready();
  if (config === null) throw new Error("no config is bound");
  bound = config;
});
afterEach(() => {
  for (const subscription of subscriptions.splice(0).reverse()) subscription.dispose();
});

const wanted = (change: Record<string, unknown>) => ({ ...bound.specs[0]?.params, ...change });
const write = (change: Record<string, unknown>, more: object = {}) =>
  request("writeBack", { uri: bound.uri, index: 0, version: bound.version, wanted: wanted(change), ...more });

describe("write back from the panel", () => {
  it("edits values in place, keeps comments, does not save, and updates the page first", async () => {
    const { ok, value } = await write({ rope_theta: 500_000, factor: 8 });
    expect(ok).toBe(true);
    expect(value).toEqual({ written: true, left: [] });
    expect(document.text).toBe(
      COMMENTED.replace('"rope_theta": 1000000.0', '"rope_theta": 500000.0').replace('"factor": 4.0', '"factor": 8.0'),
    );
    expect(stub.written.size).toBe(0);
    const config = posted("config").at(-1)?.config;
    expect(config?.specs[0]?.params).toMatchObject({ rope_theta: 500_000, factor: 8 });
    expect(config?.version).toBe(document.version);
    const types = postedMessages().map(({ type }) => type);
    expect(types.lastIndexOf("config")).toBeLessThan(types.lastIndexOf("response"));
    // The written lines are visible, and the panel keeps the focus.
    expect(stub.shown.at(-1)).toMatchObject({ document, options: { preserveFocus: true } });
  });

  it("refuses a document that has changed and reloads it", async () => {
    stub.edit(document, document.text.replace("1000000.0", "20000.0"));
    const before = document.text;
    const { ok, error } = await write({ rope_theta: 500_000 });
    expect(ok).toBe(false);
    expect(error).toMatch(/The config has changed and was reloaded/);
    expect(document.text).toBe(before);
    const config = posted("config").at(-1)?.config;
    expect(config?.specs[0]?.params.rope_theta).toBe(20_000);
  });

  it("writes to the panel's own file only", async () => {
    const other = stub.open("/workspace/other/config.json", "json", fixture);
    const { ok, error } = await write({ rope_theta: 1 }, { uri: other.uri.toString() });
    expect(ok).toBe(false);
    expect(error).toMatch(/No config is bound/);
    expect(other.text).toBe(fixture);
  });

  it("reports values that the file cannot hold and edits that the editor rejects", async () => {
    const { value } = await write({ rope_theta: 500_000, layout: "interleaved" });
    expect(value).toMatchObject({ written: true, left: [{ param: "layout" }] });
    stub.readOnly = true;
    const { ok, error } = await write({ rope_theta: 7 }, { version: document.version });
    expect(ok).toBe(false);
    expect(error).toMatch(/read-only/);
  });
});
