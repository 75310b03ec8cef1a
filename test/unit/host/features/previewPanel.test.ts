import { createRequire } from "node:module";
import { compileFunction } from "node:vm";
import { build } from "esbuild";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { URI } from "vscode-uri";
import { bundles, esbuildOptions } from "../../../../scripts/lib/bundles.ts";
import { ENCODINGS } from "../../../../src/core/encodings/index.ts";
import { initialPanelState } from "../../../../src/core/protocol/state.ts";
import * as vscode from "../../stub/vscode.ts";
import { stub } from "../../stub/vscode.ts";
import { eventually } from "../../support/eventually.ts";
import { readFixture, root as repository } from "../../support/files.ts";
import { posted, ready, request } from "../../support/panelPage.ts";

interface Extension {
  activate(context: { extensionUri: URI; subscriptions: { dispose(): unknown }[] }): void;
}

const fixture = (name: string) => readFixture(`workspace/${name}`);
const root = URI.file(repository);
const live = () => ({ ...stub.live });

let extension: Extension;
const subscriptions: { dispose(): unknown }[] = [];

/** The shipped bundle, run in plain Node with the stub as `vscode`. */
async function load(): Promise<Extension> {
  const bundle = bundles.find(({ name }) => name === "extension");
  if (bundle === undefined) throw new Error("there is no bundle called extension");
  const built = await build({ ...esbuildOptions(bundle, false), write: false, sourcemap: false });
  const text = built.outputFiles[0]?.text ?? "";
  const require = createRequire(import.meta.url);
  const module = { exports: {} as Extension };
  const given = (name: string): unknown => (name === "vscode" ? vscode : require(name));
  compileFunction(text, ["module", "exports", "require"])(module, module.exports, given);
  return module.exports;
}

function deactivate(): void {
  for (const subscription of subscriptions.splice(0).reverse()) subscription.dispose();
}

beforeAll(async () => {
  extension = await load();
});

beforeEach(() => {
  stub.reset();
  extension.activate({ extensionUri: root, subscriptions });
});
afterEach(deactivate);
afterAll(() => expect(live()).toEqual({ listeners: 0, registrations: 0 }));

const run = (id: string, ...given: unknown[]) => stub.handlers.get(id)?.(...given);
const page = () => {
  const panel = stub.panels.at(-1);
  if (panel === undefined) throw new Error("no panel is open");
  return panel;
};
describe("Preview Encoding", () => {
  type Item = {
    label: string;
    kind?: number;
    description?: string;
    detail?: string;
    choice?: { encoding: string; params: object };
  };
  const pick = (choose: (item: Item) => boolean) => {
    const offered: Item[] = [];
    stub.pick = (items) => {
      offered.push(...(items as Item[]));
      return offered.find(choose);
    };
    return offered;
  };

  it("offers every encoding in groups, with models and a description", async () => {
    const offered = pick(() => false);
    await run("posenc.previewEncoding");
    const order = ["rotation", "absolute", "bias", "relative", "none"];
    const groups = offered.filter(({ kind }) => kind === vscode.QuickPickItemKind.Separator).map(({ label }) => label);
    expect(groups).toEqual(order.filter((group) => groups.includes(group)));
    const choices = offered.filter(({ choice }) => choice !== undefined);
    expect(new Set(choices.map(({ choice }) => choice?.encoding))).toEqual(new Set(ENCODINGS.map(({ id }) => id)));
    for (const { description } of choices) expect(description).toMatch(/\S/);
    expect(stub.panels).toHaveLength(0);
  });

  it("opens the selected variant of a family", async () => {
    pick(({ choice }) => choice?.encoding === "rope" && "rope_type" in choice.params);
    await run("posenc.previewEncoding");
    const { state } = await ready();
    expect(state).toMatchObject({ encoding: "rope", changes: { rope_type: expect.any(String) } });
  });

  it("reveals an open panel in its current state instead of opening a second one", async () => {
    pick(({ choice }) => choice?.encoding === "alibi");
    await run("posenc.previewEncoding");
    const changed = { ...initialPanelState("alibi"), head: 3 };
    await ready();
    page().messages.fire({ type: "state", state: changed });
    await run("posenc.previewEncoding");
    expect(stub.panels).toHaveLength(1);
    expect(page().revealed).toEqual([false]);
    expect(posted("show")).toEqual([]);
    expect((await ready(changed)).state).toEqual(changed);
  });
});

