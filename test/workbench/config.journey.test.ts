import { mkdir, readFile, symlink, writeFile } from "node:fs/promises";
import path from "node:path";
import type { Locator } from "playwright-core";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { clickFor } from "../../scripts/lib/workbench/driver/delivery.ts";
import { expandRow, reachRow, takeMenuItem } from "../../scripts/lib/workbench/driver/rows.ts";
import { Journey } from "../../scripts/lib/workbench/journey.ts";
import { gguf, safetensors } from "../unit/support/checkpointFiles.ts";

let journey: Journey;

beforeAll(async () => {
  journey = await Journey.start();
});
afterAll(() => journey?.end());
beforeEach(async ({ onTestFailed, task }) => {
  onTestFailed(() => journey.screenshot(`failed-${task.name.replace(/\W+/g, "-").slice(0, 40)}`));
  await journey.closeEditors();
});

const QWEN = "qwen2.5-7b-yarn/config.json";

async function put(name: string, content: string | Uint8Array): Promise<void> {
  const file = path.join(journey.folder, name);
  await mkdir(path.dirname(file), { recursive: true });
  await writeFile(file, content);
}

const onDisk = (name: string) => readFile(path.join(journey.folder, name), "utf8");
const line = (text: string) => journey.editor.line(text);
const status = () => journey.page.locator(".statusbar-item").filter({ hasText: "YaRN ×4" });
const squiggles = () => journey.page.locator(".squiggly-warning");

/** A row of the explorer. */
const explorerRow = (name: string) =>
  journey.page.locator(".explorer-folders-view .monaco-list-row").filter({ hasText: name }).first();

const suggestion = (text: string) =>
  journey.page.locator(".suggest-widget.visible .monaco-list-row").filter({ hasText: text }).first();

const figureName = async () => (await journey.figure()).getAttribute("aria-label");

/** Opens a config with the cursor at a key. */
const openAt = (file: string, key: string) => journey.openAt(file, `"${key}"`);

/** A row of the models view. */
async function modelRow(name: string): Promise<Locator> {
  const list = journey.page.locator(".pane").filter({ hasText: "Models in the Workspace" }).locator(".monaco-list");
  const row = list.locator(".monaco-list-row").filter({ hasText: name });
  await journey.command("Position Encodings: Focus on Models in the Workspace View");
  await reachRow(list, row);
  return row;
}

const picture = () => journey.webview().getByRole("figure").first();

describe("Config keys", () => {
  it("A hover on a key shows its formula as a picture with the numbers of the file, and opens the panel", async () => {
    await openAt(QWEN, "factor");
    const at = { says: "factor · RoPE · YaRN ×4" };
    const hover = await journey.editor.hover('"factor"', at);
    await hover.getByText("4 × 32 768 = 131 072 tokens").waitFor();
    await hover.getByText("cos and sin × 1.139").waitFor();
    const formula = hover.locator('img[src^="data:image/svg+xml;base64,"]');
    expect(await formula.getAttribute("alt")).toContain("ω′_k");
    const box = await hover.boundingBox();
    expect(box?.width).toBeLessThanOrEqual(760);
    expect(box?.height).toBeLessThanOrEqual(260);
    await journey.screenshot("key-hover");
    await journey.editor.followHover('"factor"', at, "Open in Panel", picture());
    await journey.figure();
    await journey.page.getByRole("tab", { name: "qwen2.5-7b-yarn / config.json" }).first().waitFor();
  });

  it("A hover on a key names its finding and opens the rule's page", async () => {
    await openAt(QWEN, "sliding_window");
    const at = { says: "131072 has no effect: use_sliding_window is false" };
    await journey.editor.hover('"sliding_window"', at);
    const page = journey.webview().getByRole("heading", { name: "window/dead" });
    await journey.editor.followHover('"sliding_window"', at, "window/dead", page);
    await journey.screenshot("key-rule");
  });

  it("Completion offers the keys of the dictionary's rope_type, each with a first value", async () => {
    await openAt(QWEN, "factor");
    await journey.editor.type('"be');
    await suggestion("optional").waitFor();
    await journey.editor.complete("beta_fast", () => journey.screenshot("key-completion"));
    await line('"beta_fast": 32.0,"factor": 4.0').waitFor();
    await journey.editor.type("24");
    await line('"beta_fast": 24,"factor"').waitFor();
  });

  it("Completion offers whole rope_scaling dictionaries, which cause no findings", async () => {
    await put(
      "plain/config.json",
      JSON.stringify({ ...JSON.parse(await onDisk(QWEN)), rope_scaling: null, use_sliding_window: true }, null, 2),
    );
    await openAt("plain/config.json", "rope_scaling");
    await journey.editor.press("End");
    for (const _ of "null,") await journey.editor.press("Shift+ArrowLeft");
    await journey.editor.press("Delete");
    await journey.editor.press("Control+Space");
    await suggestion("llama3").waitFor();
    await journey.editor.type("yarn");
    await journey.editor.complete("yarn");
    await line('"rope_type": "yarn"').waitFor();
    await line('"original_max_position_embeddings": 131072').waitFor();
    await journey.screenshot("key-dictionary");
    await journey.editor.lens("YaRN ×4").waitFor();
    expect(await journey.page.locator(".squiggly-error").count()).toBe(0);
  });
});

