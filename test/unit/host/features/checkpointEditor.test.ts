import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, describe, expect, it, vi } from "vitest";
import { URI } from "vscode-uri";
import { MAX_WHOLE_FILE_BYTES, openFile } from "../../../../src/host/platform/openFile.ts";
import { stub, TabInputCustom, window, workspace } from "../../stub/vscode.ts";
import { gguf, safetensors } from "../../support/checkpointFiles.ts";
import { eventually } from "../../support/eventually.ts";
import { freshHost } from "../../support/freshHost.ts";
import { config } from "../../support/llamaConfig.ts";
import { setLanguage } from "../../support/setLanguage.ts";

const folder = mkdtempSync(path.join(tmpdir(), "posenc-editor-"));

freshHost();
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function put(name: string, content: string | Uint8Array): URI {
  const file = path.join(folder, name);
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, content);
  return URI.file(file);
}

/** The page of an editor opened for a file. */
async function open(uri: URI) {
  const editor = stub.customEditors.get("posenc.checkpoint");
  if (editor === undefined) throw new Error("there is no editor of checkpoints");
  const panel = stub.panel("posenc.checkpoint");
  await editor.resolveCustomEditor(editor.openCustomDocument(uri), panel);
  await eventually(() => expect(panel.webview.html).toContain("</html>"));
  window.tabGroups.all[0]?.tabs.push({ input: new TabInputCustom(uri) });
  return panel;
}

/** Rows of all tables as text cells. */
function rowsOf(html: string): string[][] {
  const plain = (cell: string) => cell.replace(/<[^>]+>/g, "").replaceAll("\u00a0", " ");
  return [...html.matchAll(/<tr>(.*?)<\/tr>/g)].map(([, row = ""]) =>
    [...row.matchAll(/<t[hd][^>]*>(.*?)<\/t[hd]>/g)].map(([, cell = ""]) => plain(cell)),
  );
}

const divisors = Array.from({ length: 64 }, (_, k) => (k < 32 ? 1 : 8));
const LLAMA = {
  "general.architecture": "llama",
  "general.name": "Tiny <b>Llama</b>",
  "llama.context_length": 131072,
  "llama.embedding_length": 4096,
  "llama.attention.head_count": 32,
  "llama.block_count": 32,
  "llama.rope.freq_base": 500000,
  "llama.rope.dimension_count": 128,
  "tokenizer.ggml.model": "rope",
  "general.file_type": 2,
};