describe("Preview from Config", () => {
  const llama = () => stub.open("/workspace/llama-3.1-8b/config.json", "json", fixture("llama-3.1-8b/config.json"));

  it("binds the panel to the config in the active editor", async () => {
    stub.activate(llama());
    await eventually(() => expect(stub.contexts.get("posenc.modelConfig")).toBe(true));
    await run("posenc.previewConfig");
    const { state, config, problem } = await ready();
    expect(state).toMatchObject({ encoding: "rope", config: { index: 0 } });
    expect(config).toMatchObject({
      title: "llama-3.1-8b / config.json",
      specs: [{ encoding: "rope", params: { rope_theta: 500000, rope_type: "llama3" } }],
    });
    expect(problem).toBeNull();
    expect(page().title).toBe("llama-3.1-8b / config.json");
  });

  it("starts with the window of the config's layers", async () => {
    const document = stub.open("/workspace/gemma-3-4b/config.json", "json", fixture("gemma-3-4b/config.json"));
    await run("posenc.previewConfig", document.uri);
    expect((await ready()).state).toMatchObject({ config: { index: 0 }, window: 1024 });
  });

  it("follows edits while typing and shows the latest", async () => {
    const document = llama();
    await run("posenc.previewConfig", document.uri);
    await ready();
    for (const base of [1, 12, 123, 1234])
      stub.edit(document, document.text.replace(/("rope_theta": )[\d.]+/, `$1${base}`));
    const last = await eventually(() => {
      const messages = posted("config");
      expect(messages).not.toHaveLength(0);
      return messages;
    });
    expect(last).toHaveLength(1);
    expect(last[0]).toMatchObject({ config: { version: 5, specs: [{ params: { rope_theta: 1234 } }] } });
  });

  it("keeps the last readable config through a syntax error, shows a notice, and recovers", async () => {
    const document = llama();
    const whole = document.text;
    await run("posenc.previewConfig", document.uri);
    await ready();
    stub.edit(document, whole.slice(0, whole.length / 2));
    await eventually(() => expect(posted("configProblem")).toHaveLength(1));
    expect(posted("configProblem")[0]).toMatchObject({
      message: expect.stringMatching(/^llama-3\.1-8b \/ config\.json:\d+/),
    });
    expect((await ready()).config).toMatchObject({ specs: [{ params: { rope_theta: 500000, rope_type: "llama3" } }] });
    stub.edit(document, whole);
    await eventually(() => expect(posted("configProblem").at(-1)).toMatchObject({ message: null }));
  });

  it("shows unreadable values in the panel's notice and leaves rule violations to the findings", async () => {
    const text = fixture("llama-3.1-8b/config.json");
    const document = stub.open("/workspace/llama-3.1-8b/config.json", "json", text.replace('"llama3"', '"ntk"'));
    await run("posenc.previewConfig", document.uri);
    const { problem, config } = await ready();
    expect(problem).toBeNull();
    expect(config).toMatchObject({ findings: [{ severity: "error", message: expect.stringContaining("ntk") }] });
    stub.edit(document, text.replace("500000.0", '"much"'));
    const message = expect.stringMatching(/config\.json:\d+: rope_theta: /);
    await eventually(() => expect(posted("configProblem").at(-1)).toMatchObject({ message }));
    stub.set("posenc.rules", { "config/*": "off" });
    await eventually(() => expect(posted("configProblem").at(-1)).toMatchObject({ message: null }));
  });

  it("opens the encoding of the lens if there are several", async () => {
    const document = stub.open("/workspace/gemma-3-4b/config.json", "json", fixture("gemma-3-4b/config.json"));
    const lenses = (await stub.lenses[0]?.provideCodeLenses(document, {})) as vscode.CodeLens[];
    expect(lenses.length).toBeGreaterThan(1);
    const { command, arguments: given = [] } = lenses[1]?.command ?? { command: "" };
    await run(command, ...given);
    expect((await ready()).state).toMatchObject({ config: { index: 1 } });
  });

  it("shows one message for a config without an encoding and opens no panel", async () => {
    const document = stub.open("/workspace/odd/config.json", "json", "{");
    await run("posenc.previewConfig", document.uri);
    expect(stub.errors).toHaveLength(1);
    expect(stub.errors[0]).toMatch(/^odd \/ config\.json:1/);
    expect(stub.panels).toHaveLength(0);
  });

  it("lets the user select a config of the workspace if none is open", async () => {
    const document = llama();
    stub.found.push(document.uri);
    stub.pick = (items) => items[0];
    await run("posenc.previewConfig");
    expect(page().title).toBe("llama-3.1-8b / config.json");
  });

  it("shows no lens when lenses are switched off or on other JSON", async () => {
    const other = stub.open("/workspace/package.json", "json", '{"name": "x", "dependencies": {}}');
    expect(await stub.lenses[0]?.provideCodeLenses(other, {})).toEqual([]);
    stub.set("posenc.codeLens.enabled", false);
    expect(await stub.lenses[0]?.provideCodeLenses(llama(), {})).toEqual([]);
  });
});

