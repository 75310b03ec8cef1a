import { readFile } from "node:fs/promises";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
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
