import { decode } from "fast-png";
import { describe, expect, it } from "vitest";
import { Panel, type PanelSetup } from "../../../scripts/lib/pages/panelPage.ts";
import { computeViewMatrix } from "../../../src/core/export/viewMatrix.ts";
import type { BoundConfig } from "../../../src/core/protocol/messages.ts";
import { initialPanelState, type PanelState } from "../../../src/core/protocol/state.ts";
import type { EncodingId } from "../../../src/core/spec.ts";
import { attentionWeight, collectRowStatistics, readCell } from "../../../src/core/terms/engine.ts";
import { derivePanelEncoding } from "../../../webview/state/panelEncoding.ts";
import { eventually, usePage } from "../support/usePage.ts";

const panel = usePage(new Panel(), "webview");

function stateOf(encoding: EncodingId, change: Partial<PanelState> = {}): PanelState {
  return { ...initialPanelState(encoding), ...change };
}

const open = (setup: PanelSetup) => panel.open(setup);

/** How many different colours are on the plot. */
async function coloursDrawn(): Promise<number> {
  const { data, channels } = decode(await panel.screenshot());
  const colours = new Set<number>();
  for (let n = 0; n < data.length; n += channels) colours.add(Number(data[n]) * 256 + Number(data[n + 1]));
  return colours.size;
}

/** Chromium's and Node's Math.pow may differ in the last digit. */
function expectEqual(actual: number, expected: number): void {
  if (Number.isFinite(expected))
    expect(Math.abs(actual - expected)).toBeLessThanOrEqual(1e-12 * Math.max(1, Math.abs(expected)));
  else expect(actual).toBe(expected);
}

function drawableOf(state: PanelState) {
  const drawable = derivePanelEncoding(state, null)?.resolved;
  if (drawable === undefined || drawable === null) throw new Error("the state cannot be drawn");
  return drawable;
}

const config: BoundConfig = {
  uri: "file:///models/llama/config.json",
  title: "llama / config.json",
  version: 1,
  specs: [
    {
      encoding: "rope",
      where: "text",
      layers: "all",
      params: { rope_theta: 500_000, head_dim: 128 },
      sources: { rope_theta: "config", head_dim: "derived" },
      evidence: [
        {
          param: "rope_theta",
          path: ["rope_theta"],
          range: { start: { line: 7, column: 3 }, end: { line: 7, column: 9 } },
        },
      ],
      confidence: "checked",
    },
  ],
};
const bound = stateOf("rope", { config: { uri: config.uri, index: 0 } });

describe("the panel at startup", () => {
  it("requests its state once, shows the answer, and violates no content security policy", async () => {
    await open({ state: stateOf("alibi") });
    await panel.drawn();
    const requests = (await panel.posted()).filter(({ type }) => type === "request");
    expect(requests.map(({ name }) => name)).toEqual(["ready"]);
    expect(await panel.page.getByRole("heading", { level: 1 }).textContent()).toContain("ALiBi");
    expect(await panel.refused()).toEqual([]);
  });

  it("is restored from its own state if the host has none", async () => {
    const saved = stateOf("t5_bias", {
      view: "bias",
      keyLength: 96,
      queryLength: 96,
      crosshair: { row: 40, column: 12 },
    });
    await open({ saved });
    await panel.drawn();
    const [ready] = await panel.posted();
    expect(ready).toMatchObject({ name: "ready", argument: { saved } });
    await eventually(() => panel.figure.getAttribute("aria-label")).toMatch(/T5.*Bias.*96 × 96/);
    await eventually(() => panel.readout.textContent()).toMatch(/query i\s*40.*key j\s*12.*distance i − j\s*28/s);
  });

  it("stores its state in the editor and sends it to the host", async () => {
    await open({ state: stateOf("rope") });
    await panel.chooseView("Attention");
    await eventually(async () => (await panel.state())?.view).toBe("attention");
    expect((await panel.posted()).filter(({ type }) => type === "state").at(-1)).toMatchObject({
      state: { view: "attention" },
    });
  });
});

