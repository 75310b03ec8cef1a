import { beforeEach, describe, expect, it, vi } from "vitest";
import { URI } from "vscode-uri";
import { applyFix } from "../../src/core/config/edit/applyFix.ts";
import { computeWriteBack } from "../../src/core/config/edit/writeBack.ts";
import { readConfig } from "../../src/core/config/readConfig.ts";
import { MAX_PROBLEMS } from "../../src/core/config/sizeLimits.ts";
import { CodeActionKind, FileType, Range, type StubDocument, stub, workspace } from "../unit/stub/vscode.ts";
import { eventually } from "../unit/support/eventually.ts";
import { freshHost } from "../unit/support/freshHost.ts";
import { config } from "../unit/support/llamaConfig.ts";
import { ready, request } from "../unit/support/panelPage.ts";

const everywhere = new Range(0, 0, 99, 0);
const decode = (bytes: Uint8Array | undefined) => new TextDecoder().decode(bytes);

freshHost();
beforeEach(() => void vi.restoreAllMocks());

describe("write back while the user types", () => {
  it("leaves a document alone that changed while its editor was being shown", async () => {
    const document = stub.open("/workspace/m/config.json", "json", config({ rope_theta: 10_000, rms_norm_eps: 1e-6 }));
    await stub.handlers.get("posenc.previewConfig")?.(document.uri);
    const { config: bound } = await ready();
    if (bound === null) throw new Error("no config is bound");
    stub.whileShowing = () => stub.edit(document, `{"typed": "now",${document.text.slice(1)}`);
    const wanted = { ...bound.specs[0]?.params, rope_theta: 500_000 };
    const argument = { uri: bound.uri, index: 0, version: bound.version, wanted };
    const { ok, error } = await request("writeBack", argument);
    expect(ok).toBe(false);
    expect(error).toMatch(/The config has changed and was reloaded/);
    expect(JSON.parse(document.text)).toMatchObject({ typed: "now", rope_theta: 10_000 });
  });
});

describe("fixes while the user types", () => {
  it.each([undefined, CodeActionKind.SourceFixAll])("have no edit for a text that is gone (%j)", async (only) => {
    const text = config({ rope_scaling: { type: "linear", rope_type: "yarn", factor: 4, attn_factor: 1 } });
    const document = stub.open("/workspace/m/config.json", "json", text);
    const provide = () => stub.codeActions[0]?.provideCodeActions(document, everywhere, { only }, {});
    expect(await provide()).not.toEqual([]);
    // A project's file has changed and is read again: the provider waits for it.
    let finishReading = () => {};
    const reading = new Promise<void>((resolve) => {
      finishReading = resolve;
    });
    stub.files.set("file:///workspace/m/.posenc.json", new TextEncoder().encode("{}"));
    const read = vi.spyOn(workspace.fs, "readFile").mockImplementationOnce(async () => {
      await reading;
      return new TextEncoder().encode("{}");
    });
    stub.watched.fire(URI.file("/workspace/m/.posenc.json"));
    const actions = provide();
    await eventually(() => expect(read).toHaveBeenCalled());
    await vi.dynamicImportSettled();
    stub.edit(document, `{"typed": "now",${document.text.slice(1)}`);
    finishReading();
    expect(await actions).toEqual([]);
    expect(await provide()).not.toEqual([]);
  });
});

describe("a key that is written twice", () => {
  const twice = `{
  "model_type": "llama", "rope_theta": 1.0,
  "rope_scaling": {"rope_type": "linear", "factor": 9.0},
  "rope_scaling": {"rope_type": "yarn", "factor": 2.0, "factor": 4.0, "attn_factor": 1.0},
  "hidden_size": 4096, "num_attention_heads": 32,
  "rope_theta": 10000.0
}
`;

  it("is a warning at the second", () => {
    const found = readConfig(twice).problems.filter(({ rule }) => rule === "config/duplicate-key");
    expect(found.map(({ severity, path, range }) => [severity, path.join("."), range.start])).toEqual([
      ["warning", "rope_scaling", { line: 4, column: 3 }],
      ["warning", "rope_scaling.factor", { line: 4, column: 56 }],
      ["warning", "rope_theta", { line: 6, column: 3 }],
    ]);
  });

  it("is written where it counts", () => {
    const { format, specs } = readConfig(twice);
    const [spec] = specs;
    if (spec === undefined) throw new Error("no encoding");
    const { edit } = computeWriteBack(twice, format, spec, { ...spec.params, rope_theta: 500_000, factor: 8 });
    if (edit === null) throw new Error("no edit");
    const written = twice.slice(0, edit.offset) + edit.content + twice.slice(edit.offset + edit.length);
    expect(written).toBe(twice.replace('"factor": 4.0', '"factor": 8.0').replace("10000.0", "500000.0"));
  });

  it.each([
    [{ path: ["rope_theta"], value: 7 }, twice.replace("10000.0", "7")],
    [{ path: ["rope_theta"], raw: "7.0" }, twice.replace("10000.0", "7.0")],
    [
      { path: ["rope_scaling", "attn_factor"], renameTo: "attention_factor" },
      twice.replace("attn_factor", "attention_factor"),
    ],
    [{ path: ["rope_scaling", "attn_factor"], value: 2 }, twice.replace('"attn_factor": 1.0', '"attn_factor": 2')],
  ])("is fixed where it counts: %j", (change, expected) => {
    expect(applyFix(twice, { title: "", changes: [change] })).toBe(expected);
  });

  it("is removed where it counts", () => {
    const fixed = applyFix(twice, { title: "", changes: [{ path: ["rope_scaling", "factor"] }] });
    expect(fixed.replaceAll(/\s/g, "")).toBe(twice.replace(', "factor": 4.0', "").replaceAll(/\s/g, ""));
  });

  it("keeps other keys' names when a line is formatted, even names like placeholders", () => {
    const line = '{"duplicate": 1, "a": {"b": 1}, "a": {"b": 2, "b": 3}, "duplicateduplicate": 2}';
    expect(JSON.parse(applyFix(line, { title: "", changes: [{ path: ["a", "c"], value: 4 }] }))).toEqual({
      duplicate: 1,
      a: { b: 3, c: 4 },
      duplicateduplicate: 2,
    });
    const fixed = applyFix(line, { title: "", changes: [{ path: ["a", "c"], value: 4 }] });
    expect(fixed.replaceAll(/\s/g, "")).toBe(
      '{"duplicate":1,"a":{"b":1},"a":{"b":2,"b":3,"c":4},"duplicateduplicate":2}',
    );
  });

  it("is found a few times in a file of nothing else", () => {
    const flood = Array.from({ length: 20_000 }, (_, n) => `"k${n}":1,"k${n}":2`).join();
    const found = readConfig(`{"model_type":"llama",${flood}}`).problems;
    expect(found.filter(({ rule }) => rule === "config/duplicate-key")).toHaveLength(MAX_PROBLEMS);
    expect(found.at(-1)?.rule).toBe("config/too-many");
  });
});