describe("the preview panel", () => {
  const open = (link: object) => run("posenc.openPanel", link);

  it("opens from a link with its values, and not from an invalid link", async () => {
    await open({ encoding: "rope", changes: { rope_theta: 500000 } });
    expect((await ready()).state).toEqual({ ...initialPanelState("rope"), changes: { rope_theta: 500000 } });
    await open({ encoding: "rope", changes: { rope_theta: { evil: 1 } } });
    expect(stub.errors).toHaveLength(1);
    expect(stub.panels).toHaveLength(1);
  });

  it("opens no file because of a link", async () => {
    await open({ encoding: "rope", config: { uri: "file:///etc/passwd", index: 0 } });
    expect(await ready()).toMatchObject({ state: { config: null }, config: null });
  });

  it("shows the values of a second link in the open panel", async () => {
    await open({ encoding: "rope", changes: { rope_theta: 1 } });
    await ready();
    await open({ encoding: "rope", changes: { rope_theta: 2 } });
    await eventually(() =>
      expect(posted("show")).toMatchObject([{ state: { changes: { rope_theta: 2 } }, config: null }]),
    );
    expect(stub.panels).toHaveLength(1);
  });

  it("may load only built files and keeps nothing in memory when hidden", async () => {
    await open({ encoding: "rope" });
    const { options, html } = page().webview;
    expect(options).toMatchObject({
      enableScripts: true,
      localResourceRoots: [expect.objectContaining({ path: `${root.path}dist` })],
    });
    expect(html).toContain(`https://cdn.example${root.path}dist/webview.js`);
  });

  it("is restored after a reload of the window and reads its config again", async () => {
    const document = stub.open("/workspace/llama-3.1-8b/config.json", "json", fixture("llama-3.1-8b/config.json"));
    const saved = {
      ...initialPanelState("rope"),
      view: "attention",
      config: { uri: document.uri.toString(), index: 0 },
    };
    await stub.serializers.get("posenc.preview")?.deserializeWebviewPanel(stub.panel("posenc.preview"), saved);
    expect(await ready(saved)).toMatchObject({ state: saved, config: { specs: [{ encoding: "rope" }] } });
  });

  it("starts with defaults if the stored state is invalid", async () => {
    await stub.serializers
      .get("posenc.preview")
      ?.deserializeWebviewPanel(stub.panel("posenc.preview"), { version: 99 });
    expect((await ready()).state).toEqual(initialPanelState("rope"));
    expect(stub.log.join()).toContain("could not be read");
  });

  it("saves to the user's choice under a name without folders, and nothing on cancel", async () => {
    await open({ encoding: "rope" });
    const save = (data: unknown) => request("save", { name: "../../rope.csv", data });
    expect(await save("1,2")).toMatchObject({ ok: true, value: { saved: false } });
    stub.saveTo = URI.file("/workspace/rope.csv");
    expect(await save("1,2")).toMatchObject({ ok: true, value: { saved: true } });
    expect([...stub.files]).toEqual([["file:///workspace/rope.csv", new TextEncoder().encode("1,2")]]);
    expect(stub.saveSuggestions).toEqual(["/workspace/_.._rope.csv", "/workspace/_.._rope.csv"]);
  });

  it("shows the source of its own config and of no other file", async () => {
    const document = stub.open("/workspace/llama-3.1-8b/config.json", "json", fixture("llama-3.1-8b/config.json"));
    stub.open("/workspace/other.json", "json", "{}");
    await run("posenc.previewConfig", document.uri);
    await ready();
    const range = { start: { line: 3, column: 5 }, end: { line: 3, column: 9 } };
    page().messages.fire({ type: "openConfig", uri: "file:///workspace/other.json", range: null });
    page().messages.fire({ type: "openConfig", uri: document.uri.toString(), range });
    await eventually(() => expect(stub.shown).toHaveLength(1));
    expect(stub.shown[0]).toMatchObject({ document, options: { selection: { start: { line: 2, character: 4 } } } });
  });

  it("logs an invalid message and continues", async () => {
    await open({ encoding: "rope" });
    page().messages.fire({ type: "state", state: { version: 1 } });
    page().messages.fire("noise");
    expect(stub.log.join("\n")).toMatch(/dropped state: .*\n.*without a type/);
    expect((await ready()).state).toEqual(initialPanelState("rope"));
  });

  it("leaves no listeners after it was opened and closed twenty times", async () => {
    const document = stub.open("/workspace/llama-3.1-8b/config.json", "json", fixture("llama-3.1-8b/config.json"));
    const before = live();
    for (let n = 0; n < 20; n++) {
      if (n % 2 === 0) await run("posenc.previewConfig", document.uri);
      else await open({ encoding: "alibi" });
      await ready();
      expect(live().listeners).toBeGreaterThan(before.listeners);
      page().dispose();
    }
    expect(live()).toEqual(before);
  });
});

