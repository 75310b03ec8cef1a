import { describe, expect, test } from "vitest";
import { Panel } from "../../../scripts/lib/pages/panelPage.ts";
import { lessonPanelState } from "../../../src/core/learn/lessonState.ts";
import { LESSON_STEP_IDS } from "../../../src/core/learn/stepIds.ts";
import { LESSON_STEPS } from "../../../src/core/learn/steps.ts";
import { eventually, usePage } from "../support/usePage.ts";

const panel = usePage(new Panel(), "webview");

const band = () => panel.page.getByRole("region", { name: "Guided path" });
const title = () => band().getByRole("heading", { level: 2 });
const step = async () => (await panel.state()).lesson;
const next = () => band().getByRole("button", { name: "Next" });
const back = () => band().getByRole("button", { name: "Back" });

describe("the guided path", () => {
  test("goes from the first step to the last by keyboard, and each step draws its picture", async () => {
    await panel.open({ state: lessonPanelState("order") });
    await next().focus();
    for (const id of LESSON_STEP_IDS.slice(1)) {
      await panel.page.keyboard.press("Enter");
      await eventually(step).toBe(id);
      await eventually(() => title().textContent()).toBe(LESSON_STEPS[id].title.en);
      await panel.settled();
      expect(await panel.page.locator(".empty.why, .notice.error").count(), id).toBe(0);
      const { lesson, encoding, view } = await panel.state();
      expect({ lesson, encoding, view }).toEqual({
        lesson: id,
        encoding: LESSON_STEPS[id].encoding,
        view: lessonPanelState(id).view,
      });
    }
    // At the end the button keeps the focus.
    expect(await next().getAttribute("aria-disabled")).toBe("true");
    await panel.page.keyboard.press("Enter");
    expect(await next().evaluate((button) => button === document.activeElement)).toBe(true);
    await back().click();
    await eventually(step).toBe("alibi");
  });

  test("announces each step, and says what to see, what to try and where to read on", async () => {
    await panel.open({ state: lessonPanelState("t5") });
    const live = band().locator("[aria-live=polite]");
    const { see, experiment } = LESSON_STEPS.t5;
    await eventually(() => live.textContent()).toContain(see.en);
    expect(await live.textContent()).toContain(experiment.en);
    expect(await live.getByRole("link").first().getAttribute("href")).toBe("https://arxiv.org/abs/1910.10683");
  });

  test("lists all steps, shows the step's picture again, and can be left", async () => {
    await panel.open({ state: lessonPanelState("alibi") });
    await panel.chooseView("Attention");
    await eventually(async () => (await panel.state()).view).toBe("attention");
    const menu = band().getByRole("button", { name: "13 of 14" });
    await menu.click();
    expect(await panel.page.getByRole("menuitem").count()).toBe(LESSON_STEP_IDS.length + 1);
    await panel.menuItem("13. ALiBi: a penalty on distance").click();
    await eventually(async () => (await panel.state()).view).toBe("curves");
    await menu.click();
    await panel.menuItem("Leave the guided path").click();
    await eventually(step).toBeNull();
    await eventually(() => band().count()).toBe(0);
    expect((await panel.state()).view).toBe("curves");
  });

  test("goes on where it was after the window reloads", async () => {
    const saved = { ...lessonPanelState("shaw"), changes: { max_relative_position: 3 } };
    await panel.open({ saved });
    await eventually(() => title().textContent()).toBe("Shaw: only the distance counts");
    await eventually(() => panel.field("max_relative_position").inputValue()).toBe("3");
  });

  test("is a region of F6, and in Chinese", async () => {
    await panel.open({ state: lessonPanelState("rope"), language: "zh-cn" });
    await panel.page.getByRole("region", { name: "学习路径" }).waitFor();
    await panel.page.keyboard.press("F6");
    await panel.page.keyboard.press("F6");
    const inside = await panel.page.evaluate(() => document.activeElement?.closest(".lesson") !== null);
    expect(inside).toBe(true);
    expect(await panel.page.getByRole("heading", { level: 2 }).first().textContent()).toMatch(/只剩位置之差/);
  });

  test.each([360, 800])("fits %s pixels without sideways scrolling", async (width) => {
    await panel.open({ state: lessonPanelState("two_ways"), width, height: 900 });
    await panel.settled();
    expect(await panel.page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
  });
});