describe("the checkpoint editor", () => {
  it("shows encoding, parameters with sources, frequencies and metadata from a GGUF header", async () => {
    const uri = put(
      "a/llama.gguf",
      gguf(LLAMA, [
        { name: "rope_freqs.weight", shape: [64], data: divisors },
        { name: "output.weight", shape: [4, 4] },
      ]),
    );
    const { html } = (await open(uri)).webview;
    expect(html).toContain("<h1>llama.gguf</h1>");
    expect(html).toMatch(/GGUF 3 · llama · [\d.]+ k?B · 2 tensors/);
    const rows = rowsOf(html);
    expect(rows).toContainEqual(["rope_theta", "500 000", "this file"]);
    expect(rows).toContainEqual(["rope_type", "llama3", "derived"]);
    expect(rows).toContainEqual(["rope_freqs.weight", "64", "F32"]);
    expect(rows).toContainEqual(["llama.rope.dimension_count", "128"]);
    expect(rows).toContainEqual(["general.name", "Tiny &lt;b&gt;Llama&lt;/b&gt;"]);
    expect(rows.flat()).not.toContain("tokenizer.ggml.model");
    expect(rows.flat()).not.toContain("output.weight");
    // 2π · 8 · 500000^(63/64) tokens for the slowest pair.
    const longest = 2 * Math.PI * 8 * 500000 ** (63 / 64);
    expect(rows.find(([name]) => name === "wavelengths")?.[1]).toBe(
      `6.28 … ${(longest / 1e6).toPrecision(3)} M tokens`,
    );
  });

  it("shows the tables of a safetensors file with their shapes", async () => {
    const { html } = (
      await open(put("a/gpt2.safetensors", safetensors({ "wpe.weight": [1024, 768], "h.0.attn.weight": [4, 4] })))
    ).webview;
    expect(html).toContain("learned · 1024 positions");
    expect(rowsOf(html)).toContainEqual(["wpe.weight", "1024 × 768", "F32"]);
    expect(html).not.toContain("h.0.attn.weight");
  });

  it("reports that RoPE stores no weights and links to the config in the same folder", async () => {
    put("b/config.json", config());
    const uri = put("b/model.safetensors", safetensors({ "q.weight": [8, 8] }));
    const { html } = (await open(uri)).webview;
    expect(html).toContain("RoPE and ALiBi have no weights");
    const [, target = ""] = /href="command:posenc\.previewConfig\?([^"]+)"/.exec(html) ?? [];
    const [name] = JSON.parse(decodeURIComponent(target));
    expect(name).toBe(URI.file(path.join(folder, "b/config.json")).toString());
    stub.open(URI.parse(name), "json", config());
    await stub.handlers.get("posenc.previewConfig")?.(name, 0);
    expect(stub.errors).toEqual([]);
    expect(stub.panels.map(({ title }) => title)).toContain("b / config.json");
  });

  it("shows differences from the config in the same folder, with the user's severity", async () => {
    put("c/config.json", config({ rope_theta: 10000 }));
    const uri = put("c/llama.gguf", gguf(LLAMA));
    const panel = await open(uri);
    expect(panel.webview.html).toMatch(
      /<li class="warning">.*config\.json: rope_theta is 10000 here but 500000 in llama\.gguf/,
    );
    expect(panel.webview.html).toContain('href="command:posenc.openRule?%5B%22gguf%2Fdisagrees%22%5D"');
    stub.set("posenc.rules", { "gguf/disagrees": "off" });
    await eventually(() => expect(panel.webview.html).not.toContain("<li "));
  });

  it("opens the panel on its own file, and on no file that is not shown", async () => {
    const uri = put("d/llama.gguf", gguf(LLAMA));
    const { html } = (await open(uri)).webview;
    const [, target = ""] = /<a href="command:posenc\.previewConfig\?([^"]+)"/.exec(html) ?? [];
    await stub.handlers.get("posenc.previewConfig")?.(...JSON.parse(decodeURIComponent(target)));
    expect(stub.errors).toEqual([]);
    expect(stub.panels.at(-1)?.title).toBe("d / llama.gguf");
    const before = stub.panels.length;
    await stub.handlers.get("posenc.previewConfig")?.(URI.file(path.join(folder, "a/llama.gguf")).toString(), 0);
    expect(stub.panels).toHaveLength(before);
  });

  it("is opened from the panel as the source", async () => {
    const uri = put("j/llama.gguf", gguf(LLAMA));
    await stub.handlers.get("posenc.previewConfig")?.(uri);
    const opened: unknown[][] = [];
    stub.handlers.set("vscode.openWith", (...given) => opened.push(given));
    stub.panels.at(-1)?.messages.fire({ type: "openConfig", uri: uri.toString(), range: null });
    await eventually(() => expect(opened).toHaveLength(1));
    expect(opened[0]?.slice(1)).toEqual(["posenc.checkpoint", 1]);
    expect(stub.errors).toEqual([]);
  });

  it("shows why a file cannot be read", async () => {
    const { html } = (await open(put("e/cut.gguf", gguf(LLAMA).subarray(0, 90)))).webview;
    expect(html).toContain('<p class="error" role="alert">unexpected end of file</p>');
    expect(rowsOf(html)).toEqual([]);
  });

  it("updates when the file changes", async () => {
    const uri = put("f/llama.gguf", gguf(LLAMA));
    const panel = await open(uri);
    put("f/llama.gguf", gguf({ ...LLAMA, "llama.rope.freq_base": 77777 }));
    stub.watched.fire(uri);
    await eventually(() => expect(rowsOf(panel.webview.html)).toContainEqual(["rope_theta", "77 777", "this file"]));
  });

  it("runs no script, loads one style sheet and allows nothing else", async () => {
    const panel = await open(put("g/llama.gguf", gguf({ ...LLAMA, "general.name": '"><script>alert(1)</script>' })));
    const { html, options } = panel.webview;
    expect(options).toMatchObject({
      enableScripts: false,
      enableCommandUris: ["posenc.previewConfig", "posenc.openRule"],
    });
    expect(html).toMatch(/content="default-src 'none'; style-src https:[^"']+"/);
    expect(html).not.toMatch(/<script|<style|\sstyle=|\son\w+=|unsafe-/);
    expect([...html.matchAll(/href="(\w+):/g)].map(([, scheme]) => scheme)).toEqual(
      expect.arrayContaining(["https", "command"]),
    );
    for (const [, command] of html.matchAll(/command:([\w.]+)/g))
      expect(["posenc.previewConfig", "posenc.openRule"]).toContain(command);
  });

  it("labels its regions for a screen reader", async () => {
    const { html } = (await open(put("h/llama.gguf", gguf(LLAMA)))).webview;
    for (const [, id] of html.matchAll(/aria-labelledby="(\w+)"/g)) expect(html).toContain(`id="${id}"`);
    expect(html.match(/<table>/g)).toHaveLength(html.match(/<caption>[^<]+<\/caption>/g)?.length ?? 0);
    expect(html).toMatch(/role="button" aria-label="Open in Panel: [^"]+"/);
    await setLanguage("zh-cn");
    await eventually(() => expect(stub.panels.at(-1)?.webview.html).toMatch(/<html lang="zh-Hans">[\s\S]*位置编码/));
    await setLanguage("en");
  });

  it("is opened from the explorer's menu for weights only", async () => {
    const opened: unknown[][] = [];
    stub.handlers.set("vscode.openWith", (...given) => opened.push(given));
    const uri = put("i/llama.gguf", gguf(LLAMA));
    await stub.handlers.get("posenc.openCheckpoint")?.(uri);
    expect(opened).toEqual([[uri, "posenc.checkpoint"]]);
    await stub.handlers.get("posenc.openCheckpoint")?.(URI.file("/workspace/config.json"));
    expect(opened).toHaveLength(1);
    expect(stub.errors).toEqual(["Not a .gguf or .safetensors file."]);
  });
});

describe("a checkpoint on a virtual file system", () => {
  it("is read as a whole up to a limit and refused with a reason above it", async () => {
    const small = URI.parse("vscode-vfs://github/x/small.gguf");
    stub.files.set(small.toString(), gguf(LLAMA));
    const { reader } = await openFile(small);
    expect(new TextDecoder().decode(await reader.read(0, 4))).toBe("GGUF");
    const large = small.with({ path: "/x/large.gguf" });
    const stat = vi
      .spyOn(workspace.fs, "stat")
      .mockResolvedValue({ type: 1, mtime: 0, size: MAX_WHOLE_FILE_BYTES + 1 });
    await expect(openFile(large)).rejects.toThrow(/65 MB.*up to 64 MB/);
    const { html } = (await open(large)).webview;
    expect(html).toMatch(/role="alert">This file is 65 MB/);
    stat.mockRestore();
  });
});
