import { describe, expect, it } from "vitest";
import { Panel, type PanelSetup } from "../../../scripts/lib/pages/panelPage.ts";
import type { BoundConfig } from "../../../src/core/protocol/messages.ts";
import { initialPanelState, type PanelState } from "../../../src/core/protocol/state.ts";
import type { EncodingId } from "../../../src/core/spec.ts";
import {
  attentionWeight,
  collectRowStatistics,
  indexRange,
  logitMatrix,
  readCell,
} from "../../../src/core/terms/engine.ts";
import { derivePanelEncoding } from "../../../webview/state/panelEncoding.ts";
import { eventually, usePage } from "../support/usePage.ts";

const panel = usePage(new Panel(), "webview");

const open = (setup: PanelSetup) => panel.open(setup);

function stateOf(encoding: EncodingId, change: Partial<PanelState> = {}): PanelState {
  return { ...initialPanelState(encoding), keyLength: 64, queryLength: 64, ...change };
}

const button = (name: string) => panel.page.getByRole("button", { name, exact: true });
const press = (keys: string) => panel.page.keyboard.press(keys);
/** The toolkit's buttons reflect this attribute. */
const isOff = async (name: string) => (await button(name).getAttribute("disabled")) !== null;
/** The toolkit's buttons accept clicks after they are rendered as enabled. */
async function clickOn(name: string): Promise<void> {
  await eventually(() => isOff(name)).toBe(false);
  await button(name).click();
}

/** The focused element, also inside the toolkit's shadow roots. */
const focused = () =>
  panel.page.evaluate(() => {
    const element = document.activeElement;
    return `${element?.getAttribute("role") ?? element?.localName} ${element?.getAttribute("aria-label") ?? element?.textContent?.trim()}`;
  });

describe("undo and redo", () => {
  const theta = async () => (await panel.state())?.changes["rope_theta"] ?? null;

  it("work by keys and buttons, and keep the view that is shown", async () => {
    await open({ state: stateOf("rope") });
    await panel.field("rope_theta").fill("500");
    await eventually(theta).toBe(500);
    await panel.chooseView("Attention");
    await panel.field("length").fill("32");
    await eventually(async () => (await panel.state()).keyLength).toBe(32);
    await panel.plot.focus();
    await press("Control+z");
    await eventually(async () => (await panel.state()).keyLength).toBe(64);
    await press("Control+z");
    await eventually(theta).toBeNull();
    expect((await panel.state()).view).toBe("attention");
    await eventually(() => isOff("Undo")).toBe(true);
    await clickOn("Redo");
    await eventually(theta).toBe(500);
    await panel.plot.focus();
    await press("Control+Shift+z");
    await eventually(async () => (await panel.state()).keyLength).toBe(32);
    await press("Control+y");
    await clickOn("Undo");
    await eventually(async () => (await panel.state()).keyLength).toBe(64);
  });

  it("undo a whole drag of a slider in one step", async () => {
    await open({ state: stateOf("rope") });
    const slider = panel.page.getByRole("slider", { name: "rope_theta" });
    const box = await slider.boundingBox();
    if (box === null) throw new Error("the slider is not there");
    const y = box.y + box.height / 2;
    await panel.page.mouse.move(box.x + box.width / 3, y);
    await panel.page.mouse.down();
    for (let n = 0; n < 8; n++) await panel.page.mouse.move(box.x + box.width * (0.4 + n * 0.05), y);
    await panel.page.mouse.up();
    await eventually(theta).not.toBeNull();
    await clickOn("Undo");
    await eventually(theta).toBeNull();
    await eventually(() => isOff("Undo")).toBe(true);
  });

  it("are restored with the page after it was hidden", async () => {
    await open({ state: stateOf("rope") });
    await panel.field("rope_theta").fill("500");
    await eventually(theta).toBe(500);
    const saved: unknown = await panel.state();
    await open({ saved });
    await clickOn("Undo");
    await eventually(theta).toBeNull();
  });

  it("start over with a new state from the host", async () => {
    await open({ state: stateOf("rope") });
    await panel.field("rope_theta").fill("500");
    await eventually(theta).toBe(500);
    await panel.send({ type: "show", state: stateOf("alibi"), config: null });
    await eventually(() => isOff("Undo")).toBe(true);
  });
});