describe("the views", () => {
  const cases: readonly [EncodingId, string, RegExp][] = [
    ["sinusoidal", "Table", /^Sinusoidal.*, Table, 512 × 128$/],
    ["rope", "Scores", /^RoPE.*\(default\), Scores, 512 × 512$/],
    ["rope", "Attention", /^RoPE.*, Attention, 512 × 512$/],
    ["alibi", "Bias", /^ALiBi.*, Bias, 512 × 512$/],
    ["t5_bias", "Bias", /^T5.*, Bias, 512 × 512$/],
    ["learned_absolute", "Terms", /^Learned.*, Terms, 512 × 512$/],
  ];

  it.each(cases)("draw %s in %s", async (encoding, view, name) => {
    await open({ state: stateOf(encoding) });
    await panel.chooseView(view);
    await eventually(() => panel.figure.getAttribute("aria-label")).toMatch(name);
    await panel.drawn();
    expect(await coloursDrawn()).toBeGreaterThan(20);
  });

  it.each([
    ["rope", "Bias", /rotates queries and keys/],
    ["alibi", "Table", /not a vector to each/],
    ["none", "Table", /does not encode positions/],
  ] as const)("give a reason if %s has no %s", async (encoding, view, why) => {
    await open({ state: stateOf(encoding) });
    await panel.chooseView(view);
    await panel.page.getByText(why).waitFor();
    expect(await panel.page.getByRole("application").count()).toBe(0);
  });

  it("show the terms of a sum and can exclude one", async () => {
    await open({ state: stateOf("learned_absolute", { view: "terms" }) });
    await panel.drawn();
    const before = await panel.picture();
    const switches = panel.page.getByRole("region", { name: "Terms of the logit" }).getByRole("checkbox");
    expect(await switches.count()).toBe(4);
    await switches.nth(3).click();
    await eventually(async () => (await panel.state()).hiddenTerms).toHaveLength(1);
    await eventually(() => panel.picture()).not.toBe(before);
  });

  it("work through the example with digits, tokens and a shuffle", async () => {
    await open({ state: stateOf("rope", { view: "example" }) });
    const rope = panel.page.getByRole("figure", { name: "Example, RoPE, scores, 3 × 3" });
    expect(await rope.locator("td[title]").first().textContent()).toMatch(/^\s*1\s*$/);
    expect(Number(await rope.locator("td[title]").nth(1).getAttribute("title"))).toBeCloseTo(-0.8414709848078966, 12);
    await panel.page.getByRole("button", { name: "Shuffle tokens" }).click();
    await panel.page.getByText("the same 9 scores").waitFor();
    expect(await rope.getByRole("rowheader").allTextContents()).toEqual(["apples", "I", "like"]);
    await panel.field("Token 1").fill("pears");
    await rope.getByRole("rowheader", { name: "pears" }).waitFor();
    await panel.page.getByRole("application").first().press("ArrowRight");
    await eventually(async () => (await panel.state()).crosshair).toEqual({ row: 0, column: 1 });
  });
});

describe("the readout", () => {
  it.each(["rope", "alibi", "t5_bias", "sinusoidal"] as const)(
    "shows a cell of %s with its float64 value",
    async (encoding) => {
      const state = stateOf(encoding, { crosshair: { row: 300, column: 123 } });
      await open({ state });
      await panel.drawn();
      const { attention } = drawableOf(state);
      const cell = readCell(attention, 300, 123);
      expectEqual(await panel.reading("logit"), cell.logit);
      const weight = attentionWeight(cell.logit, collectRowStatistics(attention, 300));
      await eventually(async () => Math.abs((await panel.reading("attention weight")) / weight - 1)).toBeLessThan(1e-9);
    },
  );

  it("shows a requested cell ten million positions away", async () => {
    const state = stateOf("rope", { keyLength: 10_000_000, queryLength: 10_000_000 });
    await open({ state });
    await panel.drawn();
    await panel.field("Go to row").fill("9999999");
    await panel.field("Go to column").fill("9 999 900");
    await eventually(async () => (await panel.state()).crosshair).toEqual({ row: 9_999_999, column: 9_999_900 });
    const { logit } = readCell(drawableOf(state).attention, 9_999_999, 9_999_900);
    await eventually(async () => Math.abs((await panel.reading("logit")) - logit)).toBeLessThan(1e-9);
    await panel.drawn();
  });

  it("shows the numbers of the table", async () => {
    const state = stateOf("sinusoidal", { view: "table", crosshair: { row: 77, column: 5 } });
    await open({ state });
    const { encoding, params, scene } = drawableOf(state);
    const { values } = computeViewMatrix(encoding, params, scene, { mask: {} }, "table", [77], [5]);
    await eventually(() => panel.reading("value")).toBe(values[0]);
  });
});

