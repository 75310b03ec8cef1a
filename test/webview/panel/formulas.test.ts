import { describe, expect, test } from "vitest";
import { HOVER_FORMULAS, listFormulas } from "../../../scripts/lib/formulas.ts";
import { Panel } from "../../../scripts/lib/pages/panelPage.ts";
import { initialPanelState } from "../../../src/core/protocol/state.ts";
import { usePage } from "../support/usePage.ts";

const panel = usePage(new Panel(), "webview");

interface Fitted {
  readonly id: string;
  readonly empty: boolean;
  /** Pixels by which the formula is wider than its column. */
  readonly hidden: number;
  readonly focusable: boolean;
  readonly fontSize: number;
}

/** Lays out formulas in a column of the given width. */
function fitFormulas(width: number, ids: readonly string[]): Promise<Fitted[]> {
  return panel.page.evaluate(
    async ([columnWidth, formulaIds]) => {
      const column = document.createElement("div");
      column.style.width = `${columnWidth}px`;
      document.body.append(column);
      const elements = formulaIds.map((id) => {
        const element = document.createElement("posenc-formula");
        column.append(element);
        Object.assign(element, { formula: id });
        return { id, element };
      });
      // Observers of sizes run once per frame.
      await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
      const fitted = elements.map(({ id, element }) => ({
        id,
        empty: element.querySelector("math") === null,
        hidden: element.scrollWidth - element.clientWidth,
        focusable: element.tabIndex === 0,
        fontSize: Number.parseFloat(getComputedStyle(element).fontSize),
      }));
      column.remove();
      return fitted;
    },
    [width, ids] as const,
  );
}

describe("a typeset formula", () => {
  const ids = listFormulas().flatMap(({ id }) => (HOVER_FORMULAS.has(id) ? [] : [id]));

  test.each([226, 330, 700])(
    "is never clipped in a column of %s pixels: it wraps, or scrolls by keyboard",
    async (width) => {
      await panel.open({ state: initialPanelState("transformer_xl") });
      for (const { id, empty, hidden, focusable, fontSize } of await fitFormulas(width, ids)) {
        expect(empty, id).toBe(false);
        expect(hidden <= 1 || focusable, `${id}: ${hidden} px hidden`).toBe(true);
        expect(fontSize, id).toBeGreaterThan(10);
      }
    },
  );

  test("wraps at its operators in the panel, so that Transformer-XL's four terms are all visible", async () => {
    await panel.open({ state: initialPanelState("transformer_xl") });
    const names = [
      "transformer_xl",
      "transformer_xl_xlnet",
      "tupe",
      "tupe_relative",
      "t5_bias",
      "t5_bias_causal",
      "shaw",
    ];
    for (const { id, hidden, focusable } of await fitFormulas(226, names)) {
      expect(hidden, id).toBeLessThanOrEqual(1);
      expect(focusable, id).toBe(false);
    }
    const box = await panel.page.locator("posenc-formula").first().boundingBox();
    for (const line of await panel.page.locator("posenc-formula").first().locator("math").all()) {
      const { x = 0, width = 0 } = (await line.boundingBox()) ?? {};
      expect(x + width).toBeLessThanOrEqual((box?.x ?? 0) + (box?.width ?? 0) + 1);
    }
  });
});
