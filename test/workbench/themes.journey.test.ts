import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { Journey, THEMES } from "./harness.ts";

let journey: Journey;

beforeAll(async () => {
  journey = await Journey.start({ theme: "light" });
});
afterAll(() => journey?.end());
beforeEach(async ({ onTestFailed, task }) => {
  onTestFailed(() => journey.screenshot(`failed-${task.name.replace(/\W+/g, "-").slice(0, 40)}`));
  await journey.command("View: Close All Editors");
});

/** Brings a part of the side bar into view. */
async function showContainer(name: "Explorer" | "Position Encodings"): Promise<void> {
  const tab = journey.page.getByRole("tab", { name: new RegExp(`^${name}`) }).first();
  if ((await tab.getAttribute("aria-selected")) !== "true") await tab.click();
}

/** Colour that the formula of the open hover is drawn in. */
async function ink(): Promise<string | undefined> {
  const formula = journey.page.locator('.monaco-hover:visible img[src^="data:image/svg+xml;base64,"]').first();
  const source = (await formula.getAttribute("src")) ?? "";
  const svg = Buffer.from(source.slice(source.indexOf(",") + 1), "base64").toString();
  return /fill="(#[0-9a-f]{6})"/.exec(svg)?.[1];
}

describe.each([
  ["light", "vs", "#1f1f1f"],
  ["hc-black", "hc-black", "#ffffff"],
  ["hc-light", "hc-light", "#000000"],
] satisfies [keyof typeof THEMES, string, string][])("in the theme %s", (theme, cssClass, expected) => {
  beforeAll(async () => {
    await journey.configure({ "workbench.colorTheme": THEMES[theme] });
    await journey.page.locator(`.monaco-workbench.${cssClass}`).waitFor();
  });

  it("hover and panel can be read", async () => {
    await showContainer("Explorer");
    await journey.open("model.py");
    const hover = await journey.hover("inv_freq", { line: 63 });
    expect(await ink()).toBe(expected);
    await journey.screenshot(`hover-${theme}`);
    await hover.getByText("Open in Panel").click();
    await journey.figure();
    await journey.page.mouse.move(0, 0);
    await hover.waitFor({ state: "hidden" });
    await journey.screenshot(`panel-${theme}`);
  });

  it("the side view can be read", async () => {
    await showContainer("Position Encodings");
    const side = journey.webview();
    // Before it has loaded, its frame takes the focus and loses keys.
    await side.locator("main").waitFor();
    await journey.open("gemma-3-4b/config.json");
    await side.locator('[role="figure"][aria-busy="false"]').waitFor();
    const map = await side.locator("canvas").getAttribute("data-map");
    expect(map).toBe(theme === "hc-black" ? "viridis" : "viridisReversed");
    await journey.screenshot(`side-${theme}`);
    for (const section of ["Effective values by runtime", "Plan longer context"]) {
      const summary = side.locator("summary").filter({ hasText: section });
      await summary.click();
      await summary.evaluate((element) => element.scrollIntoView());
      await journey.screenshot(`side-${section.split(" ").at(-1)}-${theme}`);
      await summary.click();
    }
  });
});

describe("in Simplified Chinese", () => {
  it("pick, lens, hover and panel speak it", async () => {
    await journey.configure({ "posenc.language": "zh-cn" });
    await showContainer("Explorer");
    await journey.open("llama-3.1-8b/config.json");
    await journey.editor().locator(".codelens-decoration a").first().click();
    await journey.figure();
    const panel = journey.webview();
    await panel.getByRole("tab", { name: "分数" }).waitFor();
    expect(await panel.locator("html").getAttribute("lang")).toBe("zh-Hans");
    await journey.screenshot("panel-zh-cn");
    await journey.command("View: Close All Editors");
    await journey.command("Position Encodings: Preview Encoding…");
    await journey.picks().filter({ hasText: "旋转" }).first().waitFor();
    await journey.screenshot("pick-encoding-zh-cn");
    await journey.page.keyboard.press("Escape");
    await journey.open("model.py");
    const hover = await journey.hover("inv_freq", { line: 63 });
    await hover.getByText("在面板中打开").waitFor();
    await journey.screenshot("hover-zh-cn");
  });
});