describe("the controls", () => {
  it("redraw the picture when a parameter changes, and label it as the user's", async () => {
    await open({ state: bound, config });
    const before = await panel.picture();
    await panel.field("rope_theta").fill("100");
    await eventually(() => panel.picture()).not.toBe(before);
    await panel.page.getByRole("button", { name: "Reset rope_theta to 500000 (config)" }).click();
    await eventually(() => panel.picture()).toBe(before);
    expect(await panel.field("rope_theta").inputValue()).toMatch(/^500.000$/);
  });

  it("name the rule that a bad value breaks, and keep the picture", async () => {
    await open({ state: bound, config });
    const before = await panel.picture();
    for (const [value, rule] of [
      ["-5", /greater than 0/],
      ["many", /finite number/],
    ] as const) {
      await panel.field("rope_theta").fill(value);
      await panel.page.getByRole("alert").filter({ hasText: rule }).waitFor();
      // The toolkit's field passes its attributes to its inner input on the next update.
      await eventually(() => panel.field("rope_theta").getAttribute("aria-invalid")).toBe("true");
      expect(await panel.picture()).toBe(before);
    }
    await panel.field("rope_theta").fill("500000");
    await eventually(() => panel.page.getByRole("alert").count()).toBe(0);
  });

  it("have sliders that work by keyboard", async () => {
    await open({ state: stateOf("rope") });
    const slider = panel.page.getByRole("slider", { name: "rope_theta" });
    await slider.press("ArrowRight");
    await slider.press("ArrowRight");
    await eventually(async () => Number((await panel.state())?.changes["rope_theta"])).toBeGreaterThan(10_000);
  });

  it("change encoding, mask, length and shift", async () => {
    await open({ state: stateOf("rope") });
    await panel.page.getByRole("combobox", { name: "Encoding" }).click();
    await panel.page.getByRole("option", { name: "Sinusoidal", exact: true }).click();
    await eventually(async () => (await panel.state()).encoding).toBe("sinusoidal");
    await panel.page.getByRole("combobox", { name: "mask" }).click();
    await panel.page.getByRole("option", { name: "none" }).click();
    await eventually(async () => (await panel.state()).causal).toBe(false);
    await panel.field("length").fill("64");
    await panel.field("shift both by").fill("1000");
    await eventually(async () => (await panel.state()).shift).toBe(1000);
    await eventually(() => panel.figure.getAttribute("aria-label")).toMatch(/64 × 64/);
  });

  it("apply windows and chunks to the picture, and give a sink its share of the weights", async () => {
    await open({ state: stateOf("alibi", { crosshair: { row: 40, column: 39 } }) });
    const before = await panel.picture();
    const weight = await panel.reading("attention weight");
    await panel.field("window").fill("8");
    await eventually(() => panel.picture()).not.toBe(before);
    const windowed = await panel.picture();
    await panel.field("sink tokens").fill("16");
    await eventually(() => panel.picture()).not.toBe(windowed);
    await panel.field("chunk").fill("4");
    await eventually(async () => (await panel.state()).chunk).toBe(4);
    await panel.field("chunk").fill("");
    await panel.field("sink logit").fill("30");
    await eventually(() => panel.reading("attention weight")).toBeLessThan(weight / 1000);
  });

  it("show a shift only in absolute encodings", async () => {
    for (const [encoding, same] of [
      ["alibi", true],
      ["sinusoidal", false],
    ] as const) {
      await open({ state: stateOf(encoding, { content: { seed: 3 } }) });
      await panel.drawn();
      const before = await panel.reading("logit");
      await panel.field("shift both by").fill("100");
      await eventually(async () => (await panel.state())?.shift).toBe(100);
      await panel.drawn();
      await eventually(async () => (await panel.reading("logit")) === before).toBe(same);
    }
  });

  it("set the colour domain", async () => {
    await open({ state: stateOf("rope") });
    const before = await panel.picture();
    await panel.page.getByRole("combobox", { name: "colour domain" }).click();
    await panel.page.getByRole("option", { name: "manual" }).click();
    await panel.field("domain to").fill("40");
    await eventually(async () => (await panel.state()).colour.domain?.[1]).toBe(40);
    await eventually(() => panel.picture()).not.toBe(before);
  });
});

