import path from "node:path";
import type { Locator } from "playwright-core";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { root } from "../../scripts/lib/root.ts";
import { clickFor, insertIn, pressIn } from "../../scripts/lib/workbench/driver/delivery.ts";
import { Journey } from "../../scripts/lib/workbench/journey.ts";

const folder = path.join(root, "test/fixtures/code");
let journey: Journey;

beforeAll(async () => {
  journey = await Journey.start({ folder, settings: { "workbench.reduceMotion": "on" } });
});
afterAll(() => journey?.end());
beforeEach(async ({ onTestFailed, task }) => {
  onTestFailed(() => journey.screenshot(`failed-${task.name.replace(/\W+/g, "-").slice(0, 40)}`));
  await journey.closeEditors();
});

/** Opens a file with the cursor inside a word. */
async function openInside(file: string, word: string): Promise<void> {
  const { line, column } = await journey.placeOf(file, word);
  await journey.open(file);
  await journey.editor.goTo(line, column + 1);
}

const shown = async (hover: Locator) => ((await hover.textContent()) ?? "").replace(/[\s\u202f\u00a0]+/g, " ");

describe("Code hovers", () => {
  it.each([
    ["inv_freq", "RoPE", /RoPE.*250 000.*96/],
    ["rotate_half(x)", "RoPE", /RoPE.*half-split/],
    ["rotate_every_two", "RoPE", /RoPE.*interleaved/],
    ["get_slopes", "ALiBi", /ALiBi.*12/],
    ["relative_position_bucket", "T5", /T5.*48.*200/],
  ])("The hover on %s in a Python file explains %s with the values of this file", async (word, encoding, expected) => {
    await openInside("attention.py", word);
    // If the same place has a diagnostic, the explanation appears after it.
    const hover = await journey.editor.showHover(encoding);
    await expect.poll(() => shown(hover)).toMatch(expected);
    await journey.screenshot(`code-hover-${word.replace(/\W.*/, "")}`);
  });

  it("The hover in a notebook knows the base from an earlier cell", async () => {
    await journey.open("cells.ipynb");
    const cell = journey.page.locator(".notebookOverlay .monaco-editor").filter({ hasText: "inv_freq =" }).first();
    // By keyboard, because cells move while others are rendered; the cursor is at the start of the cell.
    const hover = await journey.editor.showHover("RoPE", cell.locator("textarea"));
    expect(await shown(hover)).toMatch(/RoPE.*777 000.*80/);
    await journey.screenshot("code-hover-cell");
  });

  it("The hover explains Python in a Markdown fence, and a formula there", async () => {
    await openInside("notes.md", "inv_freq");
    expect(await shown(await journey.editor.showHover("RoPE"))).toMatch(/RoPE.*640 000.*128/);
    await journey.screenshot("code-hover-fence");
    await openInside("notes.md", "10000");
    expect(await shown(await journey.editor.showHover(/RoPE.*10\s000/s))).toMatch(/RoPE.*10 000/);
  });

  it("The hover explains a TeX formula", async () => {
    await openInside("paper.tex", "\\sin(pos");
    expect(await shown(await journey.editor.showHover(/[Ss]inusoid/))).toMatch(/[Ss]inusoid/);
    await journey.screenshot("code-hover-tex");
  });
});

describe("Formulas of a note", () => {
  it.each([
    ["p_i W_Q W_K^\\top x_j", /position.{0,3}content|key/i, "term"],
    ["b_{i-j}", /T5/, "table"],
    ["R_{i-j} + u", /Transformer-XL/, "transformer-xl"],
    ["500000^", /500[ ,\u202f\u00a0]?000/, "base"],
    ["-\\sin m", /RoPE/, "quote"],
  ])("The hover on %s says what it is", async (place, expected, name) => {
    await openInside("derivation.md", place);
    expect(await shown(await journey.editor.showHover(expected))).toMatch(expected);
    await journey.screenshot(`note-hover-${name}`);
  });
});

describe("Code diagnostics", () => {
  it("Problems in Python code are marked and listed, with the first position that collides", async () => {
    await openInside("attention.py", "torch.arange(length");
    await journey.editor.root.locator(".squiggly-warning").first().waitFor();
    await journey.command("Problems: Focus on Problems View");
    const rows = journey.page.locator(".markers-panel .monaco-list-row");
    await rows.filter({ hasText: "257 rounds to 256" }).waitFor();
    await rows.filter({ hasText: "rotate_every_two is interleaved" }).waitFor();
    await rows.filter({ hasText: "If rope_theta is missing, this code silently falls back to 10000" }).waitFor();
    await journey.screenshot("code-problems");
    await journey.command("View: Hide Panel");
  });
});

describe("Code actions", () => {
  it("The code action Explain position encoding shows the hover with the keyboard focus in it", async () => {
    await openInside("attention.py", "get_slopes");
    const hover = journey.page.locator(".monaco-hover:visible").filter({ hasText: "ALiBi" }).first();
    await journey.editor.act("Explain position encoding", hover, () => journey.screenshot("code-action"));
    const inHover = () => journey.page.evaluate(() => document.activeElement?.closest(".monaco-hover") !== null);
    await expect.poll(inHover).toBe(true);
    await journey.page.keyboard.press("Escape");
    await hover.waitFor({ state: "hidden" });
  });
});

describe("Code settings", () => {
  /** The user's settings, as the editor of settings changes them. */
  async function choose(name: string, value: string): Promise<void> {
    await journey.command("Preferences: Open Settings (UI)");
    const editor = journey.page.locator(".settings-editor");
    const search = editor.locator(".settings-header .monaco-editor textarea").first();
    await pressIn(search, "Control+a");
    await insertIn(search, `@id:${name}`);
    const control = editor.locator(`[data-key="${name}"]`);
    await control.waitFor();
    // Once stored, it is marked as modified.
    const stored = control.and(journey.page.locator(".is-configured"));
    if (value === "on") await clickFor(control.getByRole("checkbox"), stored);
    else await control.locator("select").selectOption({ label: value });
    await stored.waitFor();
    await journey.closeEditors();
  }

  it("A setting adds lenses above functions, which open the panel", async () => {
    await choose("posenc.python.codeLens", "on");
    await journey.open("attention.py");
    await journey.editor.goTo(1);
    const lens = journey.editor.lens("RoPE — position encoding");
    await lens.waitFor();
    await journey.screenshot("code-lenses");
    await clickFor(lens, journey.webview().getByRole("figure").first());
    expect(await (await journey.figure()).getAttribute("aria-label")).toMatch(/RoPE/);
  });

  it("A setting shortens hovers, and another one switches them off", async () => {
    const lengths: number[] = [];
    for (const sections of ["full", "compact"]) {
      if (sections !== "full") await choose("posenc.hover.sections", sections);
      await openInside("attention.py", "inv_freq");
      lengths.push((await shown(await journey.editor.showHover("RoPE"))).length);
      await journey.screenshot(`code-hover-${sections}`);
      await journey.closeEditors();
    }
    const [full = 0, compact = 0] = lengths;
    expect(compact).toBeGreaterThan(20);
    expect(compact).toBeLessThan(full);
    await choose("posenc.hover.sections", "off");
    await openInside("attention.py", "torch.arange(length");
    await journey.editor.root.locator(".squiggly-warning").first().waitFor();
    // The diagnostic's hover shows that hovers work.
    expect(await shown(await journey.editor.showHover("257"))).not.toMatch(/RoPE/);
  });
});

it("The extension logs no error during the code journeys", () => {
  expect(journey.errors.filter((error) => /posenc/i.test(error))).toEqual([]);
});
