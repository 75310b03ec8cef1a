import { readFile } from "node:fs/promises";
import path from "node:path";
import type { FrameLocator } from "playwright-core";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { Journey } from "./harness.ts";

/** The side view's page: the only one while no panel is open. */
function sideOf({ page }: Journey): FrameLocator {
  const outer = page.locator("iframe.webview.ready:visible").first();
  return outer.contentFrame().locator("#active-frame").contentFrame();
}

/** Opens the activity bar's container, and waits for the view's page. */
async function openSide(journey: Journey): Promise<FrameLocator> {
  await journey.page.getByRole("tab", { name: "Position Encodings" }).first().click();
  const side = sideOf(journey);
  await side.locator("main").waitFor();
  return side;
}

describe("the side view follows the active editor", () => {
  let journey: Journey;
  let side: FrameLocator;
  const heading = (text: string | RegExp) =>
    side.getByRole("heading", { level: 1 }).filter({ hasText: text }).waitFor();
  const line = (text: string) => journey.editor().locator(".view-line").filter({ hasText: text });

  beforeAll(async () => {
    journey = await Journey.start();
    side = await openSide(journey);
  });
  afterAll(() => journey?.end());
  beforeEach(({ onTestFailed }) => onTestFailed(() => journey.screenshot("failed-side")));

  test("says what to do before anything is open", async () => {
    await side.getByRole("button", { name: "Choose a config…" }).waitFor();
    await journey.screenshot("side-empty");
  });

  test("from a config to another, to Python, and back", async () => {
    await journey.open("qwen2.5-7b-yarn/config.json");
    await heading("RoPE · YaRN ×4");
    await side.getByRole("figure", { name: /^RoPE · YaRN ×4.*, Scores, 192 × 192$/ }).waitFor();
    await journey.open("gemma-3-4b/config.json");
    await heading(/window 1024/);
    await side.getByRole("listbox", { name: /^Layers of text: 34/ }).waitFor();
    await side.locator('[role="figure"][aria-busy="false"]').waitFor();
    await journey.screenshot("side-config");
    await journey.open("model.py");
    await journey.goTo(63, 15);
    await heading("RoPE — inverse frequencies");
    await side.getByText("at the cursor").waitFor();
    await side.locator('[role="figure"][aria-busy="false"]').waitFor();
    await journey.screenshot("side-code");
    await journey.open("qwen2.5-7b-yarn/config.json");
    await heading("RoPE · YaRN ×4");
  });

  test("an edit changes it while it is typed; an unreadable moment keeps what was there, and says so", async () => {
    await journey.open("llama-3.1-8b/config.json");
    await heading("θ 5e5");
    const text = await readFile(path.join(journey.folder, "llama-3.1-8b/config.json"), "utf8");
    const theta = text.split("\n").findIndex((each) => each.includes('"rope_theta"')) + 1;
    const retype = async (line: string) => {
      await journey.goTo(theta);
      await journey.page.keyboard.press("End");
      await journey.page.keyboard.press("Shift+Home");
      await journey.page.keyboard.insertText(line);
    };
    await retype('  "rope_theta": 10000.0,');
    await heading("θ 1e4");
    await retype('  "rope_theta": ');
    await side.getByRole("alert").filter({ hasText: "last readable version" }).waitFor();
    await heading("θ 1e4");
    await retype('  "rope_theta": 500000.0,');
    await heading("θ 5e5");
    await side.getByRole("alert").waitFor({ state: "detached" });
  });

  test("a finding that is clicked leads to its place", async () => {
    await journey.open("my-finetune/config.json");
    const finding = side.getByRole("region", { name: "Findings" }).getByRole("listitem").first();
    await finding.waitFor();
    const named = await finding.getByRole("button").first().getAttribute("aria-label");
    const at = /line (\d+)$/.exec(named ?? "")?.[1];
    await finding.getByRole("button").first().click();
    await journey.page
      .locator(".statusbar-item")
      .filter({ hasText: `Ln ${at}, ` })
      .waitFor();
    await journey.screenshot("side-finding");
  });

  test("what says nothing leaves what was shown last, marked, with a way back", async () => {
    await journey.command("File: New Untitled Text File");
    await side.getByText("Last shown: my-finetune / config.json").waitFor();
    await side.getByRole("button", { name: "Return to file" }).click();
    await side.getByText("Last shown:").waitFor({ state: "detached" });
    expect(await line('"rope_scaling"').count()).toBe(1);
  });
});

describe("a longer context is planned in the side view", () => {
  let journey: Journey;
  const line = (text: string) => journey.editor().locator(".view-line").filter({ hasText: text });

  beforeAll(async () => {
    journey = await Journey.start({ height: 1100 });
  });
  afterAll(() => journey?.end());
  beforeEach(({ onTestFailed }) => onTestFailed(() => journey.screenshot("failed-plan")));

  test("and written into the config by keyboard alone: its comments stay, and undo takes it back", async () => {
    await journey.open("mistral-7b-v0.3/config.json");
    await journey.goTo(1);
    await journey.page.keyboard.press("End");
    await journey.page.keyboard.press("Enter");
    await journey.page.keyboard.type("// as it was released");
    await journey.command("Position Encodings: Plan Longer Context…");
    const side = sideOf(journey);
    const wanted = side.getByRole("textbox", { name: "target context" });
    await wanted.and(side.locator(":focus")).waitFor();
    await journey.page.keyboard.type("128k");
    await journey.page.keyboard.press("Enter");
    await side.getByRole("figure", { name: /^YaRN, Frequencies, 64 pairs$/ }).waitFor();
    await side.locator("pre").filter({ hasText: '"factor": 4' }).waitFor();
    await journey.screenshot("side-plan");
    await side.getByRole("button", { name: "Compare in Panel" }).press("Enter");
    await journey.settled(journey.webview().getByRole("figure").first());
    await journey.screenshot("side-plan-panel");
    await journey.page.keyboard.press("Control+w");
    await side.getByRole("button", { name: "Write to config" }).press("Enter");
    await side.getByRole("status").filter({ hasText: "Written to mistral-7b-v0.3 / config.json" }).waitFor();
    await line('"rope_type": "yarn"').waitFor();
    await line('"original_max_position_embeddings": 32768').waitFor();
    await line('"max_position_embeddings": 131072').waitFor();
    await line("// as it was released").waitFor();
    await side.getByRole("heading", { level: 1, name: /YaRN ×4/ }).waitFor();
    await journey.screenshot("side-plan-written");
    await journey.editor().click();
    await journey.page.keyboard.press("Control+z");
    await line('"rope_type": "yarn"').waitFor({ state: "detached" });
    await line("// as it was released").waitFor();
    await line('"max_position_embeddings": 32768').waitFor();
  });
});