describe("the drawing", () => {
  it("moves its crosshair, zooms and pans by keyboard, and lets Tab leave", async () => {
    await open({ state: stateOf("rope", { crosshair: { row: 100, column: 50 } }) });
    await panel.drawn();
    await panel.plot.focus();
    const crosshair = async () => (await panel.state())?.crosshair;
    await panel.plot.press("ArrowDown");
    await panel.plot.press("ArrowRight");
    await eventually(crosshair).toEqual({ row: 101, column: 51 });
    await eventually(() => panel.readout.textContent()).toMatch(/query i\s*101/);
    await panel.plot.press("End");
    await eventually(crosshair).toEqual({ row: 101, column: 511 });
    await panel.plot.press("Home");
    await eventually(crosshair).toEqual({ row: 101, column: 0 });
    await panel.plot.press("+");
    const zoomed = async () => (await panel.state()).viewport;
    await eventually(async () => Math.round((await zoomed())?.rows ?? 0)).toBe(341);
    await panel.plot.press("Shift+ArrowRight");
    await eventually(async () => (await zoomed())?.column ?? 0).toBeGreaterThan(30);
    await panel.plot.press("0");
    await eventually(zoomed).toBeNull();
    await panel.plot.press("Tab");
    expect(await panel.plot.evaluate((plot) => document.activeElement === plot)).toBe(false);
  });

  it("zooms with the wheel at the pointer, and reads the cell under the pointer", async () => {
    await open({ state: stateOf("rope") });
    await panel.drawn();
    const box = await panel.plot.boundingBox();
    if (box === null) throw new Error("no plot");
    const point = { x: box.x + box.width * 0.25, y: box.y + box.height * 0.5 };
    await panel.page.mouse.move(point.x, point.y);
    await eventually(() => panel.readout.textContent()).toMatch(/query i\s*256.*key j\s*128/s);
    await panel.page.mouse.wheel(0, -400);
    await eventually(async () => (await panel.state())?.viewport?.rows ?? 512).toBeLessThan(400);
    const viewport = (await panel.state()).viewport;
    expect((viewport?.column ?? 0) + 0.25 * (viewport?.columns ?? 0)).toBeCloseTo(128, 0);
    await panel.page.mouse.down();
    await panel.page.mouse.move(point.x - 50, point.y, { steps: 3 });
    await panel.page.mouse.up();
    await eventually(async () => (await panel.state()).viewport?.column ?? 0).toBeGreaterThan(viewport?.column ?? 0);
  });
});

describe("a bound config", () => {
  it("is followed while it is edited, and keeps its last picture through a syntax error", async () => {
    await open({ state: bound, config });
    const before = await panel.picture();
    await panel.send({ type: "configProblem", message: "config.json:3:1: unexpected end" });
    await panel.page
      .getByRole("alert")
      .filter({ hasText: /unexpected end/ })
      .waitFor();
    expect(await coloursDrawn()).toBeGreaterThan(20);
    const [spec] = config.specs;
    if (spec === undefined) throw new Error("no spec");
    const edited = { ...config, version: 2, specs: [{ ...spec, params: { ...spec.params, rope_theta: 77 } }] };
    await panel.send({ type: "config", config: edited });
    await eventually(() => panel.picture()).not.toBe(before);
    expect(await panel.field("rope_theta").inputValue()).toBe("77");
    expect(await panel.page.getByRole("alert").count()).toBe(0);
  });

  it("opens at the place of its values", async () => {
    await open({ state: bound, config });
    await panel.page.getByRole("button", { name: "llama / config.json" }).click();
    await eventually(async () => (await panel.posted()).find(({ type }) => type === "openConfig")).toMatchObject({
      uri: config.uri,
      range: { start: { line: 7, column: 3 } },
    });
  });
});