describe("Preview from Config", () => {
  it("The editor title has the button Preview from Config for model configs only", async () => {
    const button = journey.page.locator(".editor-actions").getByRole("button", { name: "Preview from Config" });
    await journey.open("model.py");
    expect(await button.count()).toBe(0);
    await journey.open("gpt2/config.json");
    await clickFor(button, picture());
    await expect.poll(figureName).toContain("Learned");
  });

  it("The explorer menu previews the encoding of a config", async () => {
    await journey.collapseExplorer();
    await expandRow(explorerRow("bloom-560m"));
    await takeMenuItem(explorerRow("config.json"), "Preview from Config");
    await expect.poll(figureName).toContain("ALiBi");
  });
});

describe("Checkpoints", () => {
  const LLAMA = {
    "general.architecture": "llama",
    "llama.context_length": 131072,
    "llama.embedding_length": 4096,
    "llama.attention.head_count": 32,
    "llama.attention.head_count_kv": 8,
    "llama.block_count": 32,
    "llama.rope.freq_base": 10000,
    "llama.rope.dimension_count": 128,
  };

  it("The models view lists weights next to their config and opens their header", async () => {
    await put("llama-3.1-8b/q4.gguf", gguf(LLAMA));
    await put("gpt2/model.safetensors", safetensors({ "wpe.weight": [1024, 768] }));
    const weights = await modelRow("model.safetensors");
    expect(await weights.getAttribute("aria-label")).toContain("learned · 1024 positions");
    const llama = await modelRow("q4.gguf");
    expect(await llama.getAttribute("aria-label")).toContain("RoPE · θ 1e4");
    await journey.screenshot("models-weights");
    await clickFor(llama, journey.webview().getByRole("heading", { name: "q4.gguf" }));
  });

  it("The models view names a model of the Hub cache by its repository, through the links of its snapshot", async () => {
    const hub = path.join(journey.folder, "hub/models--Qwen--Qwen2.5-7B");
    const snapshot = path.join(hub, "snapshots/a09a35458c702b33eeacc393d103063234e8bc28");
    await mkdir(path.join(hub, "blobs"), { recursive: true });
    await mkdir(snapshot, { recursive: true });
    await writeFile(path.join(hub, "blobs/6f1e"), await onDisk(QWEN));
    await symlink("../../blobs/6f1e", path.join(snapshot, "config.json"));
    await journey.command("Position Encodings: Search for Models");
    const row = await modelRow("Qwen/Qwen2.5-7B @ a09a354");
    expect(await row.getAttribute("aria-label")).toContain("RoPE · YaRN ×4 · θ 1e6 · 32k→131k");
    await journey.screenshot("models-hub");
    await clickFor(row, line('"rope_scaling"'));
  });

  it("The explorer menu opens weights in an editor without scripts, which leads to the panel", async () => {
    await put("llama-3.1-8b/q4.gguf", gguf(LLAMA));
    await journey.collapseExplorer();
    await expandRow(explorerRow("llama-3.1-8b"));
    await takeMenuItem(explorerRow("q4.gguf"), "Show Position Encodings of Checkpoint");
    const page = journey.webview();
    await page.getByRole("row", { name: "rope_theta 10 000 this file" }).waitFor();
    await page.getByText(/config\.json: rope_theta is 500000 here but 10000 in q4\.gguf/).waitFor();
    expect(await page.locator("script").count()).toBe(0);
    await journey.screenshot("weights");
    await clickFor(page.getByRole("button", { name: /^Open in Panel/ }), picture());
    await expect.poll(figureName).toContain("RoPE");
    await journey.screenshot("weights-panel");
    // A click opens the same editor.
    await journey.closeEditors();
    await clickFor(explorerRow("q4.gguf"), page.getByRole("row", { name: "rope_theta 10 000 this file" }));
  });
});

