import { cpSync, writeFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { root } from "../../scripts/lib/bundles.ts";
import { scratchFolder } from "../unit/support/scratch.ts";
import { Journey } from "./harness.ts";

describe("what is wrong with a config", () => {
  let journey: Journey;

  beforeAll(async () => {
    journey = await Journey.start();
  });
  afterAll(() => journey?.end());

  test("is said in the status bar and the view of models, one row a model", async () => {
    await journey.page.getByRole("tab", { name: "Position Encodings" }).first().click();
    const row = (name: string) => journey.page.locator(".pane-body .monaco-list-row").filter({ hasText: name }).first();
    await row("my-finetune").waitFor();
    expect(await row("my-finetune").getAttribute("aria-label")).toMatch(/^my-finetune, RoPE · YaRN ×4.*, 1 warning/);
    await row("my-finetune").click();
    await journey.page
      .locator(".statusbar-item")
      .filter({ hasText: /YaRN ×4.*1 warning/ })
      .waitFor();
    await journey.screenshot("models-view");
  });

  test("is fixed in place where the fix is certain, and undone", async () => {
    await journey.open("qwen2.5-7b-yarn/config.json");
    const line = (text: string) => journey.editor().locator(".view-line").filter({ hasText: text });
    const text = await readFile(path.join(journey.folder, "qwen2.5-7b-yarn/config.json"), "utf8");
    await journey.goTo(text.split("\n").findIndex((each) => each.includes('"factor"')) + 1);
    await journey.page.keyboard.press("Home");
    await journey.page.keyboard.type('"attn_factor": 1.0, ');
    await journey.page.locator(".squiggly-warning").first().waitFor();
    await journey.page.keyboard.press("Home");
    await journey.page.keyboard.press("Control+.");
    const actions = journey.page.locator(".action-widget:visible");
    // VS Code takes no click until its menu has settled; by keyboard the first action is chosen already.
    const chosen = actions.locator(".monaco-list-row.focused");
    await chosen.filter({ hasText: 'Rename "attn_factor" to "attention_factor"' }).waitFor();
    await journey.screenshot("quick-fix");
    await journey.page.keyboard.press("Enter");
    await line('"attention_factor": 1.0, "factor": 4.0').waitFor();
    expect(await line('"original_max_position_embeddings": 32768').count()).toBe(1);
    await journey.page.keyboard.press("Control+z");
    await line('"attn_factor": 1.0').waitFor();
  });
});

describe("a workspace of two folders", () => {
  let journey: Journey;

  beforeAll(async () => {
    const folder = scratchFolder("roots");
    const model = path.join(root, "test/fixtures/workspace/my-finetune");
    for (const [name, severity] of [
      ["east", "error"],
      ["west", "off"],
    ] as const) {
      cpSync(model, path.join(folder, name, "my-finetune"), { recursive: true });
      const rules = { "rope/yarn-needs-original-length": severity };
      writeFileSync(path.join(folder, name, ".posenc.json"), JSON.stringify({ rules }));
    }
    writeFileSync(path.join(folder, "both.code-workspace"), '{"folders": [{"path": "east"}, {"path": "west"}]}');
    journey = await Journey.start({ folder, workspace: "both.code-workspace" });
  });
  afterAll(() => journey?.end());
  beforeEach(({ onTestFailed }) => onTestFailed(() => journey.screenshot("failed-roots")));

  test("compares two files that are selected in the explorer, each named by its folder", async () => {
    const row = (name: string) =>
      journey.page.locator(".explorer-folders-view .monaco-list-row").filter({ hasText: name });
    await row("my-finetune").nth(1).click();
    await row("config.json").waitFor();
    await row("my-finetune").nth(0).click();
    await row("config.json").nth(1).waitFor();
    await row("config.json").nth(0).click();
    await row("config.json")
      .nth(1)
      .click({ modifiers: ["Control"] });
    await row("config.json").nth(1).click({ button: "right" });
    const item = (name: string) => journey.page.getByRole("menuitem", { name: `${name}` });
    await item("Compare Position Encodings…").waitFor();
    await journey.screenshot("roots-explorer");
    expect(await item("Compare Position Encodings with Last Commit").count()).toBe(0);
    await item("Compare Position Encodings…").click();
    const side = (name: string) => journey.webview().getByRole("region", { name, exact: true });
    await side("side A").filter({ hasText: "east / my-finetune / config.json" }).waitFor();
    await side("side B").filter({ hasText: "west / my-finetune / config.json" }).waitFor();
    await journey.screenshot("roots-compare");
  });

  test("holds each file to the settings of its own folder", async () => {
    await journey.page.getByRole("tab", { name: "Position Encodings" }).first().click();
    const row = (name: string) => journey.page.locator(".pane-body .monaco-list-row").filter({ hasText: name }).first();
    await row("east/my-finetune").waitFor();
    expect(await row("east/my-finetune").getAttribute("aria-label")).toMatch(/, 1 error$/);
    expect(await row("west/my-finetune").getAttribute("aria-label")).not.toMatch(/error|warning/);
    await row("east/my-finetune").click();
    await journey.page.locator(".squiggly-error").first().waitFor();
    await row("west/my-finetune").click();
    await journey.page.locator(".squiggly-error").first().waitFor({ state: "detached" });
    await journey.page
      .locator(".statusbar-item")
      .filter({ hasText: /YaRN ×4.*→524k$/ })
      .waitFor();
    await journey.screenshot("roots-models");
  });
});
