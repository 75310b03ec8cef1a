import { describe, expect, it, vi } from "vitest";
import { URI } from "vscode-uri";
import { PROTOCOL_VERSION } from "../../../../src/core/protocol/messages.ts";
import { SIDE_PROTOCOL_VERSION, type SideDisplay, type SideToHost } from "../../../../src/core/protocol/side.ts";
import type { PanelState } from "../../../../src/core/protocol/state.ts";
import { type StubDocument, stub, TabInputCustom, TabInputWebview, window } from "../../stub/vscode.ts";
import { gguf } from "../../support/checkpointFiles.ts";
import { eventually } from "../../support/eventually.ts";
import { freshHost } from "../../support/freshHost.ts";
import { config, wrong } from "../../support/llamaConfig.ts";
import { setLanguage } from "../../support/setLanguage.ts";

freshHost();

type View = Awaited<ReturnType<typeof stub.openView>>;

let view: View;

/** The content that the host sent to the page last. */
function shown(): SideDisplay {
  const told = view.webview.posted.findLast((message) => (message as { type: string }).type === "show");
  if (told === undefined) throw new Error("the page was told nothing");
  return told as SideDisplay;
}

const visibleEditor = () => window.visibleTextEditors[0];
const ask = (message: SideToHost) => view.messages.fire(message);
const openConfig = (text: string, path = "/workspace/m/config.json") => stub.open(path, "json", text);

async function shows(text: string, path?: string) {
  const document = openConfig(text, path);
  stub.activate(document);
  view = await stub.openView("posenc.side");
  await eventually(() => expect(shown().subject).not.toBeNull());
  return document;
}

/** The half layout in one function, the interleaved layout in the other. */
const TWO_LAYOUTS = [
  "import torch",
  "",
  "def rotate_half(x):",
  "    x1, x2 = x[..., : x.shape[-1] // 2], x[..., x.shape[-1] // 2 :]",
  "    return torch.cat((-x2, x1), dim=-1)",
  "",
  "def apply_rotary_emb(x, freqs_cis):",
  "    x_ = torch.view_as_complex(x.float().reshape(*x.shape[:-1], -1, 2))",
  "    return torch.view_as_real(x_ * freqs_cis).flatten(3).type_as(x)",
  "",
].join("\n");

const PYTHON = [
  "import torch",
  "",
  "def alibi_slopes(n_heads=8):",
  "    return torch.tensor([2 ** (-8 * (h + 1) / n_heads) for h in range(n_heads)])",
  "",
  "class Rotary:",
  "    def __init__(self, dim=128, base=500000.0):",
  "        self.inv_freq = 1.0 / (base ** (torch.arange(0, dim, 2).float() / dim))",
  "",
].join("\n");