describe("the language setting", () => {
  it("applies as soon as its texts are loaded, also in open panels", async () => {
    await run("posenc.openPanel", { encoding: "alibi" });
    expect(page().title).toContain("linear biases");
    stub.set("posenc.language", "zh-cn");
    await eventually(() => expect(page().title).toContain("线性偏置"));
    expect(posted("language")).toEqual([{ type: "language", language: "zh-cn" }]);
    stub.set("posenc.language", "en");
    await eventually(() => expect(page().title).toContain("linear biases"));
  });
});

describe("diagnostics of configs", () => {
  const { Error: error, Warning: warning } = vscode.DiagnosticSeverity;
  const all = (name: string) => stub.diagnostics.get(`file:///workspace/${name}/config.json`) ?? [];
  const errors = (name: string) => all(name).filter(({ severity }) => severity === error);
  const open = (name: string) => stub.open(`/workspace/${name}/config.json`, "json", fixture(`${name}/config.json`));

  it("show one message at the line where a truncated config ends", async () => {
    open("cut-off");
    await eventually(() => expect(all("cut-off")).toHaveLength(1));
    const last = fixture("cut-off/config.json").split("\n").length;
    const { range } = errors("cut-off")[0] ?? {};
    expect(errors("cut-off")[0]).toMatchObject({ source: "posenc", code: "config/unreadable" });
    expect(last - 1 - (range?.start.line ?? 0)).toBeLessThanOrEqual(1);
  });

  it("name the key of an invalid value", async () => {
    const document = open("llama-3.1-8b");
    const lines = document.text.split("\n");
    const line = lines.findIndex((text) => text.includes('"rope_theta"'));
    stub.edit(document, document.text.replace(/("rope_theta": )[\d.]+/, "$1-1"));
    await eventually(() => expect(errors("llama-3.1-8b")).toHaveLength(1));
    expect(errors("llama-3.1-8b")[0]).toMatchObject({
      message: expect.stringContaining("rope_theta"),
      range: { start: { line } },
    });
    stub.close(document);
    expect(errors("llama-3.1-8b")).toEqual([]);
  });

  it("are absent in valid configs and in other JSON", async () => {
    for (const name of ["llama-3.1-8b", "bert-base-uncased", "t5-small"]) open(name);
    stub.open("/workspace/package.json", "json", "{");
    await eventually(() => expect(stub.diagnostics.size).toBe(3));
    const found = [...stub.diagnostics.values()].flat();
    expect(found.filter(({ severity }) => severity === error || severity === warning)).toEqual([]);
  });
});

