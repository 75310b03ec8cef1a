import type { Locator } from "playwright-core";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { Journey } from "./harness.ts";

let journey: Journey;

beforeAll(async () => {
  journey = await Journey.start();
});
afterAll(() => journey?.end());
beforeEach(() => journey.command("View: Close All Editors"));

const readout = () => journey.webview().getByRole("status", { name: "Readout" });

/** Puts the crosshair on a cell with the keyboard alone. */
async function moveTo(row: number, column: number): Promise<void> {
  const matrix = journey.webview().getByRole("application").first();
  await matrix.focus();
  await matrix.press("Control+Home");
  for (let n = 0; n < row; n++) await matrix.press("ArrowDown");
  for (let n = 0; n < column; n++) await matrix.press("ArrowRight");
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
    await moveTo(10, 7);
    // Content of ones, head_dim 64: q · k / √64 = 8. Slope of head 0 of 8: 1/2. Distance 3.
    await expect.poll(() => value("logit").textContent()).toBe("6.5");
    await journey.screenshot("alibi-readout");
  });
});

describe("from a config", () => {
  it("opens the panel by its lens, and follows the base while it is typed", async () => {
    await journey.open("llama-3.1-8b/config.json");
    const figure = await followLens(/RoPE · Llama 3/);
    const base = journey.webview().getByRole("textbox", { name: "rope_theta" });
    await expect.poll(() => base.inputValue()).toBe("500 000");
    const before = await figure.screenshot();
    await retype(await lineOf("rope_theta"), '  "rope_theta": 100.0,');
    await expect.poll(() => base.inputValue()).toBe("100");
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
    const hover = await journey.hover("inv_freq");
    await hover.getByText("RoPE").first().waitFor();
    const formula = hover.locator('img[src^="data:image/svg+xml;base64,"]').first();
    await expect
      .poll(() => formula.evaluate((image: HTMLImageElement) => image.complete && image.naturalWidth))
      .toBeGreaterThan(0);
    await journey.screenshot("hover");
    await hover.getByText("Open in panel").click();
    await journey.figure();
    await journey.screenshot("hover-to-panel");
  });
});
