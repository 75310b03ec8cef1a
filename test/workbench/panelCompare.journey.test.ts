import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { Journey } from "./harness.ts";

let journey: Journey;

beforeAll(async () => {
  journey = await Journey.start({ width: 1600 });
});
afterAll(() => journey?.end());
beforeEach(async ({ onTestFailed, task }) => {
  onTestFailed(() => journey.screenshot(`failed-${task.name.replace(/\W+/g, "-").slice(0, 40)}`));
  await journey.command("View: Close All Editors");
});

const press = (keys: string) => journey.page.keyboard.press(keys);
const readout = () => journey.webview().getByRole("status", { name: "Readout" });
const pane = (name: string) => journey.webview().getByRole("region", { name, exact: true });

/** All three pictures are computed. */
async function drawn(): Promise<void> {
  for (const name of ["side A", "side B", "A − B"]) await journey.settled(pane(name).getByRole("figure"));
}

describe("Compare Position Encodings", () => {
  it("draws the open config, another one and their difference, and follows what is typed", async () => {
    await journey.open("llama-3.1-8b/config.json");
    await journey.command("Position Encodings: Compare Position Encodings…");
    await journey.pick("mistral-7b-v0.3 / config.json");
    await drawn();
    expect(await pane("side A").textContent()).toMatch(/Llama 3.*llama-3\.1-8b \/ config\.json/s);
    expect(await pane("side B").textContent()).toContain("mistral-7b-v0.3 / config.json");
    const differing = journey.webview().getByRole("region", { name: "Parameter differences" });
    await expect.poll(() => differing.textContent()).toMatch(/rope_theta\s*500.000\s*1.000.000/);
    await journey.screenshot("compare-configs");
    const difference = pane("A − B").getByRole("application");
    const before = await difference.screenshot();
    await difference.focus();
    await press("Home");
    await expect.poll(() => readout().textContent()).toMatch(/key j\s*0/);
    await press("+");
    await expect.poll(async () => (await difference.screenshot()).equals(before)).toBe(false);
  });

  it("takes side B from the clipboard, and says what is missing for a commit", async () => {
    await journey.open("llama-3.1-8b/config.json");
    await journey.page.evaluate(() => navigator.clipboard.writeText('{"model_type": "llama", "rope_theta": 12345.0}'));
    await journey.command("Position Encodings: Compare Position Encodings with Clipboard");
    await drawn();
    expect(await pane("side B").textContent()).toContain("clipboard");
    await journey.screenshot("compare-clipboard");
    const tab = journey.page.locator(".tab").filter({ hasText: "llama-3.1-8b / config.json" });
    await journey.open("model.py");
    await journey.reload("12345");
    await tab.click();
    await drawn();
    const kept = journey.webview().getByRole("region", { name: "Parameter differences" });
    await expect.poll(() => kept.textContent()).toMatch(/rope_theta\s*500.000\s*12.345/);
    await journey.command("View: Close All Editors");
    await journey.open("llama-3.1-8b/config.json");
    await journey.command("Position Encodings: Compare Position Encodings with Last Commit");
    // The workbench of these tests runs in a browser, where VS Code has no git.
    await journey.page.getByText("Git is not available, so the last commit").first().waitFor();
    await press("Escape");
  });
});

describe("with the keyboard alone", () => {
  it("leads from the palette to the readout of a cell, through parameters, and back by undo", async () => {
    await press("F1");
    await journey.page.keyboard.type("Position Encodings: Preview Encoding");
    await press("Enter");
    await journey.picks().first().waitFor();
    await journey.page.keyboard.type("ALiBi");
    await journey.picks().filter({ hasText: "ALiBi" }).first().waitFor();
    await press("Enter");
    const figure = await journey.figure();
    const focus = () =>
      journey
        .webview()
        .locator(":focus")
        .first()
        .evaluate((element) => `${element.getAttribute("role")} ${element.getAttribute("aria-label")}`);
    // The header, the tabs, the parameters, the figure.
    for (let n = 0; n < 4; n++) await press("F6");
    await expect.poll(focus).toMatch(/^application ALiBi/);
    await press("Control+Home");
    await expect.poll(() => readout().textContent()).toMatch(/query i\s*0\s*key j\s*0/);
    for (let n = 0; n < 3; n++) await press("ArrowDown");
    await expect.poll(() => readout().textContent()).toMatch(/query i\s*3.*distance i − j\s*3.*logit\s*6\.5/s);
    await press("Shift+F6");
    await expect.poll(focus).toMatch(/^combobox Encoding/);
    await journey.page.keyboard.type("llama 3.1");
    await press("Enter");
    await expect.poll(() => figure.getAttribute("aria-label")).toMatch(/^RoPE.*\(llama3\)/);
    await journey.screenshot("keyboard-only");
    await press("F6");
    await expect.poll(focus).toMatch(/^application RoPE/);
    await press("Control+z");
    await expect.poll(() => figure.getAttribute("aria-label")).toMatch(/^ALiBi/);
    await press("F6");
    await expect.poll(() => journey.webview().locator("aside:focus").count()).toBe(1);
  });
});

describe("a theme that is switched", () => {
  it("recolours the open panel at once, which keeps its place", async () => {
    await journey.command("Position Encodings: Preview Encoding…");
    await journey.pick("ALiBi");
    const figure = await journey.figure();
    const plot = figure.getByRole("application");
    await plot.focus();
    await press("Control+Home");
    await expect.poll(() => readout().textContent()).toMatch(/query i\s*0/);
    await journey.settled(figure);
    const dark = await plot.screenshot();
    const background = () =>
      journey
        .webview()
        .locator("body")
        .evaluate((body) => getComputedStyle(body).backgroundColor);
    const before = await background();
    await journey.command("Preferences: Color Theme");
    await journey.pick("Light Modern");
    await expect.poll(() => journey.webview().locator("body").getAttribute("class")).toContain("vscode-light");
    await expect.poll(async () => (await background()) === before).toBe(false);
    await expect.poll(async () => (await plot.screenshot()).equals(dark)).toBe(false);
    expect(await readout().textContent()).toMatch(/query i\s*0\s*key j\s*0/);
    await journey.screenshot("theme-switched");
    await journey.command("Preferences: Color Theme");
    await journey.pick("Dark Modern");
    await expect.poll(() => journey.webview().locator("body").getAttribute("class")).toContain("vscode-dark");
  });
});