describe("the side view of a config", () => {
  it("shows its encodings and its findings with their effective severities", async () => {
    await shows(wrong);
    const { subject, current, problem } = shown();
    expect({ current, problem }).toEqual({ current: true, problem: null });
    expect(subject).toMatchObject({ kind: "config", title: "m / config.json", specs: [{ encoding: "rope" }] });
    if (subject?.kind !== "config") throw new Error("no config");
    expect(subject.summary).toContain("YaRN ×4");
    expect(subject.rules).toBeGreaterThan(40);
    expect(subject.runtimes).toMatchObject([{ spec: 0 }]);
    expect(subject.runtimes[0]?.rows.map(({ name }) => name)).toContain("base θ");
    expect(subject.findings.map(({ rule }) => rule)).toContain("rope/types-disagree");
    stub.set("posenc.rules", { "rope/*": "off", "window/*": "off" });
    await eventually(() => expect(shown().subject?.findings).toEqual([]));
    expect([view.title, view.description]).toEqual(["This File", "m / config.json"]);
  });

  it("follows the editor, and keeps its content marked as not current for a file without encodings", async () => {
    await shows(config());
    stub.activate(openConfig(config({ rope_theta: 10000 }), "/workspace/n/config.json"));
    await eventually(() => expect(shown().subject?.title).toBe("n / config.json"));
    stub.activate(stub.open("/workspace/README.txt", "plaintext", "words"));
    await eventually(() => expect(shown().current).toBe(false));
    expect(shown().subject?.title).toBe("n / config.json");
  });

  it("keeps the visible file as its subject while the focus is elsewhere", async () => {
    const document = await shows(config());
    stub.show([document]);
    stub.activate(undefined);
    await eventually(() => expect(shown()).toMatchObject({ current: true, subject: { title: "m / config.json" } }));
    stub.show([]);
    stub.activate(undefined);
    await eventually(() => expect(shown().current).toBe(false));
    // A panel of this file covers its editor; a panel of another file does not count.
    stub.showTab(new TabInputWebview("posenc.preview"), "m / config.json");
    await eventually(() => expect(shown().current).toBe(true));
    stub.showTab(new TabInputWebview("posenc.preview"), "n / config.json");
    await eventually(() => expect(shown().current).toBe(false));
  });

  it("follows typing and keeps the last readable state through a syntax error", async () => {
    const document = await shows(config());
    stub.edit(document, config({ rope_theta: 10000 }));
    await eventually(() => expect(shown().subject).toMatchObject({ specs: [{ params: { rope_theta: 10000 } }] }));
    stub.edit(document, config({ rope_theta: 77 }).slice(0, -4));
    await eventually(() => expect(shown().problem).toMatch(/last readable version/));
    expect(shown().subject).toMatchObject({
      specs: [{ params: { rope_theta: 10000 } }],
      findings: [{ severity: "error", rule: "config/unreadable", explained: false }],
    });
    stub.edit(document, config({ rope_theta: 77 }));
    await eventually(() => expect(shown()).toMatchObject({ problem: null, subject: { findings: [] } }));
    expect(shown().subject).toMatchObject({ specs: [{ params: { rope_theta: 77 } }] });
  });

  it("shows the readable part of a file that was never fully readable", async () => {
    await shows(config().slice(0, -4));
    expect(shown().problem).toMatch(/Part of the file could not be read/);
    expect(shown().subject).toMatchObject({ specs: [{ encoding: "rope" }] });
  });

  it("opens the panel, the place of a finding and the documentation of a rule", async () => {
    const document = await shows(wrong);
    ask({ type: "openPanel", index: 0 });
    await eventually(() => expect(stub.panels).toHaveLength(1));
    const [finding] = shown().subject?.findings ?? [];
    if (finding === undefined) throw new Error("nothing was found");
    ask({ type: "reveal", range: finding.range });
    await eventually(() => expect(stub.shown.at(-1)).toMatchObject({ document: { uri: document.uri } }));
    expect(stub.shown.at(-1)?.options).toMatchObject({
      viewColumn: -1,
      selection: { start: { line: finding.range.start.line - 1, character: finding.range.start.column - 1 } },
    });
    const preview = vi.fn();
    stub.handlers.set("markdown.showPreview", preview);
    ask({ type: "openRule", rule: finding.rule });
    await eventually(() => expect(preview).toHaveBeenCalled());
    expect(preview.mock.calls[0]?.[0].fragment).toBe(finding.rule.replace("/", ""));
    expect(stub.errors).toEqual([]);
  });

  it("sends a restarted page its whole state in the current language", async () => {
    await shows(config());
    await setLanguage("zh-cn");
    view.messages.fire({ type: "request", id: 7, name: "ready", argument: { protocol: SIDE_PROTOCOL_VERSION } });
    const answer = () => view.webview.posted.find((message) => (message as { id?: number }).id === 7);
    await eventually(() => expect(answer()).toBeDefined());
    expect(answer()).toMatchObject({ result: { ok: true, value: { language: "zh-cn", subject: { kind: "config" } } } });
    await eventually(() => expect(view.title).toBe("此文件"));
    await setLanguage("en");
  });

  it("does nothing while it is hidden and updates when it is shown", async () => {
    const document = await shows(config());
    view.visible = false;
    view.shows.fire();
    const listening = stub.live.listeners;
    const told = view.webview.posted.length;
    stub.edit(document, config({ rope_theta: 10000 }));
    stub.activate(openConfig(wrong, "/workspace/n/config.json"));
    view.visible = true;
    view.shows.fire();
    expect(stub.live.listeners).toBeGreaterThan(listening);
    await eventually(() => expect(shown().subject?.title).toBe("n / config.json"));
    expect(view.webview.posted).toHaveLength(told + 1);
  });

  it("removes all listeners when it is disposed", async () => {
    const before = stub.live.listeners;
    await shows(config());
    view.dispose();
    expect(stub.live.listeners).toBe(before);
  });
});

