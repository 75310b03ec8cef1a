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
    await side.getByRole("alert").filter({ hasText: "last readable state" }).waitFor();
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
    await side.getByText("Shown last: my-finetune / config.json").waitFor();
    await side.getByRole("button", { name: "Back to it" }).click();
    await side.getByText("Shown last:").waitFor({ state: "detached" });
    expect(await line('"rope_scaling"').count()).toBe(1);
  });
});

describe.each(["light", "hc-black", "hc-light"] as const)("in the theme %s", (theme) => {
  let journey: Journey | undefined;
  afterAll(() => journey?.end());

  test("the side view can be read", async () => {
    journey = await Journey.start({ theme });
    const side = await openSide(journey);
    await journey.open("gemma-3-4b/config.json");
    await side.locator('[role="figure"][aria-busy="false"]').waitFor();
    const map = await side.locator("canvas").getAttribute("data-map");
    expect(map).toBe(theme === "hc-black" ? "viridis" : "viridisReversed");
    await journey.screenshot(`side-${theme}`);
  });
});
