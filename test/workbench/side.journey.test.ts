import type { FrameLocator } from "playwright-core";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { clickFor, pressIn, typeIn } from "../../scripts/lib/workbench/driver/delivery.ts";
import { showContainer } from "../../scripts/lib/workbench/driver/rows.ts";
import { Journey } from "../../scripts/lib/workbench/journey.ts";

/** The side view's page: the only one while no panel is open. */
function sideOf({ page }: Journey): FrameLocator {
  const outer = page.locator("iframe.webview.ready:visible").first();
  return outer.contentFrame().locator("#active-frame").contentFrame();
}

/** Opens the view's container in the activity bar and waits for its page. */
async function openSide(journey: Journey): Promise<FrameLocator> {
  await showContainer(journey.page, "Position Encodings");
  const side = sideOf(journey);
  await side.locator("main").waitFor();
  return side;
}

describe("The side view", () => {
  let journey: Journey;
  let side: FrameLocator;
  const heading = (text: string | RegExp) =>
    side.getByRole("heading", { level: 1 }).filter({ hasText: text }).waitFor();
  const line = (text: string) => journey.editor.line(text);

  beforeAll(async () => {
    journey = await Journey.start();
    side = await openSide(journey);
  });
  afterAll(() => journey?.end());
  beforeEach(({ onTestFailed }) => onTestFailed(() => journey.screenshot("failed-side")));

  test("The side view offers to select a config before a file is open", async () => {
    await side.getByRole("button", { name: "Choose a config…" }).waitFor();
    await journey.screenshot("side-empty");
  });

  test("The side view follows the active editor from a config to another, to Python, and back", async () => {
    await journey.open("qwen2.5-7b-yarn/config.json");
    await heading("RoPE · YaRN ×4");
    await side.getByRole("figure", { name: /^RoPE · YaRN ×4.*, Scores, 192 × 192$/ }).waitFor();
    await journey.open("gemma-3-4b/config.json");
    await heading(/window 1024/);
    await side.getByRole("listbox", { name: /^Layers of text: 34/ }).waitFor();
    await side.locator('[role="figure"][aria-busy="false"]').waitFor();
    await journey.screenshot("side-config");
    await journey.open("model.py");
    await journey.editor.goTo(63, 15);
    await heading("RoPE — inverse frequencies");
    await side.getByText("at the cursor").waitFor();
    await side.locator('[role="figure"][aria-busy="false"]').waitFor();
    await journey.screenshot("side-code");
    await journey.open("qwen2.5-7b-yarn/config.json");
    await heading("RoPE · YaRN ×4");
  });

  test("The side view follows typing, and keeps the last readable state while the text cannot be parsed", async () => {
    await journey.open("llama-3.1-8b/config.json");
    await heading("θ 5e5");
    const { line: theta } = await journey.placeOf("llama-3.1-8b/config.json", '"rope_theta"');
    await journey.editor.retype(theta, '  "rope_theta": 10000.0,');
    await heading("θ 1e4");
    await journey.editor.retype(theta, '  "rope_theta": ');
    await side.getByRole("alert").filter({ hasText: "last readable version" }).waitFor();
    await heading("θ 1e4");
    await journey.editor.retype(theta, '  "rope_theta": 500000.0,');
    await heading("θ 5e5");
    await side.getByRole("alert").waitFor({ state: "detached" });
  });

  test("A click on a finding in the side view moves the cursor to its line", async () => {
    await journey.open("my-finetune/config.json");
    await heading("YaRN ×4");
    const finding = side.getByRole("region", { name: "Findings" }).getByRole("listitem").first();
    const button = finding.getByRole("button").first();
    const at = /line (\d+)$/.exec((await button.getAttribute("aria-label")) ?? "")?.[1];
    await clickFor(button, journey.page.locator(".statusbar-item").filter({ hasText: `Ln ${at}, ` }));
    await journey.screenshot("side-finding");
  });

  test("The side view keeps the last config while another file has no encoding, marks it, and links back to it", async () => {
    await journey.command("File: New Untitled Text File");
    await side.getByText("Last shown: my-finetune / config.json").waitFor();
    await clickFor(side.getByRole("button", { name: "Return to file" }), line('"rope_scaling"'));
    await side.getByText("Last shown:").waitFor({ state: "detached" });
  });
});

describe("The planner of the side view", () => {
  let journey: Journey;
  const line = (text: string) => journey.editor.line(text);

  beforeAll(async () => {
    journey = await Journey.start({ height: 1100 });
  });
  afterAll(() => journey?.end());
  beforeEach(({ onTestFailed }) => onTestFailed(() => journey.screenshot("failed-plan")));

  test("A longer context is planned and written into the config by keyboard, with comments kept and undo", async () => {
    await journey.open("mistral-7b-v0.3/config.json");
    await journey.editor.goTo(1);
    await journey.editor.press("End");
    await journey.editor.press("Enter");
    await journey.editor.type("// as it was released");
    await journey.command("Position Encodings: Plan Longer Context…");
    const side = sideOf(journey);
    const wanted = side.getByRole("textbox", { name: "target context" });
    await wanted.and(side.locator(":focus")).waitFor();
    await typeIn(wanted, "128k");
    await pressIn(wanted, "Enter");
    await side.getByRole("figure", { name: /^YaRN, Frequencies, 64 pairs$/ }).waitFor();
    await side.locator("pre").filter({ hasText: '"factor": 4' }).waitFor();
    await journey.screenshot("side-plan");
    await pressIn(side.getByRole("button", { name: "Compare in Panel" }), "Enter");
    const tabs = journey.page.locator(".tab");
    await expect.poll(() => tabs.count()).toBe(2);
    await journey.settled(journey.webview().getByRole("figure").first());
    await journey.screenshot("side-plan-panel");
    await journey.command("View: Close Editor");
    await expect.poll(() => tabs.count()).toBe(1);
    await pressIn(side.getByRole("button", { name: "Write to config" }), "Enter");
    await side.getByRole("status").filter({ hasText: "Written to mistral-7b-v0.3 / config.json" }).waitFor();
    await line('"rope_type": "yarn"').waitFor();
    await line('"original_max_position_embeddings": 32768').waitFor();
    await line('"max_position_embeddings": 131072').waitFor();
    await line("// as it was released").waitFor();
    await side.getByRole("heading", { level: 1, name: /YaRN ×4/ }).waitFor();
    await journey.screenshot("side-plan-written");
    await journey.editor.press("Control+z");
    await line('"rope_type": "yarn"').waitFor({ state: "detached" });
    await line("// as it was released").waitFor();
    await line('"max_position_embeddings": 32768').waitFor();
  });
});
