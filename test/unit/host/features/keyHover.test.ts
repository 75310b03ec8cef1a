import { describe, expect, it } from "vitest";
import { URI } from "vscode-uri";
import * as vscode from "../../stub/vscode.ts";
import { stub } from "../../stub/vscode.ts";
import { root as repository } from "../../support/files.ts";
import { freshHost } from "../../support/freshHost.ts";
import { config, wrong } from "../../support/llamaConfig.ts";

const root = URI.file(repository);

freshHost(root);

/** The hover over the last place of a word, from whichever provider has one. */
async function hoverAt(document: vscode.StubDocument, word: string): Promise<vscode.Hover | undefined> {
  const position = document.positionAt(document.text.lastIndexOf(word) + 1);
  const token = { isCancellationRequested: false };
  for (const provider of stub.hovers) {
    const hover = (await provider.provideHover(document, position, token)) as vscode.Hover | undefined;
    if (hover !== undefined) return hover;
  }
  return undefined;
}

describe("the hover over a key", () => {
  it("shows the formula as a picture in the theme's colours, with its text as alternative", async () => {
    const document = stub.open("/workspace/a/config.json", "json", config());
    const pictures = [];
    for (const theme of [vscode.ColorThemeKind.Dark, vscode.ColorThemeKind.Light]) {
      stub.themeKind = theme;
      const text = (await hoverAt(document, "rope_theta"))?.contents[0]?.value ?? "";
      const [, alt = "", data = ""] =
        /!\[((?:[^\]\\]|\\.)*)\]\(data:image\/svg\+xml;base64,([\w+/=]+)\|width=\d+,height=\d+\)/.exec(text) ?? [];
      expect(alt).toContain("ω");
      expect(data.length).toBeLessThan(27_000);
      expect(atob(data)).not.toContain("currentColor");
      pictures.push(data);
    }
    expect(pictures[0]).not.toBe(pictures[1]);
  });

  it("may run the two commands of its links only", async () => {
    const document = stub.open("/workspace/a/config.json", "json", wrong);
    const markdown = (await hoverAt(document, "rope_scaling"))?.contents[0];
    expect(markdown?.isTrusted).toEqual({ enabledCommands: ["posenc.previewConfig", "posenc.openRule"] });
    const commands = [...(markdown?.value.matchAll(/\]\(command:([\w.]+)/g) ?? [])].map(([, command]) => command);
    expect(new Set(commands)).toEqual(new Set(["posenc.previewConfig", "posenc.openRule"]));
  });

  it("links to the panel on its own config, and on no file that is not open", async () => {
    const document = stub.open("/workspace/a/config.json", "json", config());
    const text = (await hoverAt(document, "rope_theta"))?.contents[0]?.value ?? "";
    const [, given = ""] = /command:posenc\.previewConfig\?([^)]+)\)/.exec(text) ?? [];
    await stub.handlers.get("posenc.previewConfig")?.(...JSON.parse(decodeURIComponent(given)));
    expect(stub.panels).toHaveLength(1);
    expect(stub.panels[0]?.title).toContain("config.json");
    stub.pick = () => undefined;
    await stub.handlers.get("posenc.previewConfig")?.("file:///etc/passwd", 0);
    expect(stub.panels).toHaveLength(1);
  });

  it("is absent in other files and when it is switched off", async () => {
    const other = stub.open("/workspace/package.json", "json", '{"rope_theta_": 1, "name": "rope_theta"}');
    expect(await hoverAt(other, "rope_theta")).toBeUndefined();
    const document = stub.open("/workspace/a/config.json", "json", config());
    stub.set("posenc.hover.sections", "off");
    expect(await hoverAt(document, "rope_theta")).toBeUndefined();
  });

  it("skips files that are too large to parse on every movement", async () => {
    const text = config({ padding: "x".repeat(2_000_000) });
    const document = stub.open("/workspace/a/config.json", "json", text);
    expect(await hoverAt(document, "rope_theta")).toBeUndefined();
    const token = { isCancellationRequested: false };
    const asked = stub.completions[0]?.provideCompletionItems(document, document.positionAt(text.length - 1), token);
    expect(await asked).toBeUndefined();
  });

  it("explains YAML of training frameworks", async () => {
    const text = "base_model: x\noverrides_of_model_config:\n  rope_scaling:\n    type: yarn\n    factor: 4\n";
    const document = stub.open("/workspace/axolotl.yml", "yaml", text);
    expect((await hoverAt(document, "factor"))?.contents[0]?.value).toContain("**factor");
  });
});

describe("completion of keys", () => {
  const complete = async (document: vscode.StubDocument, offset: number) => {
    const token = { isCancellationRequested: false };
    return stub.completions[0]?.provideCompletionItems(document, document.positionAt(offset), token);
  };

  it("offers the keys of the dictionary, matched with the quotes that are typed", async () => {
    const text = config({ rope_scaling: { rope_type: "linear" } }).replace('"linear"', '"linear","fa"');
    const document = stub.open("/workspace/a/config.json", "json", text);
    const items = await complete(document, text.indexOf('"fa"') + 3);
    expect(items?.map(({ label, filterText }) => [label.label, filterText])).toEqual([["factor", '"factor"']]);
    expect(items?.[0]?.insertText?.value).toBe('"factor": $' + "{1:4.0}");
    expect(document.getText(items?.[0]?.range)).toBe('"fa"');
  });

  it("answers for the text at the time of the request, even after later edits", async () => {
    const text = config({ rope_scaling: { rope_type: "linear" } }).replace('{"rope_type"', '{""rope_type"');
    const at = text.indexOf('""rope_type"') + 1;
    const document = stub.open("/workspace/a/config.json", "json", text);
    const items = complete(document, at);
    stub.edit(document, `${text.slice(0, at)}fa${text.slice(at)}`);
    expect((await items)?.[0]?.insertText?.value).toMatch(/,$/);
  });

  it("offers keys in YAML while one is incomplete", async () => {
    const text = "base_model: x\nadapter: lora\noverrides_of_model_config:\n  rope_scaling:\n    type: linear\n    fa";
    const document = stub.open("/workspace/axolotl.yml", "yaml", text);
    const items = await complete(document, text.length);
    expect(items?.map(({ label, filterText }) => [label.label, filterText])).toEqual([["factor", "factor"]]);
    expect(document.getText(items?.[0]?.range)).toBe("fa");
  });

  it("offers nothing in files that are not model configs", async () => {
    const text = '{"rope_scaling_": {}}';
    expect(await complete(stub.open("/workspace/settings.json", "json", text), 18)).toBeUndefined();
  });
});