describe("the action that disables a rule for the project", () => {
  const nearest = "file:///workspace/m/.posenc.json";
  let document: StubDocument;
  beforeEach(() => {
    const disagreeing = { type: "linear", rope_type: "yarn", factor: 4 };
    document = stub.open("/workspace/m/config.json", "json", config({ rope_scaling: disagreeing }));
  });

  const disable = () => stub.handlers.get("posenc.disableRule")?.(document.uri, "rope/types-disagree", "project");
  const put = (text: string) => stub.files.set(nearest, new TextEncoder().encode(text));

  it.each([
    ["cut off", '{"rules": {"rope/yarn": "off"'],
    ["a list", "[]"],
    ["a shell script", "#!/bin/sh\nrm -rf build\n"],
    ["empty", ""],
    ["an object with other rules", '{"rules": ["rope/yarn"]}'],
  ])("leaves a file alone that is %s", async (_, text) => {
    put(text);
    await disable();
    expect(decode(stub.files.get(nearest))).toBe(text);
    expect([...stub.files.keys()]).toEqual([nearest]);
    expect(stub.errors.at(-1)).toMatch(/^\.posenc\.json is not valid and was left as it is/);
  });

  it("leaves a file alone that is not UTF-8", async () => {
    const bytes = new Uint8Array([0x7b, 0xff, 0xfe, 0x7d]);
    stub.files.set(nearest, bytes);
    await disable();
    expect(stub.files.get(nearest)).toBe(bytes);
    expect(stub.errors.at(-1)).toMatch(/cannot be read and was left as it is/);
  });

  it.each(["NoPermissions", "Unavailable", "Unknown"])("leaves a file alone whose reading fails: %s", async (code) => {
    stub.files.set("file:///workspace/.posenc.json", new TextEncoder().encode("{}"));
    await eventually(() => expect(stub.diagnostics.size).toBe(1));
    stub.unreadable.set("file:///workspace/.posenc.json", code);
    await disable();
    expect(decode(stub.files.get("file:///workspace/.posenc.json"))).toBe("{}");
    expect(stub.errors.at(-1)).toMatch(/cannot be read and was left as it is/);
  });

  it.each([
    ["the file", nearest],
    ["its folder", "file:///workspace/m"],
  ])("does not write through a symbolic link: %s", async (_, link) => {
    put("{}");
    stub.fileTypes.set(link, FileType.SymbolicLink | (link === nearest ? FileType.File : FileType.Directory));
    await disable();
    expect(decode(stub.files.get(nearest))).toBe("{}");
    expect([...stub.files.keys()]).toEqual([nearest]);
    expect(stub.errors).toEqual([expect.stringMatching(/is a symbolic link/)]);
  });

  it("does not create the target of a dangling link", async () => {
    stub.fileTypes.set("file:///workspace/.posenc.json", FileType.SymbolicLink);
    await disable();
    expect(stub.files.size).toBe(0);
    expect(stub.errors).toEqual([expect.stringMatching(/is a symbolic link/)]);
  });

  it("writes one with comments, a byte order mark and keys written twice", async () => {
    put('\uFEFF{\n  // ours\n  "rules": {"a/b": "off"},\n  "rules": {"c/d": "off"}\n}\n');
    await disable();
    expect(stub.errors).toEqual([]);
    const written = decode(stub.files.get(nearest));
    expect(written).toContain("// ours");
    expect(JSON.parse(written.replace("// ours", ""))).toEqual({
      rules: { "c/d": "off", "rope/types-disagree": "off" },
    });
  });
});
