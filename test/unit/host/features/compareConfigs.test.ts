import { describe, expect, it } from "vitest";
import { URI } from "vscode-uri";
import type { PanelState } from "../../../../src/core/protocol/state.ts";
import { stub } from "../../stub/vscode.ts";
import { eventually } from "../../support/eventually.ts";
import { readFixture } from "../../support/files.ts";
import { freshHost } from "../../support/freshHost.ts";
import { posted, ready, request } from "../../support/panelPage.ts";

const fixture = (name: string) => readFixture(`workspace/${name}`);

const host = freshHost();

const run = (id: string, ...given: unknown[]) => stub.handlers.get(`posenc.${id}`)?.(...given);
const openModel = (name: string) => stub.open(`/workspace/${name}/config.json`, "json", fixture(`${name}/config.json`));

/** Installs a git extension with these texts as the last commit, and untracked files beside them. */
function installGit(committed: Readonly<Record<string, string>>, untracked: readonly string[] = []): void {
  const toGitUri = (uri: URI, ref: string) => uri.with({ scheme: "git", query: JSON.stringify({ ref }) });
  for (const [path, text] of Object.entries(committed)) stub.open(toGitUri(URI.file(path), "HEAD"), "json", text);
  const getRepository = (uri: URI) => (uri.path in committed || untracked.includes(uri.path) ? {} : null);
  stub.extensions.set("vscode.git", { activate: async () => ({ getAPI: () => ({ toGitUri, getRepository }) }) });
}

describe("Compare Position Encodings", () => {
  it("shows the two configs selected in the explorer and follows both", async () => {
    const a = openModel("llama-3.1-8b");
    const b = openModel("mistral-7b-v0.3");
    await run("compareConfigs", a.uri, [a.uri, b.uri]);
    const { state, config, compared } = await ready();
    expect(state).toMatchObject({ config: { uri: a.uri.toString() }, compare: { config: { uri: b.uri.toString() } } });
    expect(config?.title).toBe("llama-3.1-8b / config.json");
    expect(compared?.specs[0]?.params["rope_theta"]).toBe(1_000_000);
    stub.edit(b, b.text.replace(/"rope_theta": [\d.]+/, '"rope_theta": 4321'));
    await eventually(() => {
      const news = posted("compared");
      expect(news.at(-1)?.config?.specs[0]?.params["rope_theta"]).toBe(4321);
    });
  });

  it("asks for the second config if only one is given, and stops if the user cancels", async () => {
    const a = openModel("llama-3.1-8b");
    stub.found.push(openModel("mistral-7b-v0.3").uri);
    await run("compareConfigs", a.uri, [a.uri]);
    expect(stub.panels).toHaveLength(0);
    stub.pick = (items) => items[0];
    // A node of the models view is accepted in place of its file.
    await run("compareConfigs", { uri: a.uri }, undefined);
    expect((await ready()).compared?.title).toBe("mistral-7b-v0.3 / config.json");
  });

  it("refuses three files, and a file without an encoding", async () => {
    const a = openModel("llama-3.1-8b");
    const other = stub.open("/workspace/x/config.json", "json", "{}");
    await run("compareConfigs", a.uri, [a.uri, a.uri, a.uri]);
    await run("compareConfigs", a.uri, [a.uri, other.uri]);
    expect(stub.errors).toEqual(["Select two configs to compare, not 3.", expect.stringContaining("x / config.json")]);
    expect(stub.panels).toHaveLength(0);
  });

  it("compares with the last commit, or reports that there is none", async () => {
    const a = openModel("llama-3.1-8b");
    await run("compareWithCommit", a.uri);
    installGit({});
    await run("compareWithCommit", a.uri);
    expect(stub.errors).toEqual([
      "Git is not available, so the last commit cannot be loaded.",
      "llama-3.1-8b/config.json is not in a Git repository.",
    ]);
    installGit({ [a.uri.path]: a.text.replace(/"rope_theta": [\d.]+/, '"rope_theta": 10000') });
    await run("compareWithCommit", a.uri);
    const { config, compared } = await ready();
    expect(config?.specs[0]?.params["rope_theta"]).toBe(500_000);
    expect(compared).toMatchObject({ title: "llama-3.1-8b / config.json (last commit)" });
    expect(compared?.specs[0]?.params["rope_theta"]).toBe(10_000);
  });

  it("reports by its path in the workspace that a file is not in the last commit", async () => {
    const a = openModel("llama-3.1-8b");
    installGit({ "/workspace/other/config.json": "{}" }, [a.uri.path]);
    await run("compareWithCommit", a.uri);
    expect(stub.errors).toEqual(["llama-3.1-8b/config.json is not in the last commit."]);
    expect(stub.panels).toHaveLength(0);
  });

  it("names trust where Restricted Mode disables Git", async () => {
    const a = openModel("llama-3.1-8b");
    stub.trusted = false;
    await run("compareWithCommit", a.uri);
    expect(stub.errors).toEqual([
      "Git is disabled in Restricted Mode. Trust this workspace to compare with the last commit.",
    ]);
  });

  it("compares with the clipboard, or reports that it is empty or not a config", async () => {
    const a = openModel("llama-3.1-8b");
    await run("compareWithClipboard", a.uri);
    stub.clipboard = "[1, 2";
    await run("compareWithClipboard", a.uri);
    expect(stub.errors).toEqual(["The clipboard is empty: copy a config first.", expect.stringContaining("clipboard")]);
    stub.clipboard = fixture("mistral-7b-v0.3/config.json");
    await run("compareWithClipboard", a.uri);
    expect((await ready()).compared).toMatchObject({ title: "clipboard", specs: [{ encoding: "rope" }] });
  });

  it("compares with an untitled document that contains a config", async () => {
    const a = openModel("llama-3.1-8b");
    await run("compareWithUntitled", a.uri);
    expect(stub.errors).toEqual(["No untitled document contains a model config."]);
    stub.open(URI.parse("untitled:Untitled-1"), "plaintext", "notes");
    stub.open(URI.parse("untitled:Untitled-2"), "plaintext", fixture("mistral-7b-v0.3/config.json"));
    await run("compareWithUntitled", a.uri);
    expect((await ready()).compared).toMatchObject({ title: "Untitled-2" });
  });
});

