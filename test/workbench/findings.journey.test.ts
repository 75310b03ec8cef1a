import { cpSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { root } from "../../scripts/lib/root.ts";
import { clickFor } from "../../scripts/lib/workbench/driver/delivery.ts";
import { expandRow, showContainer, takeMenuItem } from "../../scripts/lib/workbench/driver/rows.ts";
import { Journey } from "../../scripts/lib/workbench/journey.ts";
import { scratchFolder } from "../unit/support/scratch.ts";

const statusItem = ({ page }: Journey, text: RegExp) => page.locator(".statusbar-item").filter({ hasText: text });

describe("Findings in configs", () => {
  let journey: Journey;

  beforeAll(async () => {
    journey = await Journey.start();
  });
  afterAll(() => journey?.end());

  test("The models view and the status bar show how many warnings a config has", async () => {
    await showContainer(journey.page, "Position Encodings");
    const row = journey.page.locator(".pane-body .monaco-list-row").filter({ hasText: "my-finetune" }).first();
    await row.waitFor();
    expect(await row.getAttribute("aria-label")).toMatch(/^my-finetune, RoPE · YaRN ×4.*, 1 warning/);
    await clickFor(row, statusItem(journey, /YaRN ×4.*1 warning/));
    await journey.screenshot("models-view");
  });

  test("A quick fix renames a misspelt key in place, and undo reverts it", async () => {
    await journey.openAt("qwen2.5-7b-yarn/config.json", '"factor"');
    const { editor } = journey;
    await editor.type('"attn_factor": 1.0, ');
    await editor.root.locator(".squiggly-warning").first().waitFor();
    await editor.press("Home");
    const fixed = editor.line('"attention_factor": 1.0, "factor": 4.0');
    await editor.act('Rename "attn_factor" to "attention_factor"', fixed, () => journey.screenshot("quick-fix"));
    expect(await editor.line('"original_max_position_embeddings": 32768').count()).toBe(1);
    await editor.press("Control+z");
    await editor.line('"attn_factor": 1.0').waitFor();
  });
});

describe("A workspace of two folders", () => {
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

  test("Two configs selected in the explorer are compared, each named by its folder", async () => {
    const row = (name: string, index: number) =>
      journey.page.locator(".explorer-folders-view .monaco-list-row").filter({ hasText: name }).nth(index);
    await expandRow(row("my-finetune", 1));
    await expandRow(row("my-finetune", 0));
    const [east, west] = [row("config.json", 0), row("config.json", 1)];
    const selected = journey.page.locator(".selected");
    await clickFor(east, east.and(selected));
    await clickFor(west, west.and(selected), { modifiers: ["Control"] });
    await takeMenuItem(west, "Compare Position Encodings…", async () => {
      await journey.screenshot("roots-explorer");
      const menu = journey.page.getByRole("menuitem", { name: "Compare Position Encodings with Last Commit" });
      expect(await menu.count()).toBe(0);
    });
    const side = (name: string) => journey.webview().getByRole("region", { name, exact: true });
    await side("side A").filter({ hasText: "east / my-finetune / config.json" }).waitFor();
    await side("side B").filter({ hasText: "west / my-finetune / config.json" }).waitFor();
    await journey.screenshot("roots-compare");
  });

  test("Each config is checked with the settings of its own folder", async () => {
    await showContainer(journey.page, "Position Encodings");
    const row = (name: string) => journey.page.locator(".pane-body .monaco-list-row").filter({ hasText: name }).first();
    await row("east/my-finetune").waitFor();
    expect(await row("east/my-finetune").getAttribute("aria-label")).toMatch(/, 1 error$/);
    expect(await row("west/my-finetune").getAttribute("aria-label")).not.toMatch(/error|warning/);
    await clickFor(row("east/my-finetune"), journey.page.locator(".squiggly-error").first());
    await clickFor(row("west/my-finetune"), statusItem(journey, /YaRN ×4.*→524k$/));
    await journey.page.locator(".squiggly-error").first().waitFor({ state: "detached" });
    await journey.screenshot("roots-models");
  });
});
