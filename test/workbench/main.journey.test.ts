import type { Locator } from "playwright-core";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { clickFor } from "../../scripts/lib/workbench/driver/delivery.ts";
import { frontTab } from "../../scripts/lib/workbench/driver/rows.ts";
import { Journey } from "../../scripts/lib/workbench/journey.ts";

let journey: Journey;

beforeAll(async () => {
  journey = await Journey.start();
});
afterAll(() => journey?.end());
beforeEach(async ({ onTestFailed, task }) => {
  onTestFailed(() => journey.screenshot(`failed-${task.name.replace(/\W+/g, "-").slice(0, 40)}`));
  await journey.closeEditors();
});

const readout = () => journey.webview().getByRole("status", { name: "Readout" });

/** Puts the crosshair on a cell, by its row and column. */
async function goTo(row: number, column: number): Promise<void> {
  const panel = journey.webview();
  await panel.getByRole("textbox", { name: "Go to row" }).fill(String(row));
  await expect.poll(() => value("query i").textContent()).toBe(String(row));
  await panel.getByRole("textbox", { name: "Go to column" }).fill(String(column));
  await expect.poll(() => value("key j").textContent()).toBe(String(column));
}

/** The number in the readout under a label. */
function value(name: string): Locator {
  return readout()
    .locator(".entry")
    .filter({ has: journey.page.getByText(name, { exact: true }) })
    .locator("dd");
}

/** Clicks the lens whose text matches, and waits for the picture. */
async function followLens(text: RegExp): Promise<Locator> {
  await clickFor(journey.editor.lens(text), journey.webview().getByRole("figure").first());
  return journey.figure();
}

/** A number as a field shows it, without the spaces that group its digits. */
async function digits(field: Locator): Promise<string> {
  return (await field.inputValue()).replace(/\s/g, "");
}

describe("From the palette to the panel", () => {
  it("Preview Encoding finds RoPE's own variant first for a scaling type", async () => {
    await journey.command("Position Encodings: Preview Encoding…");
    await journey.quickInput.search("yarn");
    await expect.poll(() => journey.picks().first().textContent()).toContain("YaRN · RoPE");
    await journey.page.keyboard.press("Escape");
  });

  it("Preview Encoding draws an encoding, and the readout of a cell shows the known value", async () => {
    await journey.command("Position Encodings: Preview Encoding…");
    await journey.picks().first().waitFor();
    await journey.screenshot("pick-encoding");
    await journey.pick("ALiBi");
    const figure = await journey.figure();
    expect(await figure.getAttribute("aria-label")).toMatch(/ALiBi.*Scores.*512 × 512/);
    await goTo(10, 7);
    // Content of ones, head_dim 64: q · k / √64 = 8. Slope of head 0 of 8: 1/2. Distance 3.
    expect(await value("logit").textContent()).toBe("6.5");
    await journey.screenshot("alibi-readout");
  });
});

describe("From a config to the panel", () => {
  it("The lens of a config opens the panel, which follows rope_theta while typing", async () => {
    await journey.open("llama-3.1-8b/config.json");
    const figure = await followLens(/RoPE · Llama 3/);
    await journey.webview().getByRole("button", { name: "Parameters" }).click();
    const base = journey.webview().getByRole("textbox", { name: "rope_theta", exact: true });
    await expect.poll(() => digits(base)).toBe("500000");
    const before = await figure.screenshot();
    await frontTab(journey.page, /^config\.json/);
    const { line } = await journey.placeOf("llama-3.1-8b/config.json", '"rope_theta"');
    await journey.editor.retype(line, '  "rope_theta": 100.0,');
    await expect.poll(() => digits(base)).toBe("100");
    await journey.settled(figure);
    expect((await figure.screenshot()).equals(before)).toBe(false);
    await journey.screenshot("config-edited");
  });

  it("The panel keeps its picture while the config cannot be parsed, and reports the position", async () => {
    await journey.open("mistral-7b-v0.3/config.json");
    const figure = await followLens(/RoPE/);
    const { line } = await journey.placeOf("mistral-7b-v0.3/config.json", '"rope_theta"');
    await journey.editor.retype(line, '  "rope_theta": ');
    const alert = journey.webview().getByRole("alert");
    await alert.filter({ hasText: /mistral-7b-v0\.3 \/ config\.json:\d+/ }).waitFor();
    expect(await figure.isVisible()).toBe(true);
    await journey.screenshot("config-unreadable");
    await journey.editor.retype(line, '  "rope_theta": 1000000.0,');
    await alert.waitFor({ state: "detached" });
  });

  it("A truncated config is reported at its place in the editor and in the Problems view", async () => {
    await journey.open("cut-off/config.json");
    await journey.editor.root.locator(".squiggly-error").first().waitFor();
    await journey.command("Problems: Focus on Problems View");
    const problems = journey.page.locator(".markers-panel .monaco-list-row");
    await problems.filter({ hasText: "posenc" }).first().waitFor();
    await journey.screenshot("config-cut-off");
    await journey.command("View: Hide Panel");
    await problems.first().waitFor({ state: "hidden" });
  });
});

describe("From code to the panel", () => {
  it("A hover on a token shows its formula as a picture, and its link opens the panel with these values", async () => {
    await journey.open("model.py");
    const at = { line: 63, says: "RoPE" };
    const hover = await journey.editor.hover("inv_freq", at);
    const formula = hover.locator('img[src^="data:image/svg+xml;base64,"]').first();
    await expect
      .poll(() => formula.evaluate((image: HTMLImageElement) => image.complete && image.naturalWidth))
      .toBeGreaterThan(0);
    await journey.screenshot("hover");
    await journey.editor.followHover("inv_freq", at, "Open in Panel", journey.webview().getByRole("figure").first());
    await journey.figure();
    await journey.page.mouse.move(0, 0);
    await hover.waitFor({ state: "hidden" });
    await journey.screenshot("hover-to-panel");
  });

  it("A hover on a notebook cell shows its formula as a picture", async () => {
    await journey.open("experiments.ipynb");
    const cell = journey.page
      .locator(".notebookOverlay .monaco-editor")
      .filter({ hasText: "RotaryEmbedding(" })
      .first();
    // By keyboard, because cells move while others are rendered; the cursor is at the start of the cell.
    const hover = await journey.editor.showHover("RoPE", cell.locator("textarea"));
    await hover.locator('img[src^="data:image/svg+xml;base64,"]').first().waitFor();
    await journey.screenshot("hover-notebook");
  });
});

describe("A hidden panel", () => {
  it("The panel is restored after another editor covered it and after a reload of the window", async () => {
    await journey.command("Position Encodings: Preview Encoding…");
    await journey.pick("ALiBi");
    await journey.figure();
    await goTo(10, 7);
    await journey.open("model.py");
    await frontTab(journey.page, "ALiBi");
    await expect.poll(() => value("query i").textContent()).toBe("10");
    await journey.reload('"row":10,"column":7');
    await frontTab(journey.page, "ALiBi");
    await expect.poll(() => value("query i").textContent()).toBe("10");
    expect(await value("logit").textContent()).toBe("6.5");
    await journey.figure();
  });
});
