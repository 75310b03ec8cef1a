import { readFile } from "node:fs/promises";
import path from "node:path";
import type { Locator } from "playwright-core";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { root } from "../../scripts/lib/bundles.ts";
import { Journey } from "./harness.ts";

const folder = path.join(root, "test/fixtures/code");
let journey: Journey;
let code: string;

beforeAll(async () => {
  code = await readFile(path.join(folder, "attention.py"), "utf8");
  journey = await Journey.start({ folder, settings: { "workbench.reduceMotion": "on" } });
});
afterAll(() => journey?.end());
beforeEach(async ({ onTestFailed, task }) => {
  onTestFailed(() => journey.screenshot(`failed-${task.name.replace(/\W+/g, "-").slice(0, 40)}`));
  await journey.command("View: Close All Editors");
});

/** Puts the cursor into a word of a text. */
async function goToWord(text: string, word: string): Promise<void> {
  const before = text.slice(0, text.indexOf(word)).split("\n");
  await journey.goTo(before.length, (before.at(-1)?.length ?? 0) + 2);
}

/** The hover at the cursor, by keyboard. */
async function showHover(): Promise<Locator> {
  await journey.page.keyboard.press("Control+k");
  await journey.page.keyboard.press("Control+i");
  return journey.shownHover();
}

const shown = async (hover: Locator) => ((await hover.textContent()) ?? "").replace(/[\s\u202f\u00a0]+/g, " ");

describe("in a Python file", () => {
  it.each([
    ["inv_freq", /RoPE.*250 000.*96/],
    ["rotate_half(x)", /RoPE.*half-split/],
    ["rotate_every_two", /RoPE.*interleaved/],
    ["get_slopes", /ALiBi.*12/],
    ["relative_position_bucket", /T5.*48.*200/],
  ])("the hover on %s has the values of this file", async (word, expected) => {
    await journey.open("attention.py");
    await goToWord(code, word);
    const hover = await showHover();
    // Beside a problem of the same place the explanation comes a moment later.
    await expect.poll(() => shown(hover)).toMatch(expected);
    await journey.screenshot(`code-hover-${word.replace(/\W.*/, "")}`);
  });
});

describe("in a notebook", () => {
  it("a cell knows the base of an earlier one", async () => {
    await journey.open("cells.ipynb");
    const cell = journey.page.locator(".notebookOverlay .monaco-editor").filter({ hasText: "inv_freq =" }).first();
    // By keyboard: the cursor stands at the start of the cell, and cells move while the others are drawn.
    await cell.locator("textarea").focus();
    const hover = await showHover();
    expect(await shown(hover)).toMatch(/RoPE.*777 000.*80/);
    await journey.screenshot("code-hover-cell");
  });
});

describe("problems of code", () => {
  it("are in the editor and in the list, with the first position that collides", async () => {
    await journey.open("attention.py");
    await goToWord(code, "torch.arange(length");
    await journey.editor().locator(".squiggly-warning").first().waitFor();
    await journey.command("View: Focus Problems");
    const rows = journey.page.locator(".markers-panel .monaco-list-row");
    await rows.filter({ hasText: "257 rounds to 256" }).waitFor();
    await rows.filter({ hasText: "rotate_every_two is interleaved" }).waitFor();
    await rows.filter({ hasText: "If rope_theta is missing, this code silently falls back to 10000" }).waitFor();
    await journey.screenshot("code-problems");
    await journey.command("View: Toggle Panel Visibility");
  });
});

describe("without a mouse", () => {
  it("the code action shows the hover and puts the keyboard into it", async () => {
    await journey.open("attention.py");
    await goToWord(code, "get_slopes");
    await journey.page.keyboard.press("Control+.");
    const action = journey.page.locator(".action-widget:visible .monaco-list-row.focused");
    await action.filter({ hasText: "Explain position encoding" }).waitFor();
    await journey.screenshot("code-action");
    await journey.page.keyboard.press("Enter");
    const hover = journey.page.locator(".monaco-hover:visible").filter({ hasText: "ALiBi" }).first();
    await hover.waitFor();
    const inHover = () => journey.page.evaluate(() => document.activeElement?.closest(".monaco-hover") !== null);
    await expect.poll(inHover).toBe(true);
    await journey.page.keyboard.press("Escape");
    await hover.waitFor({ state: "hidden" });
  });
});

describe("outside of Python files", () => {
  it("a fence and a formula of Markdown are explained", async () => {
    await journey.open("notes.md");
    const text = await readFile(path.join(folder, "notes.md"), "utf8");
    await goToWord(text, "inv_freq");
    expect(await shown(await showHover())).toMatch(/RoPE.*640 000.*128/);
    await journey.screenshot("code-hover-fence");
    await journey.page.keyboard.press("Escape");
    await goToWord(text, "10000");
    expect(await shown(await showHover())).toMatch(/RoPE.*10 000/);
  });

  it("a formula of TeX is explained", async () => {
    await journey.open("paper.tex");
    await goToWord(await readFile(path.join(folder, "paper.tex"), "utf8"), "\\sin(pos");
    expect(await shown(await showHover())).toMatch(/[Ss]inusoid/);
    await journey.screenshot("code-hover-tex");
  });
});

describe("settings", () => {
  /** The user's settings, as the editor of settings.json changes them. */
  async function choose(name: string, value: string): Promise<void> {
    await journey.command("Preferences: Open Settings (UI)");
    const editor = journey.page.locator(".settings-editor");
    await editor.locator(".settings-header .monaco-editor textarea").first().focus();
    await journey.page.keyboard.press("Control+a");
    await journey.page.keyboard.insertText(`@id:${name}`);
    const control = editor.locator(`[data-key="${name}"]`);
    await control.waitFor();
    if (value === "on") await control.getByRole("checkbox").click();
    else await control.locator("select").selectOption({ label: value });
    await journey.command("View: Close All Editors");
  }

  it("put lenses above functions", async () => {
    await choose("posenc.python.codeLens", "on");
    await journey.open("attention.py");
    await journey.goTo(1);
    const lens = journey.editor().locator(".codelens-decoration a").filter({ hasText: "RoPE — position encoding" });
    await lens.first().waitFor();
    await journey.screenshot("code-lenses");
    await lens.first().click();
    expect(await (await journey.figure()).getAttribute("aria-label")).toMatch(/RoPE/);
  });

  it("shorten hovers and switch them off", async () => {
    const lengths: number[] = [];
    for (const sections of ["full", "compact"]) {
      await choose("posenc.hover.sections", sections);
      await journey.open("attention.py");
      await goToWord(code, "inv_freq");
      lengths.push((await shown(await showHover())).length);
      await journey.screenshot(`code-hover-${sections}`);
      await journey.page.keyboard.press("Escape");
      await journey.command("View: Close All Editors");
    }
    const [full = 0, compact = 0] = lengths;
    expect(compact).toBeGreaterThan(20);
    expect(compact).toBeLessThan(full);
    await choose("posenc.hover.sections", "off");
    await journey.open("attention.py");
    await goToWord(code, "torch.arange(length");
    await journey.page.locator(".squiggly-warning").first().waitFor();
    // Another hover shows that hovers are there: that of the problem.
    expect(await shown(await showHover())).not.toMatch(/RoPE/);
  });
});

it("no error was logged in all this", () => {
  expect(journey.errors.filter((error) => /posenc/i.test(error))).toEqual([]);
});
