import { describe, expect, it } from "vitest";
import { URI } from "vscode-uri";
import { readConfig } from "../../../../src/core/config/readConfig.ts";
import { RULES } from "../../../../src/core/config/rules/index.ts";
import { useLanguage } from "../../../../src/core/l10n/useLanguage.ts";
import { CodeActionKind, type Diagnostic, Range, type StubDocument, stub } from "../../stub/vscode.ts";
import { eventually } from "../../support/eventually.ts";
import { readRepositoryFile } from "../../support/files.ts";
import { freshHost } from "../../support/freshHost.ts";

/** Two keys that disagree and one misspelt; a fix must keep comments and order. */
const CONFIG = `{
  // of our own training
  "model_type": "llama",
  "hidden_size": 4096,
  "num_attention_heads": 32,
  "num_hidden_layers": 32,
  "max_position_embeddings": 131072,
  "rope_theta": 10000.0, // as it was
  "rope_scaling": {
    "type": "linear",
    "rope_type": "yarn",
    "factor": 4.0,
    "original_max_position_embeddings": 32768,
    "attn_factor": 1.0
  }
}
`;
const extensionUri = URI.file("/extension");
const decode = (bytes: Uint8Array | undefined) => new TextDecoder().decode(bytes);

freshHost(extensionUri);

const open = () => stub.open("/workspace/m/config.json", "jsonc", CONFIG);
const everywhere = new Range(0, 0, 99, 0);
const actions = async (document: StubDocument, only?: CodeActionKind, range = everywhere) =>
  (await stub.codeActions[0]?.provideCodeActions(document, range, { only }, {})) ?? [];

function applied(document: StubDocument, { edit }: { edit: unknown }): string {
  const { replaced } = edit as { replaced: { range: Range; text: string }[] };
  return replaced.reduce((text, { range, text: put }) => {
    return text.slice(0, document.offsetAt(range.start)) + put + text.slice(document.offsetAt(range.end));
  }, document.text);
}

const shown = (document: StubDocument): readonly Diagnostic[] => stub.diagnostics.get(document.uri.toString()) ?? [];
const codes = (document: StubDocument) => shown(document).map(({ code }) => (code as { value: string }).value);