describe("the searchable list of encodings", () => {
  const field = () => panel.page.getByRole("combobox", { name: "Encoding" });
  const options = () =>
    panel.page
      .getByRole("listbox", { name: "Encoding" })
      .getByRole("option")
      .evaluateAll((list) => list.map((option) => option.getAttribute("aria-label")));

  it("finds encodings by models and aliases with the keyboard alone", async () => {
    await open({ state: stateOf("alibi") });
    await field().focus();
    await field().fill("llama");
    await eventually(options).toEqual(expect.arrayContaining(["RoPE", "Llama 2 7B", "Llama 3.1 8B"]));
    expect(await options()).not.toContain("ALiBi");
    expect(await field().getAttribute("aria-expanded")).toBe("true");
    const active = await field().getAttribute("aria-activedescendant");
    expect(await panel.page.locator(`[id="${active}"]`).textContent()).toContain("Llama 2 7B");
    await field().fill("rotary");
    await press("Enter");
    await eventually(async () => (await panel.state()).encoding).toBe("rope");
    expect(await field().getAttribute("aria-expanded")).toBe("false");
    await field().fill("no such thing");
    await panel.page.getByText("Nothing matches “no such thing”.").waitFor();
    await press("Escape");
    await eventually(() => field().inputValue()).toMatch(/^RoPE/);
  });

  it("is grouped by kind, moves by arrow keys, and closes when the focus leaves", async () => {
    await open({ state: stateOf("rope") });
    await field().click();
    const groups = panel.page.getByRole("listbox").getByRole("group");
    expect(await groups.count()).toBeGreaterThan(4);
    await press("Control+a");
    await panel.page.keyboard.type("bert");
    await press("ArrowDown");
    await press("ArrowUp");
    await press("Tab");
    await eventually(() => panel.page.getByRole("listbox").filter({ visible: true }).count()).toBe(0);
    expect((await panel.state())?.encoding ?? "rope").toBe("rope");
  });

  it("applies a known model, whose values a reset restores, and undoes it", async () => {
    await open({ state: stateOf("alibi") });
    await field().fill("llama 3.1");
    await press("Enter");
    await eventually(() => panel.page.getByRole("heading", { level: 1 }).textContent()).toMatch(/Llama 3\.1 ×8$/);
    await panel.page.getByText("as in Llama 3.1 8B").waitFor();
    await panel.field("rope_theta").fill("7");
    await button("Reset rope_theta to 500000 (config)").click();
    await eventually(() => panel.field("rope_theta").inputValue()).toMatch(/^500.000$/);
    // A reset soon after typing is part of the same step; without anything to undo, the keys have no effect.
    await panel.plot.focus();
    for (let n = 0; n < 3; n++) await press("Control+z");
    await eventually(async () => (await panel.state()).encoding).toBe("alibi");
    await eventually(() => isOff("Undo")).toBe(true);
  });
});

describe("the values of a link", () => {
  it("are labelled as the code's, and are restored by a reset", async () => {
    const given = { name: null, values: { rope_theta: 777 }, sources: { rope_theta: "code" as const } };
    await open({ state: stateOf("rope", { given }) });
    const line = panel.page.locator(".parameter").filter({ has: panel.field("rope_theta") });
    expect(await line.locator(".badge").textContent()).toBe("code");
    await panel.field("rope_theta").fill("5");
    await eventually(() => line.locator(".badge").textContent()).toBe("you");
    await button("Reset rope_theta to 777 (code)").click();
    await eventually(() => panel.field("rope_theta").inputValue()).toBe("777");
    await eventually(() => line.locator(".badge").textContent()).toBe("code");
  });
});

