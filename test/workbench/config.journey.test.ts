import { mkdir, readFile, symlink, writeFile } from "node:fs/promises";
import path from "node:path";
import type { Locator } from "playwright-core";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { gguf, safetensors } from "../unit/support/checkpointFiles.ts";
import { Journey } from "./harness.ts";

let journey: Journey;

beforeAll(async () => {
  journey = await Journey.start();
});
afterAll(() => journey?.end());
beforeEach(async ({ onTestFailed, task }) => {
  onTestFailed(() => journey.screenshot(`failed-${task.name.replace(/\W+/g, "-").slice(0, 40)}`));
  await journey.command("File: Revert File");
  await journey.command("View: Close All Editors");
});

const QWEN = "qwen2.5-7b-yarn/config.json";

async function put(name: string, content: string | Uint8Array): Promise<void> {
  const file = path.join(journey.folder, name);
  await mkdir(path.dirname(file), { recursive: true });
  await writeFile(file, content);
}

const onDisk = (name: string) => readFile(path.join(journey.folder, name), "utf8");
const line = (text: string) => journey.editor().locator(".view-line").filter({ hasText: text });
const squiggles = () => journey.page.locator(".squiggly-warning");

/** A row of the explorer. */
const explorerRow = (name: string) =>
  journey.page.locator(".explorer-folders-view .monaco-list-row").filter({ hasText: name });

/** A file that was just opened is still about to be revealed, which opens its folder again. */
async function collapseExplorer(): Promise<void> {
  await expect
    .poll(async () => {
      await journey.command("File: Focus on Files Explorer");
      await journey.page.keyboard.press("Control+ArrowLeft");
      return explorerRow("config.json").count();
    })
    .toBe(0);
}

const figureName = async () => (await journey.figure()).getAttribute("aria-label");

/** Opens a config with the cursor at the start of the line of a key. */
async function openAt(file: string, key: string): Promise<void> {
  const text = await onDisk(file);
  await journey.open(file);
  await journey.goTo(text.split("\n").findIndex((each) => each.includes(`"${key}"`)) + 1);
  await journey.page.keyboard.press("Home");
}

/** A row of the view of models. Rows out of sight are not there: the keyboard scrolls to them. */
async function modelRow(name: string): Promise<Locator> {
  const rows = journey.page.locator(".pane").filter({ hasText: "Models in the Workspace" }).locator(".monaco-list-row");
  const row = rows.filter({ hasText: name });
  await journey.command("Focus on Models in the Workspace View");
  await rows.first().waitFor();
  await expect
    .poll(async () => {
      // A view that was empty when it was chosen takes the focus only now.
      await journey.command("Focus on Models in the Workspace View");
      await journey.page.keyboard.press("Home");
      for (let steps = 0; steps < 40 && (await row.count()) === 0; steps++)
        await journey.page.keyboard.press("ArrowDown");
      return row.count();
    })
    .toBe(1);
  return row;
}

/** Takes an action of the bulb by keyboard: VS Code's menu takes no clicks until it has settled. */
async function act(label: string): Promise<void> {
  await journey.page.keyboard.press("Control+.");
  const rows = journey.page.locator(".action-widget:visible .monaco-list-row");
  await rows.filter({ hasText: label }).first().waitFor();
  const focused = rows.and(journey.page.locator(".focused"));
  for (let steps = 0; steps < 12 && (await focused.filter({ hasText: label }).count()) === 0; steps++)
    await journey.page.keyboard.press("ArrowDown");
  await journey.page.keyboard.press("Enter");
}

describe("a key of a config", () => {
  it("is explained with the formula as a picture, the file's numbers put in, and a link to the panel", async () => {
    await openAt(QWEN, "factor");
    const hover = await journey.hover('"factor"');
    await hover.getByText("factor · RoPE · YaRN ×4").waitFor();
    await hover.getByText("4 × 32 768 = 131 072 tokens").waitFor();
    await hover.getByText(/cos and sin × 1\.139/).waitFor();
    const picture = hover.locator('img[src^="data:image/svg+xml;base64,"]');
    expect(await picture.getAttribute("alt")).toContain("ω′_k");
    const box = await hover.boundingBox();
    expect(box?.width).toBeLessThanOrEqual(760);
    expect(box?.height).toBeLessThanOrEqual(260);
    await journey.screenshot("key-hover");
    await hover.getByText("Open in Panel").click();
    await journey.figure();
    await journey.page.getByRole("tab", { name: "qwen2.5-7b-yarn / config.json" }).first().waitFor();
  });

  it("leads from what a rule found there to the rule's page", async () => {
    await openAt(QWEN, "sliding_window");
    const hover = await journey.hover('"sliding_window"');
    await hover.getByText("131072 has no effect: use_sliding_window is false").waitFor();
    await hover.getByText("window/dead").click();
    await journey.webview().getByRole("heading", { name: "window/dead" }).waitFor();
    await journey.screenshot("key-rule");
  });

  it("is completed by the type of its dictionary, with a value to begin with", async () => {
    await openAt(QWEN, "factor");
    await journey.page.keyboard.type('"be');
    const choices = journey.page.locator(".suggest-widget.visible .monaco-list-row");
    await choices.filter({ hasText: "beta_fast" }).waitFor();
    await choices.filter({ hasText: "optional" }).first().waitFor();
    await journey.screenshot("key-completion");
    await journey.page.keyboard.press("Enter");
    await line('"beta_fast": 32.0,"factor": 4.0').waitFor();
    await journey.page.keyboard.type("24");
    await line('"beta_fast": 24,"factor"').waitFor();
  });

  it("has whole dictionaries to choose from, which say nothing wrong", async () => {
    await put(
      "plain/config.json",
      JSON.stringify({ ...JSON.parse(await onDisk(QWEN)), rope_scaling: null, use_sliding_window: true }, null, 2),
    );
    await openAt("plain/config.json", "rope_scaling");
    await journey.page.keyboard.press("End");
    for (const _ of "null,") await journey.page.keyboard.press("Shift+ArrowLeft");
    await journey.page.keyboard.press("Delete");
    await journey.page.keyboard.press("Control+Space");
    const choices = journey.page.locator(".suggest-widget.visible .monaco-list-row");
    await choices.filter({ hasText: "llama3" }).waitFor();
    await journey.page.keyboard.type("yarn");
    await choices.filter({ hasText: "yarn" }).first().waitFor();
    await journey.page.keyboard.press("Enter");
    await line('"rope_type": "yarn"').waitFor();
    await line('"original_max_position_embeddings": 131072').waitFor();
    await journey.screenshot("key-dictionary");
    await journey.editor().locator(".codelens-decoration a").filter({ hasText: "YaRN ×4" }).waitFor();
    expect(await journey.page.locator(".squiggly-error").count()).toBe(0);
  });
});

