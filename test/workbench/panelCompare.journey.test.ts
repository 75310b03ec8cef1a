import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { attempt } from "../../scripts/lib/workbench/driver/attempts.ts";
import { deliverKeys, pressIn, typeIn } from "../../scripts/lib/workbench/driver/delivery.ts";
import { frontTab } from "../../scripts/lib/workbench/driver/rows.ts";
import { Journey } from "../../scripts/lib/workbench/journey.ts";

let journey: Journey;

beforeAll(async () => {
  journey = await Journey.start({ width: 1600 });
});
afterAll(() => journey?.end());
beforeEach(async ({ onTestFailed, task }) => {
  onTestFailed(() => journey.screenshot(`failed-${task.name.replace(/\W+/g, "-").slice(0, 40)}`));
  await journey.closeEditors();
});

/** Presses keys in the page of the panel, once it has the focus. */
const press = (keys: string) => attempt(`press ${keys}`, () => deliverKeys(journey.webview().locator("html"), keys));
const readout = () => journey.webview().getByRole("status", { name: "Readout" });
const pane = (name: string) => journey.webview().getByRole("region", { name, exact: true });

async function chooseTheme(name: string): Promise<void> {
  await journey.command("Preferences: Color Theme");
  await journey.pick(name);
}

/** All three pictures are computed. */
async function drawn(): Promise<void> {
  for (const name of ["side A", "side B", "A − B"]) await journey.settled(pane(name).getByRole("figure"));
}

describe("Compare Position Encodings", () => {
  it("Compare draws the open config, another one and their difference, which zooms by keyboard", async () => {
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
    await pressIn(difference, "Home");
    await expect.poll(() => readout().textContent()).toMatch(/key j\s*0/);
    await pressIn(difference, "+");
    await expect.poll(async () => (await difference.screenshot()).equals(before)).toBe(false);
  });

  it("Compare takes side B from the clipboard, keeps it through a reload, and reports a missing commit", async () => {
    await journey.open("llama-3.1-8b/config.json");
    await journey.page.evaluate(() => navigator.clipboard.writeText('{"model_type": "llama", "rope_theta": 12345.0}'));
    await journey.command("Position Encodings: Compare Position Encodings with Clipboard");
    await drawn();
    expect(await pane("side B").textContent()).toContain("clipboard");
    await journey.screenshot("compare-clipboard");
    await journey.open("model.py");
    await journey.reload("12345");
    await frontTab(journey.page, "llama-3.1-8b / config.json");
    await drawn();
    const kept = journey.webview().getByRole("region", { name: "Parameter differences" });
    await expect.poll(() => kept.textContent()).toMatch(/rope_theta\s*500.000\s*12.345/);
    await journey.closeEditors();
    await journey.open("llama-3.1-8b/config.json");
    await journey.command("Position Encodings: Compare Position Encodings with Last Commit");
    // The workbench of these tests runs in a browser, where VS Code has no git.
    await journey.page.getByText("Git is not available, so").first().waitFor();
  });
});

describe("The panel by keyboard", () => {
  it("The keyboard alone reaches the panel, the readout of a cell, another encoding and undo", async () => {
    await journey.command("Position Encodings: Preview Encoding…");
    await journey.pick("ALiBi");
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
    await typeIn(journey.webview().locator(":focus"), "llama 3.1");
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

describe("A theme change", () => {
  it("The open panel applies the colours of a new theme immediately and keeps its place", async () => {
    await journey.command("Position Encodings: Preview Encoding…");
    await journey.pick("ALiBi");
    const figure = await journey.figure();
    const plot = figure.getByRole("application");
    await pressIn(plot, "Control+Home");
    await expect.poll(() => readout().textContent()).toMatch(/query i\s*0/);
    await journey.settled(figure);
    const dark = await plot.screenshot();
    const background = () =>
      journey
        .webview()
        .locator("body")
        .evaluate((body) => getComputedStyle(body).backgroundColor);
    const before = await background();
    await chooseTheme("Light Modern");
    await expect.poll(() => journey.webview().locator("body").getAttribute("class")).toContain("vscode-light");
    await expect.poll(async () => (await background()) === before).toBe(false);
    await expect.poll(async () => (await plot.screenshot()).equals(dark)).toBe(false);
    expect(await readout().textContent()).toMatch(/query i\s*0\s*key j\s*0/);
    await journey.screenshot("theme-switched");
    await chooseTheme("Dark Modern");
    await expect.poll(() => journey.webview().locator("body").getAttribute("class")).toContain("vscode-dark");
  });
});
