import { beforeEach, describe, expect, it } from "vitest";
import { URI } from "vscode-uri";
import type { PanelState } from "../../src/core/protocol/state.ts";
import { type StubDocument, stub } from "../unit/stub/vscode.ts";
import { eventually } from "../unit/support/eventually.ts";
import { freshHost } from "../unit/support/freshHost.ts";
import { config } from "../unit/support/llamaConfig.ts";
import { posted, ready, request } from "../unit/support/panelPage.ts";

freshHost();

/** A page that was taken over names files that the host never gave it. */
describe("a page that names another file", () => {
  const other = "file:///workspace/secret/config.json";
  let own: StubDocument;
  let secret: StubDocument;
  let state: PanelState;

  const send = (message: unknown) => stub.panels.at(-1)?.messages.fire(message);

  beforeEach(async () => {
    own = stub.open("/workspace/m/config.json", "json", config());
    secret = stub.open("/workspace/secret/config.json", "json", config({ rope_theta: 42 }));
    await stub.handlers.get("posenc.previewConfig")?.(own.uri);
    ({ state } = await ready());
  });

  it("as its config stays with its own, and cannot write", async () => {
    const wanted = { ...state, config: { uri: other, index: 0 } };
    send({ type: "state", state: wanted });
    await eventually(() => expect(posted("show").at(-1)?.state.config?.uri).toBe(own.uri.toString()));
    const answer = await request("writeBack", { uri: other, index: 0, version: 1, wanted: { rope_theta: 7 } });
    expect(answer.ok).toBe(false);
    expect(secret.text).toBe(config({ rope_theta: 42 }));
    expect(JSON.stringify(posted("config"))).not.toContain("secret");
  });

  it("as the compared one gets nothing of it", async () => {
    const compare = { encoding: state.encoding, config: { uri: other, index: 0 }, given: null, changes: {} };
    send({ type: "state", state: { ...state, compare } });
    await eventually(() => expect(posted("show").at(-1)?.state.compare).toBeNull());
    expect(posted("compared")).toEqual([]);
  });

  it("in the state that it saved is given its own", async () => {
    const { state: again } = await ready({ ...state, config: { uri: other, index: 0 } });
    expect(again.config?.uri).toBe(own.uri.toString());
  });

  it("to be opened opens nothing", async () => {
    send({ type: "openConfig", uri: other, range: null });
    send({ type: "openConfig", uri: own.uri.toString(), range: null });
    await eventually(() => expect(stub.shown).toHaveLength(1));
    expect(stub.shown[0]?.document).toBe(own);
  });

  it.each([
    ["readWeights", { encoding: "learned_absolute", tensor: "t", params: {} }],
    ["readContent", { ids: [1], head: 0, headDim: 4 }],
  ] as const)("as a checkpoint reads nothing: %s", async (name, argument) => {
    const { ok, error } = await request(name, { ...argument, uri: "file:///workspace/secret/model.safetensors" });
    expect({ ok, error }).toEqual({ ok: false, error: "This file was not opened in this panel." });
  });
});

describe("the side view's page", () => {
  it("writes only to the file that it shows", async () => {
    const own = stub.open("/workspace/m/config.json", "json", config());
    const secret = stub.open("/workspace/secret/config.json", "json", config({ rope_theta: 42 }));
    stub.activate(own);
    const view = await stub.openView("posenc.side");
    await eventually(() => expect(view.description).not.toBe(""));
    const argument = { uri: URI.file("/workspace/secret/config.json").toString(), index: 0, version: 1, wanted: {} };
    view.messages.fire({ type: "request", id: 77, name: "writeBack", argument });
    await eventually(() =>
      expect(view.webview.posted).toContainEqual({
        type: "response",
        id: 77,
        result: { ok: false, error: "The side view now shows another file." },
      }),
    );
    expect(secret.text).toBe(config({ rope_theta: 42 }));
  });
});