describe("Preview from Config", () => {
  it("is a button of the editor's title, for model configs alone", async () => {
    const button = journey.page.locator(".editor-actions").getByRole("button", { name: "Preview from Config" });
    await journey.open("model.py");
    expect(await button.count()).toBe(0);
    await journey.open("gpt2/config.json");
    await button.click();
    await expect.poll(figureName).toContain("Learned");
  });

  it("is in the explorer's menu", async () => {
    await collapseExplorer();
    await explorerRow("bloom-560m").first().click();
    await explorerRow("config.json").first().click({ button: "right" });
    await journey.page.getByRole("menuitem", { name: "Preview from Config" }).hover();
    await journey.page.keyboard.press("Enter");
    await expect.poll(figureName).toContain("ALiBi");
  });
});

describe("weights", () => {
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

  it("are in the view of models beside their config, which is told that they disagree", async () => {
    await put("llama-3.1-8b/q4.gguf", gguf(LLAMA));
    await put("gpt2/model.safetensors", safetensors({ "wpe.weight": [1024, 768] }));
    const weights = await modelRow("model.safetensors");
    expect(await weights.getAttribute("aria-label")).toContain("learned · 1024 positions");
    const llama = await modelRow("q4.gguf");
    expect(await llama.getAttribute("aria-label")).toContain("RoPE · θ 1e4");
    await journey.screenshot("models-weights");
    await llama.click();
    await journey.webview().getByRole("heading", { name: "q4.gguf" }).waitFor();
  });

  it("of the Hub's cache have the model's name, through the links of its snapshots", async () => {
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
    await row.click();
    await line('"rope_scaling"').waitFor();
  });

  it("open from the explorer's menu in an editor without scripts, and from there in the panel", async () => {
    await put("llama-3.1-8b/q4.gguf", gguf(LLAMA));
    await collapseExplorer();
    await explorerRow("llama-3.1-8b").first().click();
    await explorerRow("q4.gguf").click({ button: "right" });
    await journey.page.getByRole("menuitem", { name: "Show Position Encodings of Checkpoint" }).hover();
    await journey.page.keyboard.press("Enter");
    const page = journey.webview();
    await page.getByRole("row", { name: "rope_theta 10 000 this file" }).waitFor();
    await page.getByText(/config\.json: rope_theta is 500000 here but 10000 in q4\.gguf/).waitFor();
    expect(await page.locator("script").count()).toBe(0);
    await journey.screenshot("weights");
    await page.getByRole("button", { name: /^Open in Panel/ }).click();
    await expect.poll(figureName).toContain("RoPE");
    await journey.screenshot("weights-panel");
  });
});

describe("what the rules find", () => {
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

  it("is fixed all at once where the fixes are certain, comments kept, and undone in one step", async () => {
    await put("fixes/config.json", WRONG);
    await openAt("fixes/config.json", "attn_factor");
    await squiggles().nth(1).waitFor();
    await act("Apply all safe fixes");
    await line('"attention_factor": 1.0').waitFor();
    await line('"type": "linear"').waitFor({ state: "detached" });
    expect(await line("// kept").count()).toBe(1);
    await journey.screenshot("fix-all");
    await journey.page.keyboard.press("Control+z");
    await line('"attn_factor": 1.0').waitFor();
    await line('"type": "linear"').waitFor();
  });

  it("is silenced in the settings of the workspace", async () => {
    await put("silence/config.json", WRONG);
    await openAt("silence/config.json", "attn_factor");
    await squiggles().nth(1).waitFor();
    await act("Disable rope/near-miss-key in settings");
    await expect.poll(() => squiggles().count()).toBe(1);
    expect(JSON.parse(await onDisk(".vscode/settings.json"))).toEqual({
      "posenc.rules": { "rope/near-miss-key": "off" },
    });
  });

  it("is silenced for the project in the nearest .posenc.json, comments kept, and heard of again when that is gone", async () => {
    await put("project/.posenc.json", '{\n  // ours\n  "rules": {}\n}\n');
    await put("project/model/config.json", WRONG);
    await openAt("project/model/config.json", "type");
    await squiggles().first().waitFor();
    const before = await squiggles().count();
    await journey.goTo(WRONG.split("\n").findIndex((each) => each.includes('"type"')) + 1);
    await journey.page.keyboard.press("Home");
    await act("Disable rope/types-disagree for this project");
    await expect.poll(() => squiggles().count()).toBe(before - 1);
    const text = await onDisk("project/.posenc.json");
    expect(text).toContain("// ours");
    expect(text).toContain('"rope/types-disagree": "off"');
    await put("project/.posenc.json", "{}\n");
    await expect.poll(() => squiggles().count()).toBe(before);
  });
});