describe("the code hover", () => {
  const token = (cancelled = false) => ({ isCancellationRequested: cancelled });
  const model = (text = fixture("model.py")) => stub.open("/workspace/model.py", "python", text);

  /** The hover at the first place of a text. */
  async function at(
    document: vscode.StubDocument,
    text: string,
    given: object = token(),
  ): Promise<vscode.Hover | undefined> {
    const before = document.text.slice(0, document.text.indexOf(text)).split("\n");
    const position = new vscode.Position(before.length - 1, (before.at(-1)?.length ?? 0) + 1);
    return (await stub.hovers[0]?.provideHover(document, position, given)) as vscode.Hover | undefined;
  }
  const textOf = (hover: vscode.Hover | undefined) => hover?.contents[0]?.value ?? "";
  const pictures = [
    /!\[(?:[^\]\\]|\\.)*\]\(data:image\/([a-z+]+);base64,([^|)]+)\|width=(\d+),height=(\d+)\)/g,
    /<img src="data:image\/([a-z+]+);base64,([^"]+)" width="(\d+)" height="(\d+)" alt="[^"]+">/g,
  ];
  const images = (text: string) =>
    pictures
      .flatMap((pattern) => [...text.matchAll(pattern)])
      .map(([, type = "", data = "", width, height]) => {
        return { type, bytes: Buffer.from(data, "base64"), width: Number(width), height: Number(height) };
      });

  it("explains a token with title, formula, values from the code, a picture and a link", async () => {
    const hover = await at(model(), "inv_freq = 1.0");
    const text = textOf(hover);
    expect(text).toMatch(/^\*\*RoPE/);
    expect(text).toMatch(/10 ?000|10,000|500 ?000/);
    expect(images(text).map(({ type }) => type)).toEqual(["svg+xml", "png"]);
    const line = model()
      .text.split("\n")
      .findIndex((code) => code.includes("inv_freq = 1.0"));
    expect(hover?.range?.start.line).toBe(line);
  });

  it("opens the panel with its values by its link, which may run only that command", async () => {
    const document = model(
      "class RotaryEmbedding(nn.Module):\n    def __init__(self, dim=64, base=500000.0):\n        inv_freq = 1.0 / (base ** (torch.arange(0, dim, 2).float() / dim))\n",
    );
    const hover = await at(document, "inv_freq");
    expect(hover?.contents[0]?.isTrusted).toEqual({ enabledCommands: ["posenc.openPanel"] });
    const [, argument = ""] = /\(command:posenc\.openPanel\?([^)]+)\)/.exec(textOf(hover)) ?? [];
    await run("posenc.openPanel", ...(JSON.parse(decodeURIComponent(argument)) as unknown[]));
    expect((await ready()).state).toMatchObject({
      encoding: "rope",
      changes: {},
      given: { values: { rope_theta: 500000, head_dim: 64 } },
    });
  });

  it("uses a formula colour with enough contrast in each theme", async () => {
    const inks = [];
    for (const kind of Object.values(vscode.ColorThemeKind)) {
      stub.themeKind = kind;
      const [formula] = images(textOf(await at(model(), "inv_freq = 1.0")));
      const svg = formula?.bytes.toString() ?? "";
      expect(svg).not.toContain("currentColor");
      inks.push(/fill="(#[0-9a-f]{6})"/.exec(svg)?.[1]);
    }
    expect(inks).toEqual(["#1f1f1f", "#d4d4d4", "#ffffff", "#000000"]);
  });

  it("stays small at any cursor position", async () => {
    const document = model();
    const seen = new Set<string>();
    for (const [name] of document.text.matchAll(/[A-Za-z_]\w+/g)) {
      if (seen.has(name)) continue;
      seen.add(name);
      const text = textOf(await at(document, name));
      expect(text.length).toBeLessThan(40_000);
      const shown = images(text);
      expect(shown).toHaveLength(text.split("data:image/").length - 1);
      expect(shown.reduce((sum, { bytes }) => sum + bytes.length, 0)).toBeLessThan(27_000);
      for (const { width, height } of shown) expect(Math.min(width, height)).toBeGreaterThan(0);
    }
    expect(seen.size).toBeGreaterThan(100);
  });

  it("is absent in comments, strings and unrelated code", async () => {
    const document = model("# rotary_emb = 1\nname = 'rotary_emb'\nlog.setLevel(1)\n");
    for (const text of ["rotary_emb =", "rotary_emb'", "setLevel", "name"])
      expect(await at(document, text)).toBeUndefined();
  });

  it("follows edits of the document", async () => {
    const code = (base: string) =>
      `def f(dim=64):\n    inv_freq = 1.0 / (${base} ** (torch.arange(0, dim, 2) / dim))\n`;
    const document = model(code("10000.0"));
    expect(textOf(await at(document, "inv_freq"))).toMatch(/10.?000/);
    stub.edit(document, code("77777.0"));
    expect(textOf(await at(document, "inv_freq"))).toMatch(/77.?777/);
  });

  it("is shorter in compact mode, and absent when switched off or cancelled", async () => {
    const full = textOf(await at(model(), "inv_freq = 1.0"));
    stub.set("posenc.hover.sections", "compact");
    const compact = textOf(await at(model(), "inv_freq = 1.0"));
    expect(images(compact)).toHaveLength(1);
    expect(compact.length).toBeLessThan(full.length);
    expect(await at(model(), "inv_freq = 1.0", token(true))).toBeUndefined();
    stub.set("posenc.hover.sections", "off");
    expect(await at(model(), "inv_freq = 1.0")).toBeUndefined();
  });

  it("uses the language of the setting", async () => {
    const text = async () => textOf(await at(model(), "inv_freq = 1.0"));
    stub.set("posenc.language", "zh-cn");
    await eventually(async () => expect(await text()).toMatch(/[\u4e00-\u9fff]/));
    stub.set("posenc.language", "en");
    await eventually(async () => expect(await text()).not.toMatch(/[\u4e00-\u9fff]/));
  });
});
