import { afterEach, describe, expect, it } from "vitest";
import { Journey, type THEMES } from "./harness.ts";

let journey: Journey;

afterEach(() => journey?.end());

/** Colour that the formula of the open hover is drawn in. */
async function ink(): Promise<string | undefined> {
  const formula = journey.page.locator('.monaco-hover:visible img[src^="data:image/svg+xml;base64,"]').first();
  const source = (await formula.getAttribute("src")) ?? "";
  const svg = Buffer.from(source.slice(source.indexOf(",") + 1), "base64").toString();
  return /fill="(#[0-9a-f]{6})"/.exec(svg)?.[1];
}

describe.each([
  ["light", "#1f1f1f"],
  ["hc-black", "#ffffff"],
  ["hc-light", "#000000"],
] satisfies [keyof typeof THEMES, string][])("in the theme %s", (theme, expected) => {
  it("hover and panel can be read", async () => {
    journey = await Journey.start({ theme });
    await journey.open("model.py");
    const hover = await journey.hover("inv_freq", { line: 63 });
    expect(await ink()).toBe(expected);
    await journey.screenshot(`hover-${theme}`);
    await hover.getByText("Open in panel").click();
    await journey.figure();
    await journey.page.mouse.move(0, 0);
    await hover.waitFor({ state: "hidden" });
    await journey.screenshot(`panel-${theme}`);
  });
});

describe("in Simplified Chinese", () => {
  it("pick, lens, hover and panel speak it", async () => {
    journey = await Journey.start({ settings: { "posenc.language": "zh-cn" } });
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