describe("the panel in its environment", () => {
  it("switches language while it is open", async () => {
    await open({ state: stateOf("rope") });
    await panel.page.getByRole("tab", { name: "Scores" }).waitFor();
    await panel.send({ type: "language", language: "zh-cn" });
    await panel.page.getByRole("tab", { name: "分数" }).waitFor();
    expect(await panel.page.locator("html").getAttribute("lang")).toBe("zh-Hans");
    await eventually(() => panel.figure.getAttribute("aria-label")).toMatch(/分数/);
    const words = await panel.page.locator("#posenc").ariaSnapshot();
    for (const english of ["Scores", "Parameters", "Sequence", "length", "About", "Export"])
      expect(words).not.toContain(english);
    await panel.send({ type: "language", language: "en" });
    await panel.page.getByRole("tab", { name: "Scores" }).waitFor();
  });

  it("follows the four kinds of theme live", async () => {
    await open({ state: stateOf("alibi") });
    const pictures = new Set<string>();
    for (const theme of ["dark", "light", "hc-black", "hc-light"] as const) {
      await panel.setTheme(theme);
      await eventually(async () => pictures.has(await panel.picture())).toBe(false);
      pictures.add(await panel.picture());
    }
    expect(pictures.size).toBe(4);
  });

  it("fits 360 pixels without sideways scrolling, with its controls in a disclosure", async () => {
    await open({ state: stateOf("rope"), width: 360, height: 740 });
    await panel.drawn();
    const overflow = await panel.page.evaluate(
      () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
    );
    expect(overflow).toBeLessThanOrEqual(0);
    expect(await panel.field("rope_theta").isVisible()).toBe(false);
    const disclosure = panel.page.getByRole("button", { name: "Parameters", expanded: false });
    await disclosure.click();
    await panel.field("rope_theta").waitFor({ state: "visible" });
    const box = await panel.plot.boundingBox();
    expect(box?.width).toBeGreaterThan(240);
  });

  it("places the readout below the drawing under 900 pixels", async () => {
    await open({ state: stateOf("rope"), width: 800 });
    await panel.drawn();
    const [figure, readout] = [await panel.figure.boundingBox(), await panel.readout.boundingBox()];
    expect(readout?.y).toBeGreaterThan((figure?.y ?? 0) + (figure?.height ?? 0));
  });

  it("draws the same on the CPU without WebGL, with a notice", async () => {
    await open({ state: stateOf("alibi"), withoutWebgl: true });
    await panel.drawn();
    await panel.page
      .getByRole("alert")
      .filter({ hasText: /WebGL is not available; rendering on the CPU/ })
      .waitFor();
    expect(await panel.page.getByText(/CPU · /).count()).toBe(1);
  });

  it("continues after the graphics context is lost, and restores it", async () => {
    await open({ state: stateOf("alibi") });
    const before = await panel.picture();
    const lose = await panel.plot
      .locator("canvas")
      .first()
      .evaluateHandle((canvas: HTMLCanvasElement) => {
        return canvas.getContext("webgl2")?.getExtension("WEBGL_lose_context");
      });
    await lose.evaluate((extension) => extension?.loseContext());
    const lost = panel.page.getByRole("alert").filter({ hasText: /context was lost/ });
    await lost.waitFor();
    expect(await coloursDrawn()).toBeGreaterThan(20);
    await lose.evaluate((extension) => extension?.restoreContext());
    await lost.waitFor({ state: "detached" });
    await eventually(() => panel.picture()).toBe(before);
  });

  it("shows where a learned table ends", async () => {
    await open({ state: stateOf("learned_absolute", { keyLength: 4096, queryLength: 4096 }) });
    await panel.drawn();
    await panel.page.getByRole("alert").filter({ hasText: "Ends at position 511." }).waitFor();
    expect(await panel.figure.getAttribute("aria-label")).toMatch(/512 × 512/);
  });

  it("does no work while it is hidden, and draws again when it is shown", async () => {
    await open({ state: stateOf("rope") });
    await panel.drawn();
    const hide = (hidden: boolean) =>
      panel.page.evaluate((value) => {
        Object.defineProperty(document, "hidden", { configurable: true, get: () => value });
        document.dispatchEvent(new Event("visibilitychange"));
      }, hidden);
    await hide(true);
    await eventually(() => panel.plot.locator("canvas").count()).toBe(0);
    await hide(false);
    await eventually(() => panel.plot.locator("canvas").count()).toBeGreaterThan(0);
    await panel.drawn();
  });

  it("labels every control and has one tab stop per drawing", async () => {
    await open({ state: stateOf("rope") });
    await panel.drawn();
    for (const role of ["textbox", "slider", "combobox", "button", "tab"] as const) {
      const all = panel.page.getByRole(role);
      const named = panel.page.getByRole(role, { name: /\S/ });
      expect(await named.count(), role).toBe(await all.count());
      expect(await all.count(), role).toBeGreaterThan(0);
    }
    expect(await panel.figure.getByRole("application").count()).toBe(1);
  });
});