describe("Config findings", () => {
  const WRONG = `{
  "model_type": "qwen2", // kept
  "hidden_size": 3584,
  "num_attention_heads": 28,
  "num_hidden_layers": 28,
  "max_position_embeddings": 131072,
  "rope_theta": 1000000.0,
  "rope_scaling": {
    "attn_factor": 1.0,
    "original_max_position_embeddings": 32768,
    "rope_type": "yarn",
    "type": "linear",
    "factor": 4.0
  }
}
`;

  it("One action applies all safe fixes, keeps comments, and is undone in one step", async () => {
    await put("fixes/config.json", WRONG);
    await openAt("fixes/config.json", "attn_factor");
    await squiggles().nth(1).waitFor();
    await journey.editor.act("Apply all safe fixes", line('"attention_factor": 1.0'));
    await line('"type": "linear"').waitFor({ state: "detached" });
    expect(await line("// kept").count()).toBe(1);
    await journey.screenshot("fix-all");
    await journey.editor.press("Control+z");
    await line('"attn_factor": 1.0').waitFor();
    await line('"type": "linear"').waitFor();
  });

  it("A rule is switched off in the workspace settings", async () => {
    await put("silence/config.json", WRONG);
    await openAt("silence/config.json", "attn_factor");
    await squiggles().nth(1).waitFor();
    await journey.editor.act(
      "Disable rope/near-miss-key in the workspace settings",
      status().filter({ hasText: "1 warning" }),
    );
    await expect.poll(() => squiggles().count()).toBe(1);
    expect(JSON.parse(await onDisk(".vscode/settings.json"))).toEqual({
      "posenc.rules": { "rope/near-miss-key": "off" },
    });
  });

  it("A rule is switched off for the project in the nearest .posenc.json, and reports again after the entry is removed", async () => {
    await put("project/.posenc.json", '{\n  // ours\n  "rules": {}\n}\n');
    await put("project/model/config.json", WRONG.replace('    "attn_factor": 1.0,\n', ""));
    await openAt("project/model/config.json", "type");
    await expect.poll(() => squiggles().count()).toBe(1);
    const clean = status().filter({ hasNotText: "warning" });
    await journey.editor.act("Disable rope/types-disagree for this project", clean);
    await expect.poll(() => squiggles().count()).toBe(0);
    const text = await onDisk("project/.posenc.json");
    expect(text).toContain("// ours");
    expect(text).toContain('"rope/types-disagree": "off"');
    await put("project/.posenc.json", "{}\n");
    await expect.poll(() => squiggles().count()).toBe(1);
  });
});
