import { describe, expect, it } from "vitest";
import { Panel } from "../../../scripts/lib/pages/panelPage.ts";
import { initialPanelState, type PanelState } from "../../../src/core/protocol/state.ts";
import { eventually, usePage } from "../support/usePage.ts";

const panel = usePage(new Panel(), "webview");

/** Words that are not in the example get their vectors by their letters, of which one is made to throw. */
const EXAMPLE: PanelState = { ...initialPanelState("rope"), view: "example", tokens: ["ζ", "swim"] };

const failure = () => panel.page.getByRole("alert").filter({ hasText: "This view cannot be drawn" });
const reset = () => panel.page.getByRole("button", { name: "Reset", exact: true });
const breakWords = () =>
  panel.page.evaluate(() => {
    const original = String.prototype.codePointAt;
    String.prototype.codePointAt = function codePointAt(this: string, position: number) {
      if (this[0] === "ζ") throw new Error("broken on purpose");
      return original.call(this, position);
    };
  });

describe("an exception in a view", () => {
  it("ends in that view's message; the other views and Reset still work", async () => {
    await panel.open({ state: { ...EXAMPLE, view: "frequencies" } });
    await eventually(() => panel.page.locator(".stage").textContent()).not.toBe("");
    await breakWords();
    await panel.page.getByRole("tab", { name: "Example" }).click();
    await eventually(() => failure().textContent()).toMatch(/broken on purpose/);
    await panel.page.getByRole("tab", { name: "Frequencies" }).click();
    await eventually(() => failure().count()).toBe(0);
    await panel.page.getByRole("tab", { name: "Example" }).click();
    await reset().click();
    await eventually(() => panel.page.locator(".example .cards").count()).toBe(1);
    expect(await failure().count()).toBe(0);
  });
});

describe("a value that a learned table refuses", () => {
  it("is shown at its control, and the page stays", async () => {
    const changes = { max_position_embeddings: 1e9 };
    await panel.open({ state: { ...initialPanelState("learned_absolute"), changes } });
    await eventually(() => panel.page.locator(".problem").allInnerTexts()).toEqual([
      expect.stringMatching(/at most 10000000/),
    ]);
    expect(await panel.page.locator(".stage").textContent()).toMatch(/Fix or reset the highlighted parameters/);
  });
});
