import type { Locator } from "playwright-core";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { Journey } from "./harness.ts";

let journey: Journey;

beforeAll(async () => {
  // Nothing stays unsaved, so that closing an editor asks nothing.
  journey = await Journey.start({ settings: { "files.autoSave": "afterDelay", "files.autoSaveDelay": 100 } });
});
afterAll(() => journey?.end());
beforeEach(async ({ onTestFailed, task }) => {
  onTestFailed(() => journey.screenshot(`failed-${task.name.replace(/\W+/g, "-").slice(0, 40)}`));
  await journey.page.locator(".tab.dirty").waitFor({ state: "detached" });
  await journey.command("View: Close All Editors");
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

/** The number that the readout gives for a name. */
function value(name: string): Locator {
  return readout()
    .locator(".entry")
    .filter({ has: journey.page.getByText(name, { exact: true }) })
    .locator("dd");
}

/** Clicks the lens whose text matches, and waits for the picture. */
async function followLens(text: RegExp): Promise<Locator> {
  await journey.editor().locator(".codelens-decoration a").filter({ hasText: text }).first().click();
  return journey.figure();
}

/** A number as a field shows it, without the spaces that group its digits. */
async function digits(field: Locator): Promise<string> {
  return (await field.inputValue()).replace(/\s/g, "");
}

/** Replaces the text of a line of the active editor, as typing does. */
async function retype(line: number, text: string): Promise<void> {
  await journey.goTo(line);
  await journey.page.keyboard.press("End");
  await journey.page.keyboard.press("Shift+Home");
  await journey.page.keyboard.insertText(text);
}

describe("from the palette", () => {
  it("previews an encoding, and reads out a cell whose value is known", async () => {
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

describe("from a config", () => {
  it("opens the panel by its lens, and follows the base while it is typed", async () => {
    await journey.open("llama-3.1-8b/config.json");
    const figure = await followLens(/RoPE · Llama 3/);
    await journey.webview().getByRole("button", { name: "Parameters" }).click();
    const base = journey.webview().getByRole("textbox", { name: "rope_theta", exact: true });
    await expect.poll(() => digits(base)).toBe("500000");
    const before = await figure.screenshot();
    await journey.page
      .locator(".tab")
      .filter({ hasText: /^config\.json/ })
      .click();
    await retype(await lineOf("rope_theta"), '  "rope_theta": 100.0,');
    await expect.poll(() => digits(base)).toBe("100");
    await journey.settled(figure);
    expect((await figure.screenshot()).equals(before)).toBe(false);
    await journey.screenshot("config-edited");
  });

  it("keeps the picture while the text cannot be read, and says why", async () => {
    await journey.open("mistral-7b-v0.3/config.json");
    const figure = await followLens(/RoPE/);
    await retype(await lineOf("rope_theta"), '  "rope_theta": ');
    const alert = journey.webview().getByRole("alert");
    await alert.filter({ hasText: /mistral-7b-v0\.3 \/ config\.json:\d+/ }).waitFor();
    expect(await figure.isVisible()).toBe(true);
    await journey.screenshot("config-unreadable");
    await retype(await lineOf("rope_theta"), '  "rope_theta": 1000000.0,');
    await alert.waitFor({ state: "detached" });
  });

  it("says what is wrong with a config that is cut off, at its place", async () => {
    await journey.open("cut-off/config.json");
    await journey.editor().locator(".squiggly-error").first().waitFor();
    await journey.command("Problems: Focus on Problems View");
    const problems = journey.page.locator(".markers-panel .monaco-list-row");
    await problems.filter({ hasText: "posenc" }).first().waitFor();
    await journey.screenshot("config-cut-off");
    await journey.page.keyboard.press("Control+j");
    await problems.first().waitFor({ state: "hidden" });
  });
});

/** Line (from 1) of the active editor that holds a text on screen. */
async function lineOf(text: string): Promise<number> {
  const lines = await journey.editor().evaluate((editor) => {
    const numbers = [...editor.querySelectorAll<HTMLElement>(".margin-view-overlays > div")];
    const rows = [...editor.querySelectorAll<HTMLElement>(".view-lines > .view-line")];
    const at = (element: HTMLElement) => Number.parseFloat(element.style.top);
    return rows.map((row) => {
      const number = numbers.find((candidate) => at(candidate) === at(row))?.textContent ?? "";
      return { number: Number(number), text: row.textContent ?? "" };
    });
  });
  const line = lines.find((candidate) => candidate.text.includes(text));
  if (line === undefined) throw new Error(`no line on screen holds ${text}`);
  return line.number;
}

describe("from code", () => {
  it("explains a token with its formula as a picture, whose link opens the panel with these values", async () => {
    await journey.open("model.py");
    const hover = await journey.hover("inv_freq", { line: 63 });
    await hover.getByText("RoPE").first().waitFor();
    const formula = hover.locator('img[src^="data:image/svg+xml;base64,"]').first();
    await expect
      .poll(() => formula.evaluate((image: HTMLImageElement) => image.complete && image.naturalWidth))
      .toBeGreaterThan(0);
    await journey.screenshot("hover");
    await hover.getByText("Open in Panel").click();
    await journey.figure();
    await journey.page.mouse.move(0, 0);
    await hover.waitFor({ state: "hidden" });
    await journey.screenshot("hover-to-panel");
  });
});

describe("a panel", () => {
  it("comes back as it was left, from behind another editor and from a reload of the window", async () => {
    await journey.command("Position Encodings: Preview Encoding…");
    await journey.pick("ALiBi");
    await journey.figure();
    await goTo(10, 7);
    await journey.open("model.py");
    await journey.page.locator(".tab").filter({ hasText: "ALiBi" }).click();
    await expect.poll(() => value("query i").textContent()).toBe("10");
    await journey.reload('"row":10,"column":7');
    await journey.page.locator(".tab").filter({ hasText: "ALiBi" }).click();
    await expect.poll(() => value("query i").textContent()).toBe("10");
    expect(await value("logit").textContent()).toBe("6.5");
    await journey.figure();
  });
});

describe("from a notebook", () => {
  it("explains a cell", async () => {
    await journey.open("experiments.ipynb");
    const cell = journey.page
      .locator(".notebookOverlay .monaco-editor")
      .filter({ hasText: "RotaryEmbedding(" })
      .first();
    // By keyboard: the cursor stands at the start of the cell, and cells move while the others are drawn.
    await cell.locator("textarea").focus();
    await journey.page.keyboard.press("Control+k");
    await journey.page.keyboard.press("Control+i");
    const hover = journey.page.locator(".monaco-hover:visible").filter({ hasText: "RoPE" }).first();
    await hover.locator('img[src^="data:image/svg+xml;base64,"]').first().waitFor();
    await journey.screenshot("hover-notebook");
  });
});