describe("the planner", () => {
  const request = (name: string, argument: unknown) => {
    view.messages.fire({ type: "request", id: 9, name, argument });
    const answer = () => view.webview.posted.find((message) => (message as { id?: number }).id === 9);
    return eventually(() => {
      expect(answer()).toBeDefined();
      return answer() as { result: { ok: boolean; value?: unknown; error?: string } };
    });
  };
  it("shows a plan in the panel next to the file's values without changing the file", async () => {
    const document = await shows(config());
    const planned = { rope_type: "yarn", factor: 4, original_max_position_embeddings: 4096 };
    ask({ type: "openPanel", index: 0, planned });
    await eventually(() => expect(stub.panels).toHaveLength(1));
    stub.panels[0]?.messages.fire({
      type: "request",
      id: 3,
      name: "ready",
      argument: { protocol: PROTOCOL_VERSION, saved: null },
    });
    const answer = () => stub.panels[0]?.webview.posted.find((message) => (message as { id?: number }).id === 3);
    await eventually(() => expect(answer()).toBeDefined());
    const bound = { uri: document.uri.toString(), index: 0 };
    const { value } = (answer() as { result: { value: { state: PanelState } } }).result;
    expect(value.state).toMatchObject({ config: bound, changes: planned, compare: { config: bound, changes: {} } });
    expect(document.text).toBe(config());
    // Values from a link are checked like any other.
    await stub.handlers.get("posenc.previewConfig")?.(document.uri, 0, { rope_theta: { evil: true } });
    expect(stub.panels).toHaveLength(1);
  });

  const plans = () => view.webview.posted.filter((message) => (message as { type: string }).type === "plan").length;
  const run = (...given: unknown[]) => stub.handlers.get("posenc.planContext")?.(...given);

  it("opens by its command for the active config, a config from a menu, or a selected one", async () => {
    const focus = vi.fn();
    stub.handlers.set("posenc.side.focus", focus);
    const document = await shows(config());
    await run();
    expect(plans()).toBe(1);
    const other = openConfig(config({ rope_theta: 10000 }), "/workspace/n/config.json");
    await run({ uri: other.uri });
    expect(stub.shown.at(-1)).toMatchObject({ document: { uri: other.uri } });
    stub.activate(undefined);
    stub.found.push(document.uri);
    stub.pick = (items) => items[0];
    await run();
    expect(stub.shown.at(-1)).toMatchObject({ document: { uri: document.uri } });
    expect(plans()).toBe(3);
    stub.pick = () => undefined;
    await run();
    expect([plans(), focus.mock.calls.length]).toEqual([3, 3]);
    expect(stub.errors).toEqual([]);
  });

  it("opens in a side view that is created later", async () => {
    stub.activate(openConfig(config()));
    await run();
    view = await stub.openView("posenc.side");
    const { result } = await request("ready", { protocol: SIDE_PROTOCOL_VERSION });
    expect(result).toMatchObject({ ok: true, value: { plan: true } });
  });

  it("writes into the file and version that are shown, and into no other", async () => {
    const document = await shows(config());
    const wanted = { rope_type: "yarn", rope_theta: 500_000, factor: 4, original_max_position_embeddings: 4096 };
    const argument = { uri: document.uri.toString(), index: 0, version: document.version, wanted };
    const { result } = await request("writeBack", argument);
    expect(result).toMatchObject({ ok: true, value: { written: true } });
    expect(document.text).toContain('"rope_type":');
    view.webview.posted.splice(0);
    expect((await request("writeBack", argument)).result).toMatchObject({
      ok: false,
      error: expect.stringContaining("The config has changed and was reloaded"),
    });
    view.webview.posted.splice(0);
    const elsewhere = { ...argument, uri: "file:///workspace/other.json" };
    expect((await request("writeBack", elsewhere)).result).toMatchObject({
      ok: false,
      error: expect.stringContaining("now shows another file"),
    });
  });

  it("copies to the editor's clipboard", async () => {
    await shows(config());
    await request("copyText", { text: "--rope-scale 4" });
    expect(stub.clipboard).toBe("--rope-scale 4");
  });
});

describe("the side view of a checkpoint", () => {
  it("reads the header of the file in the custom editor", async () => {
    const uri = URI.file("/workspace/m/model.gguf");
    stub.files.set(
      uri.toString(),
      gguf({
        "general.architecture": "llama",
        "llama.rope.freq_base": 500000,
        "llama.context_length": 8192,
        "llama.attention.head_count": 32,
        "llama.embedding_length": 4096,
        "llama.block_count": 32,
      }),
    );
    stub.showTab(new TabInputCustom(uri));
    view = await stub.openView("posenc.side");
    await eventually(() => expect(shown().subject).toMatchObject({ kind: "config", title: "m / model.gguf" }));
  });
});