describe("the readout of a cell", () => {
  const drawableOf = (state: PanelState) => {
    const drawable = derivePanelEncoding(state, null)?.resolved;
    if (drawable == null) throw new Error("the state cannot be drawn");
    return drawable;
  };
  const copied = () => panel.page.evaluate(() => window.posencCopied);

  it("multiplies the factors as the model does", async () => {
    const changes = { rope_type: "yarn", factor: 4, original_max_position_embeddings: 32_768 };
    const state = stateOf("rope", { changes, crosshair: { row: 40, column: 30 } });
    await open({ state });
    const { terms, logit } = readCell(drawableOf(state).attention, 40, 30);
    const value = terms[0]?.value ?? Number.NaN;
    await eventually(() => panel.reading("× 1/√128")).toBeCloseTo(value / Math.sqrt(128), 10);
    expect(await panel.reading("× 1\\.138629² \\(YaRN\\)")).toBe(logit);
    const sum = panel.page.getByText(/^logit = 1\/√128 × 1\.138629² × /);
    expect(await sum.textContent()).toMatch(/ = [\d.]+$/);
    expect(await panel.page.locator("math.sum mfrac").count()).toBe(1);
  });

  it("replaces the model's softmax scale by a custom one and restores it", async () => {
    await open({ state: stateOf("rope", { crosshair: { row: 40, column: 30 } }) });
    const before = await panel.reading("logit");
    await panel.field("softmax scale").fill("0.5");
    await eventually(() => panel.reading("logit")).toBeCloseTo(before * Math.sqrt(128) * 0.5, 9);
    expect(await panel.reading("× 0\\.5")).toBe(await panel.reading("logit"));
    await panel.field("softmax scale").fill("");
    await eventually(() => panel.reading("logit")).toBe(before);
  });

  it("copies the cell, and the visible part of its row as CSV that reads back exactly", async () => {
    const state = stateOf("alibi", {
      crosshair: { row: 40, column: 30 },
      viewport: { row: 20, column: 20, rows: 40, columns: 30 },
    });
    await open({ state });
    const { attention } = drawableOf(state);
    const reading = readCell(attention, 40, 30);
    const weight = attentionWeight(reading.logit, collectRowStatistics(attention, 40));
    await button("Copy cell").click();
    await panel.page.getByText("Copied: cell").waitFor();
    const cell = new Map(
      (await copied())[0]
        ?.trim()
        .split("\n")
        .map((line) => line.split("\t") as [string, string]),
    );
    expect([cell.get("query i"), cell.get("key j"), cell.get("distance i − j")]).toEqual(["40", "30", "10"]);
    expect(Number(cell.get("logit"))).toBe(reading.logit);
    expect(Number(cell.get("attention weight"))).toBeCloseTo(weight, 14);
    await button("Copy row as CSV").click();
    await eventually(async () => (await copied()).length).toBe(2);
    const [header, ...rows] = ((await copied())[1] ?? "")
      .trim()
      .split("\n")
      .map((line) => line.split(","));
    expect(header).toEqual(["i", "j", "delta", "logit", "weight"]);
    expect(rows.map((row) => Number(row[1]))).toEqual(indexRange(20, 50));
    const logits = logitMatrix(attention, [40], indexRange(20, 50));
    expect(rows.map((row) => row[3])).toEqual(Array.from(logits, (logit, n) => (20 + n > 40 ? "-inf" : String(logit))));
  });
});

