import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { clickFor } from "../../scripts/lib/workbench/driver/delivery.ts";
import { showContainer } from "../../scripts/lib/workbench/driver/rows.ts";
import { Journey, THEMES } from "../../scripts/lib/workbench/journey.ts";

let journey: Journey;

beforeAll(async () => {
  journey = await Journey.start({ theme: "light" });
});
afterAll(() => journey?.end());
beforeEach(async ({ onTestFailed, task }) => {
  onTestFailed(() => journey.screenshot(`failed-${task.name.replace(/\W+/g, "-").slice(0, 40)}`));
  await journey.closeEditors();
});

/** Colour of the formula in the open hover. */
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
] satisfies [keyof typeof THEMES, string, string][])("The theme %s", (theme, cssClass, expected) => {
  beforeAll(async () => {
    await journey.configure({ "workbench.colorTheme": THEMES[theme] });
    await journey.page.locator(`.monaco-workbench.${cssClass}`).waitFor();
  });

  it(`The hover's formula has the text colour of ${theme}, and the panel is drawn`, async () => {
    await showContainer(journey.page, "Explorer");
    await journey.open("model.py");
    const at = { line: 63, says: "RoPE" };
    const hover = await journey.editor.hover("inv_freq", at);
    expect(await ink()).toBe(expected);
    await journey.screenshot(`hover-${theme}`);
    await journey.editor.followHover("inv_freq", at, "Open in Panel", journey.webview().getByRole("figure").first());
    await journey.figure();
    await journey.page.mouse.move(0, 0);
    await hover.waitFor({ state: "hidden" });
    await journey.screenshot(`panel-${theme}`);
  });

  it(`The side view draws its matrix in the colours of ${theme}`, async () => {
    await showContainer(journey.page, "Position Encodings");
    const side = journey.webview();
    // Before it has loaded, its frame takes the focus and drops keys.
    await side.locator("main").waitFor();
    await journey.open("gemma-3-4b/config.json");
    await side.locator('[role="figure"][aria-busy="false"]').waitFor();
    const map = () => side.locator("canvas").getAttribute("data-map");
    await expect.poll(map).toBe(theme === "hc-black" ? "viridis" : "viridisReversed");
    await journey.screenshot(`side-${theme}`);
    for (const section of ["Effective values by runtime", "Plan longer context"]) {
      const details = side.locator("details").filter({ has: journey.page.locator("summary", { hasText: section }) });
      const summary = details.locator("summary");
      await clickFor(summary, details.and(side.locator("[open]")));
      await summary.evaluate((element) => element.scrollIntoView());
      await journey.screenshot(`side-${section.split(" ").at(-1)}-${theme}`);
      await clickFor(summary, details.and(side.locator(":not([open])")));
    }
  });
});

describe("In Simplified Chinese", () => {
  it("The list of encodings, the lens, the hover and the panel are in Simplified Chinese with that setting", async () => {
    await journey.configure({ "posenc.language": "zh-cn" });
    await showContainer(journey.page, "Explorer");
    await journey.open("llama-3.1-8b/config.json");
    await clickFor(journey.editor.lens(""), journey.webview().getByRole("figure").first());
    await journey.figure();
    const panel = journey.webview();
    await panel.getByRole("tab", { name: "分数" }).waitFor();
    expect(await panel.locator("html").getAttribute("lang")).toBe("zh-Hans");
    await journey.screenshot("panel-zh-cn");
    await journey.closeEditors();
    await journey.command("Position Encodings: Preview Encoding…");
    await journey.picks().filter({ hasText: "旋转" }).first().waitFor();
    await journey.screenshot("pick-encoding-zh-cn");
    await journey.quickInput.close();
    await journey.open("model.py");
    await journey.editor.hover("inv_freq", { line: 63, says: "在面板中打开" });
    await journey.screenshot("hover-zh-cn");
  });
});