describe("the side view of code", () => {
  async function showsCode() {
    const document = stub.open("/workspace/model.py", "python", PYTHON);
    stub.activate(document);
    view = await stub.openView("posenc.side");
    await eventually(() => expect(shown().subject).not.toBeNull());
    return document;
  }

  it("shows the nearest encoding, then the one at the cursor", async () => {
    await showsCode();
    expect(shown().subject).toMatchObject({ kind: "code", at: "nearest", spec: { encoding: "alibi" } });
    stub.moveTo(7, 14);
    await eventually(() => expect(shown().subject).toMatchObject({ at: "cursor", spec: { encoding: "rope" } }));
    const { subject } = shown();
    if (subject?.kind !== "code") throw new Error("no code");
    expect(subject.heading).toMatch(/^RoPE — /);
    expect(subject.formula?.text).toContain("θ");
    expect(subject.facts.map(({ value }) => value)).toContain("500 000".replace(" ", "\u00a0"));
    expect(subject.sites.map(({ name }) => name)).toEqual(["alibi_slopes", "Rotary"]);
  });

  it("opens the panel with the values of the code", async () => {
    await showsCode();
    ask({ type: "openPanel", index: 0 });
    await eventually(() => expect(stub.panels).toHaveLength(1));
    expect(stub.errors).toEqual([]);
  });

  it("shows a notebook cell that is selected but not edited", async () => {
    const cell = stub.open(URI.parse("vscode-notebook-cell:/workspace/n.ipynb#a"), "python", PYTHON);
    stub.chooseCell([cell], 0);
    view = await stub.openView("posenc.side");
    await eventually(() => expect(shown().subject).toMatchObject({ kind: "code", title: "n.ipynb" }));
  });

  it("treats a notebook as one program and shows every cell's findings in place", async () => {
    const at = (name: string) => URI.parse(`vscode-notebook-cell:/workspace/n.ipynb#${name}`);
    const words = stub.open(at("a"), "markdown", "# How far does it see?");
    const base = stub.open(at("b"), "python", "BASE = 500000.0\n");
    const rotary = stub.open(
      at("c"),
      "python",
      "import torch\n\ndef frequencies(dim=128):\n    return 1.0 / (BASE ** (torch.arange(0, dim, 2).float() / dim))\n",
    );
    const slopes = stub.open(at("d"), "python", PYTHON.split("\n").slice(0, 4).join("\n"));
    const halves = stub.open(at("e"), "python", TWO_LAYOUTS);
    const cells = [words, base, rotary, slopes, halves];
    stub.chooseCell(cells, 0);
    view = await stub.openView("posenc.side");
    const cell = (document: StubDocument) => ({
      uri: document.uri.toString(),
      number: cells.indexOf(document) + 1,
    });
    const nearest = { at: "nearest", title: "n.ipynb", cell: cell(rotary), range: { start: { line: 3 } } };
    await eventually(() => expect(shown().subject).toMatchObject(nearest));
    const { subject } = shown();
    if (subject?.kind !== "code") throw new Error("no code");
    expect(subject.facts.map(({ value }) => value)).toContain("500\u00a0000");
    expect(subject.sites.slice(0, 2)).toMatchObject([
      { name: "frequencies", cell: cell(rotary), range: { start: { line: 3 } } },
      { name: "alibi_slopes", cell: cell(slopes), range: { start: { line: 3 } } },
    ]);
    expect(subject.findings).toMatchObject([{ rule: "code/two-layouts", cell: cell(halves) }]);
    stub.chooseCell(cells, 4);
    await eventually(() => expect(shown().subject).toMatchObject({ cell: cell(halves) }));
    // A place in another cell selects that cell and moves the cursor there.
    const range = { start: { line: 3, column: 5 }, end: { line: 3, column: 9 } };
    ask({ type: "reveal", range, cell: cell(slopes).uri });
    await eventually(() => expect(shown().subject).toMatchObject({ cell: cell(slopes) }));
    expect(visibleEditor()).toMatchObject({
      document: { uri: slopes.uri },
      selection: { start: { line: 2, character: 4 } },
    });
    ask({ type: "reveal", range, cell: "vscode-notebook-cell:/etc/passwd#a" });
    expect(stub.shown).toEqual([]);
  });

  it("uses the project's severities in cells", async () => {
    stub.files.set("file:///workspace/.posenc.json", new TextEncoder().encode('{"rules":{"code/*":"off"}}'));
    const cell = stub.open(URI.parse("vscode-notebook-cell:/workspace/n.ipynb#a"), "python", TWO_LAYOUTS);
    stub.chooseCell([cell], 0);
    view = await stub.openView("posenc.side");
    await eventually(() => expect(shown().subject).toMatchObject({ kind: "code", findings: [] }));
  });

  it("is empty for code without position encodings", async () => {
    stub.activate(stub.open("/workspace/x.py", "python", "x = 1\n"));
    view = await stub.openView("posenc.side");
    await eventually(() => expect(view.webview.posted.length).toBeGreaterThan(0));
    expect(shown()).toMatchObject({ subject: null, current: false });
  });
});