describe("the findings of the panel", () => {
  const config: BoundConfig = {
    uri: "file:///m/config.json",
    title: "m / config.json",
    version: 1,
    specs: [
      {
        encoding: "rope",
        where: "text",
        layers: "all",
        params: { rope_theta: 500_000 },
        sources: { rope_theta: "config" },
        evidence: [],
        confidence: "checked",
      },
    ],
    findings: [],
    rules: 52,
  };
  const state = stateOf("rope", { config: { uri: config.uri, index: 0 } });
  const section = () => panel.page.getByRole("region", { name: "Findings" });

  it("report the number of rules without findings, or link to their place in the config", async () => {
    await open({ state, config });
    await section().getByText("none (52 rules checked)").waitFor();
    const range = { start: { line: 4, column: 3 }, end: { line: 4, column: 12 } };
    const finding = { rule: "rope/factor-below-one", severity: "warning" as const, message: "factor 0.5", range };
    await panel.send({ type: "config", config: { ...config, findings: [finding] } });
    await section()
      .getByRole("button", { name: /warning factor 0\.5/ })
      .click();
    await eventually(async () => (await panel.posted()).filter(({ type }) => type === "openConfig")).toEqual([
      { type: "openConfig", uri: config.uri, range },
    ]);
  });

  it("are absent without a config", async () => {
    await open({ state: stateOf("rope") });
    await panel.drawn();
    expect(await section().count()).toBe(0);
  });
});

describe("the layout of the panel", () => {
  it("moves the focus between regions by F6 in both directions, and lets it leave the page at the ends", async () => {
    await open({ state: stateOf("rope") });
    await panel.drawn();
    const seen: string[] = [];
    for (let n = 0; n < 5; n++) {
      await press("F6");
      seen.push(await focused());
    }
    expect(seen).toEqual([
      expect.stringMatching(/Compare…/),
      expect.stringMatching(/^tab Scores/),
      expect.stringMatching(/^combobox Encoding/),
      expect.stringMatching(/^application RoPE/),
      expect.stringMatching(/Values and explanations/),
    ]);
    await press("Shift+F6");
    expect(await focused()).toMatch(/^application RoPE/);
    await panel.plot.press("ArrowDown");
    const kept = await panel.page.evaluate(() => {
      const event = new KeyboardEvent("keydown", { key: "F6", bubbles: true, cancelable: true });
      document.querySelector<HTMLElement>("aside")?.focus();
      document.activeElement?.dispatchEvent(event);
      return event.defaultPrevented;
    });
    expect(kept).toBe(false);
  });

  it.each([360, 320])("fits %i pixels without sideways scrolling, with the views as a list", async (width) => {
    await open({ state: stateOf("rope"), width, height: 780 });
    await panel.drawn();
    expect(await panel.page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
    await panel.page.getByRole("combobox", { name: "View" }).click();
    await panel.page.getByRole("option", { name: "Curves" }).click();
    await eventually(() => panel.figure.getAttribute("aria-label")).toMatch(/Curves/);
    expect(await panel.page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
  });

  it("wraps tabs that do not fit in one line", async () => {
    await open({ state: stateOf("rope"), width: 640, height: 780 });
    await panel.drawn();
    const tabs = await panel.page.getByRole("tab").all();
    const boxes = await Promise.all(tabs.map((tab) => tab.boundingBox()));
    expect(new Set(boxes.map((box) => box?.y)).size).toBeGreaterThan(1);
    for (const box of boxes) expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual(640);
  });

  it("gives every control a name", async () => {
    await open({ state: stateOf("rope", { view: "terms" }) });
    await panel.drawn();
    const nameless = await panel.page.evaluate(() => {
      const controls = document.querySelectorAll(
        "input, button, vscode-button, vscode-dropdown, vscode-checkbox, vscode-text-field, [role=application], [role=figure]",
      );
      return [...controls]
        .filter((control) => (control.getAttribute("aria-label") ?? control.textContent ?? "").trim() === "")
        .map((control) => control.outerHTML.slice(0, 80));
    });
    expect(nameless).toEqual([]);
  });

  it("draws one row of decoding, 1 × N, with its readout", async () => {
    await open({ state: stateOf("rope", { queryLength: 1, keyLength: 512 }) });
    await eventually(() => panel.figure.getAttribute("aria-label")).toMatch(/1 × 512$/);
    await panel.drawn();
    await eventually(() => panel.readout.textContent()).toMatch(/query i\s*511/);
    const before = await panel.reading("logit");
    await panel.plot.focus();
    await panel.plot.press("ArrowRight");
    await eventually(() => panel.reading("logit")).not.toBe(before);
  });
});
