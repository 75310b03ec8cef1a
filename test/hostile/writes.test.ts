import { afterEach, describe, expect, it, vi } from "vitest";
import { URI } from "vscode-uri";
import { applyFix } from "../../src/core/config/edit/applyFix.ts";
import { readConfig } from "../../src/core/config/readConfig.ts";
import { ConfigStore } from "../../src/host/stores/configStore.ts";
import { writeConfig } from "../../src/host/stores/writeConfig.ts";
import { stub, window } from "../unit/stub/vscode.ts";
import { freshHost } from "../unit/support/freshHost.ts";
import { config } from "../unit/support/llamaConfig.ts";

freshHost();
afterEach(() => void vi.restoreAllMocks());

const RULE = "rope/factor-mismatch";
const settings = URI.file("/workspace/.posenc.json");
const disable = () => stub.handlers.get("posenc.disableRule")?.(URI.file("/workspace/m/config.json"), RULE, "project");
const written = () => {
  const bytes = stub.files.get(settings.toString());
  return bytes === undefined ? undefined : new TextDecoder().decode(bytes);
};

describe("disabling a rule", () => {
  it("makes the file if there is none, and keeps what a good one has", async () => {
    await disable();
    expect(JSON.parse(written() ?? "")).toEqual({ rules: { [RULE]: "off" } });
    stub.files.set(settings.toString(), new TextEncoder().encode('{ "ignore": ["a"] /* why */ }'));
    await disable();
    expect(written()).toMatch(/"ignore": \["a"\] \/\* why \*\/|why/);
    expect(written()).toContain(RULE);
  });

  it.each(["not JSON", "[1]", '{"rules": ', '"text"', "\u0000\u0001"])("leaves %j as it is", async (text) => {
    stub.files.set(settings.toString(), new TextEncoder().encode(text));
    await disable();
    expect(written()).toBe(text);
    expect(stub.errors.join()).toContain("is not a JSON object and was left as it is");
  });

  it("never writes through a link", async () => {
    stub.files.set(settings.toString(), new TextEncoder().encode("{}"));
    stub.fileTypes.set(settings.toString(), 1 | 64);
    await disable();
    expect(written()).toBe("{}");
    expect(stub.errors.join()).toContain("is a link to another place");
  });

  it("never writes over what is no regular file", async () => {
    stub.files.set(settings.toString(), new TextEncoder().encode("{}"));
    stub.fileTypes.set(settings.toString(), 0);
    await disable();
    expect(written()).toBe("{}");
    expect(stub.errors.join()).toContain("not a regular file");
  });
});

describe("writing back", () => {
  it("is refused if a line was typed while the editor was being shown", async () => {
    const document = stub.open(
      "/workspace/m/config.json",
      "json",
      config({ rope_scaling: { rope_type: "linear", factor: 2 } }),
    );
    const { showTextDocument } = window;
    vi.spyOn(window, "showTextDocument").mockImplementation((shown, options) => {
      stub.edit(document, `\n${document.text}`);
      return showTextDocument(shown, options);
    });
    const before = document.text;
    const store = new ConfigStore();
    const request = { uri: document.uri.toString(), index: 0, version: 1, wanted: { factor: 8 } };
    await expect(writeConfig(store, request)).rejects.toThrow("The config has changed");
    expect(document.text).toBe(`\n${before}`);
    store.dispose();
  });
});

describe("duplicate keys", () => {
  const text = '{"model_type":"llama","rope_theta":1,\n"rope_theta":2,"hidden_size":64,"num_attention_heads":1}';

  it("are a warning at the second", () => {
    const { problems, specs } = readConfig(text);
    expect(specs[0]?.params.rope_theta).toBe(2);
    expect(problems).toContainEqual(
      expect.objectContaining({
        rule: "config/duplicate-key",
        severity: "warning",
        path: ["rope_theta"],
        range: { start: { line: 2, column: 1 }, end: { line: 2, column: 13 } },
      }),
    );
  });

  it("are fixed where they count", () => {
    const change = (more: object) => applyFix(text, { title: "", changes: [{ path: ["rope_theta"], ...more }] });
    expect(change({ value: 3 })).toBe(text.replace('"rope_theta":2', '"rope_theta":3'));
    expect(change({ raw: "3.0" })).toBe(text.replace('"rope_theta":2', '"rope_theta":3.0'));
    expect(change({ renameTo: "base" })).toBe(text.replace('"rope_theta":2', '"base":2'));
    expect(JSON.parse(change({}))).not.toHaveProperty("rope_theta");
  });
});