describe("a comparison after a reload of the window", () => {
  /** Restores the page's state in a window without earlier state. */
  async function reloaded(state: PanelState): ReturnType<typeof ready> {
    host.restart();
    openModel("llama-3.1-8b");
    stub.open(URI.parse("untitled:Untitled-1"), "plaintext", "");
    stub.panels.push(stub.panel("posenc.preview"));
    await stub.serializers.get("posenc.preview")?.deserializeWebviewPanel(stub.panels.at(-1), state);
    return ready(state);
  }

  it("restores the clipboard's config even if the clipboard has changed", async () => {
    const a = openModel("llama-3.1-8b");
    stub.clipboard = fixture("mistral-7b-v0.3/config.json").replace("{", '{ "odd": "#?%20 é\\n",');
    await run("compareWithClipboard", a.uri);
    const before = await ready();
    stub.clipboard = "";
    expect(await reloaded(before.state)).toMatchObject({
      compared: { title: "clipboard", specs: before.compared?.specs },
      comparedProblem: null,
    });
  });

  it("reports a source that is gone and how to restore it", async () => {
    const a = openModel("llama-3.1-8b");
    stub.clipboard = fixture("mistral-7b-v0.3/config.json").padEnd(60_000);
    await run("compareWithClipboard", a.uri);
    const { state, compared } = await ready();
    expect(compared?.specs).toHaveLength(1);
    const again = await reloaded(state);
    expect(again).toMatchObject({
      compared: null,
      comparedProblem: expect.stringContaining("Copy it again and re-run the comparison"),
    });
    const untitled = { encoding: "rope", config: { uri: "untitled:Untitled-1", index: 0 }, given: null, changes: {} };
    expect(await reloaded({ ...state, compare: untitled })).toMatchObject({
      compared: null,
      comparedProblem: expect.stringContaining("Paste a config"),
    });
  });
});

describe("a panel that compares", () => {
  it("lets the user select another config and returns its content", async () => {
    await run("openPanel", { encoding: "rope" });
    const b = openModel("mistral-7b-v0.3");
    stub.found.push(b.uri);
    expect(await request("pickConfig", {})).toMatchObject({ ok: true, value: { config: null } });
    stub.pick = (items) => items[0];
    expect(await request("pickConfig", {})).toMatchObject({
      ok: true,
      value: {
        config: { uri: b.uri.toString(), title: "mistral-7b-v0.3 / config.json", specs: [{ encoding: "rope" }] },
      },
    });
  });

  it("sends the page the config that it selects by swapping sides or by undo", async () => {
    const [a, b] = [openModel("llama-3.1-8b"), openModel("mistral-7b-v0.3")];
    await run("compareConfigs", a.uri, [a.uri, b.uri]);
    const { state } = await ready();
    const compare = { encoding: state.encoding, config: state.config, given: null, changes: {} };
    const swapped = { ...state, config: { uri: b.uri.toString(), index: 0 }, compare };
    stub.panels.at(-1)?.messages.fire({ type: "state", state: swapped });
    await eventually(() => {
      expect(posted("config").at(-1)?.config?.uri).toBe(b.uri.toString());
      expect(posted("compared").at(-1)?.config?.uri).toBe(a.uri.toString());
    });
  });

  it("opens no file because of a link", async () => {
    const compare = { encoding: "rope", config: { uri: "file:///etc/passwd", index: 0 }, changes: {} };
    await run("openPanel", { encoding: "rope", compare });
    expect((await ready()).state.compare).toBeNull();
  });

  it("receives the findings with their effective severities", async () => {
    const text = fixture("llama-3.1-8b/config.json").replace(/"factor": [\d.]+/, '"factor": 0.5');
    const document = stub.open("/workspace/odd/config.json", "json", text);
    await run("previewConfig", document.uri);
    const { config } = await ready();
    const [finding] = config?.findings ?? [];
    expect(finding?.range.start.line).toBeGreaterThan(1);
    expect(config?.rules).toBeGreaterThan(40);
    if (finding === undefined) throw new Error("the rules report nothing");
    stub.set("posenc.rules", { [finding.rule]: "error" });
    await eventually(() => expect(posted("config").at(-1)?.config.findings?.[0]?.severity).toBe("error"));
    // A file with findings was read, and can be written.
    expect(posted("configProblem").at(-1)).toMatchObject({ message: null });
    stub.set("posenc.rules", { [finding.rule]: "off" });
    await eventually(() =>
      expect(
        posted("config")
          .at(-1)
          ?.config.findings?.map(({ rule }) => rule),
      ).not.toContain(finding.rule),
    );
  });
});