describe("findings in the editor", () => {
  it("name their rule and link to its documentation", async () => {
    const document = open();
    await eventually(() => expect(codes(document)).toContain("rope/types-disagree"));
    const opened: unknown[] = [];
    stub.handlers.set("markdown.showPreview", (uri) => opened.push(String(uri)));
    const { code } =
      shown(document).find(({ code }) => (code as { value: string }).value === "rope/types-disagree") ?? {};
    const { target } = code as { target: URI };
    expect(target.scheme).toBe("command");
    await stub.handlers.get(target.path)?.(...JSON.parse(decodeURIComponent(target.query)));
    expect(opened).toEqual(["file:///extension/docs/rules.md#ropetypes-disagree"]);
    useLanguage("zh-cn");
    await stub.handlers.get(target.path)?.(...JSON.parse(decodeURIComponent(target.query)));
    useLanguage("en");
    expect(opened[1]).toBe("file:///extension/docs/rules.zh-CN.md#ropetypes-disagree");
    stub.handlers.delete("markdown.showPreview");
  });

  it("have an entry in the documentation for every rule", () => {
    const page = readRepositoryFile("docs/rules.md");
    const headings = [...page.matchAll(/^#+ (.+)$/gm)].map(([, heading = ""]) => heading.replace(/[^\w-]/g, ""));
    for (const { id } of RULES) expect(headings).toContain(id.replace(/[^\w-]/g, ""));
  });

  it("follow severities in the settings immediately, the user's before the project's", async () => {
    const document = open();
    await eventually(() => expect(codes(document)).toContain("rope/types-disagree"));
    stub.files.set("file:///workspace/.posenc.json", new TextEncoder().encode('{"rules":{"rope/*":"off"}}'));
    stub.watched.fire(URI.file("/workspace/.posenc.json"));
    await eventually(() => expect(codes(document)).toEqual([]));
    stub.set("posenc.rules", { "rope/types-disagree": "info" });
    await eventually(() => expect(shown(document).map(({ severity }) => severity)).toEqual([2]));
  });

  it.each([null, [], "off"])("keep their severities when the setting is %j", async (value) => {
    stub.set("posenc.rules", value);
    const document = open();
    await eventually(() => expect(codes(document)).toContain("rope/types-disagree"));
  });
});

describe("quick fixes", () => {
  it("change the wrong key and keep comments, order and everything else", async () => {
    const document = open();
    const fix = (await actions(document)).find(({ title }) => title === 'Remove "type"');
    expect(fix?.kind.value).toBe("quickfix");
    expect(applied(document, fix ?? { edit: undefined })).toBe(CONFIG.replace('    "type": "linear",\n', ""));
  });

  it("are offered only at their place", async () => {
    expect(await actions(open(), undefined, new Range(3, 4, 3, 4))).toEqual([]);
  });

  it("are absent for JSON that is not a model config", async () => {
    expect(await actions(stub.open("/workspace/package.json", "json", '{"name": "x"}'))).toEqual([]);
  });

  it("apply all safe fixes together and leave none", async () => {
    const document = open();
    const found = await actions(document, CodeActionKind.SourceFixAll);
    expect(found.map(({ kind }) => kind.value)).toEqual(["source.fixAll.posenc"]);
    const text = applied(document, found[0] ?? { edit: undefined });
    expect(readConfig(text).problems.filter(({ fix }) => fix !== undefined)).toEqual([]);
    expect(text).toContain("// as it was");
    expect(text).toContain('"attention_factor": 1.0');
  });

  it("include all safe fixes as a quick fix in the light bulb", async () => {
    const document = open();
    const all = (await actions(document)).find(({ title }) => title === "Apply all safe fixes");
    expect(all?.kind.value).toBe("quickfix");
    expect(applied(document, all ?? { edit: undefined })).toContain('"attention_factor": 1.0');
  });

  it("skip rules that the user has switched off", async () => {
    stub.set("posenc.rules", { "rope/*": "off" });
    expect(await actions(open(), CodeActionKind.SourceFixAll)).toEqual([]);
  });
});

describe("where no fix is certain", () => {
  const YARN = `{"model_type": "llama", "hidden_size": 4096, "num_attention_heads": 32, "num_hidden_layers": 32,
  "max_position_embeddings": 131072,
  "rope_parameters": {"rope_type": "yarn", "rope_theta": 10000.0, "factor": 4.0, "beta_fast": 1.0, "beta_slow": 32}}`;
  const openYarn = () => stub.open("/workspace/y/config.json", "json", YARN);

  it("the possible fixes come first, none is preferred, and to disable the rule comes last", async () => {
    const found = await actions(openYarn());
    expect(found.map(({ title }) => title)).toEqual([
      "Set original_max_position_embeddings to 32768",
      "Set original_max_position_embeddings to 131072",
      "Swap beta_fast and beta_slow",
      "Explain rope/yarn-needs-original-length",
      "Disable rope/yarn-needs-original-length in the workspace settings",
      "Disable rope/yarn-needs-original-length for this project (.posenc.json)",
      "Explain rope/beta-order",
      "Disable rope/beta-order in the workspace settings",
      "Disable rope/beta-order for this project (.posenc.json)",
    ]);
    expect(found.filter(({ isPreferred }) => isPreferred === true)).toEqual([]);
  });

  it("each possible fix resolves its finding", async () => {
    const document = openYarn();
    const [original, , swap] = await actions(document);
    const rules = (text: string) => readConfig(text).problems.map(({ rule }) => rule);
    const swapped = applied(document, swap ?? { edit: undefined });
    expect(rules(swapped)).not.toContain("rope/beta-order");
    expect(swapped).toContain('"beta_fast": 32, "beta_slow": 1.0');
    expect(rules(applied(document, original ?? { edit: undefined }))).not.toContain("rope/yarn-needs-original-length");
  });

  it("all safe fixes apply none of them", async () => {
    expect(await actions(openYarn(), CodeActionKind.SourceFixAll)).toEqual([]);
  });
});

describe("the action that disables a rule", () => {
  const disable = async (document: StubDocument, title: string) => {
    const { command } = (await actions(document)).find((action) => action.title === title) ?? {};
    await stub.handlers.get(command?.command ?? "")?.(...(command?.arguments ?? []));
  };

  it("keeps the other entries in the settings", async () => {
    stub.set("posenc.rules", { "window/*": "info" });
    const document = open();
    await disable(document, "Disable rope/types-disagree in the workspace settings");
    expect(stub.settings.get("posenc.rules")).toEqual({ "window/*": "info", "rope/types-disagree": "off" });
    await eventually(() => expect(codes(document)).not.toContain("rope/types-disagree"));
  });

  it("writes the project's file only when it is used", async () => {
    const document = open();
    await actions(document);
    expect([...stub.files.keys()]).toEqual([]);
    await disable(document, "Disable rope/types-disagree for this project (.posenc.json)");
    const written = decode(stub.files.get("file:///workspace/.posenc.json"));
    expect(JSON.parse(written)).toEqual({ rules: { "rope/types-disagree": "off" } });
    stub.watched.fire(URI.file("/workspace/.posenc.json"));
    await eventually(() => expect(codes(document)).not.toContain("rope/types-disagree"));
  });

  it("keeps the comments of the nearest project file", async () => {
    const nearest = "file:///workspace/m/.posenc.json";
    stub.files.set(nearest, new TextEncoder().encode('{\n  // ours\n  "ignore": ["old/*"]\n}\n'));
    await disable(open(), "Disable rope/types-disagree for this project (.posenc.json)");
    const written = decode(stub.files.get(nearest));
    expect(written).toContain("// ours");
    expect(written).toContain('"rope/types-disagree": "off"');
    expect(stub.files.has("file:///workspace/.posenc.json")).toBe(false);
  });

  it.each(["", "__proto__", "rope/../x", 7])("refuses %j as a rule", async (rule) => {
    await stub.handlers.get("posenc.disableRule")?.(URI.file("/workspace/m/config.json"), rule, "project");
    expect(stub.errors).toEqual(["Unknown rule."]);
    expect([...stub.files.keys()]).toEqual([]);
  });
});
