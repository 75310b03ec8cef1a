import { decode } from "fast-png";
import { describe, expect, it } from "vitest";
import { Panel, type PanelSetup } from "../../../scripts/lib/pages/panelPage.ts";
import { computeViewMatrix } from "../../../src/core/encodings/support/viewMatrix.ts";
import { initialPanelState, type PanelState } from "../../../src/core/protocol/state.ts";
import type { EncodingId, EncodingSpec } from "../../../src/core/spec.ts";
import { indexRange } from "../../../src/core/terms/engine.ts";
import { derivePanelEncoding } from "../../../webview/state/panelEncoding.ts";
import { eventually, usePage } from "../support/usePage.ts";

const panel = usePage(new Panel(), "webview");

function stateOf(encoding: EncodingId, change: Partial<PanelState> = {}): PanelState {
  return { ...initialPanelState(encoding), ...change };
}

async function open(setup: PanelSetup): Promise<void> {
  await panel.open(setup);
  await panel.drawn();
}

/** Chromium's and Node's Math.pow may differ in the last digit. */
function expectClose(actual: readonly number[], expected: Float64Array): void {
  expect(actual).toHaveLength(expected.length);
  actual.forEach((number, n) => {
    const wanted = expected[n] ?? Number.NaN;
    if (Number.isFinite(wanted)) {
      expect(Math.abs(number - wanted)).toBeLessThanOrEqual(1e-12 * Math.max(1, Math.abs(wanted)));
    } else expect(number).toBe(wanted);
  });
}

const CUTOUT = { row: 10, column: 4, rows: 12, columns: 9 };

function cutout(state: PanelState, view: string): Float64Array {
  const drawable = derivePanelEncoding(state, null)?.resolved;
  if (!drawable) throw new Error("this state draws nothing");
  const { encoding, params, scene } = drawable;
  const [rows, columns] = [indexRange(10, 22), indexRange(4, 13)];
  return computeViewMatrix(encoding, params, scene, { mask: { causal: true } }, view, rows, columns).values;
}

async function savedBytes(): Promise<{ name: string; bytes: Uint8Array }> {
  const { name, data } = await panel.savedFile();
  return { name, bytes: typeof data === "string" ? new TextEncoder().encode(data) : data };
}

describe("the export of numbers", () => {
  it("saves the visible cells as CSV in float64, masked ones as on the command line", async () => {
    const state = stateOf("rope", { viewport: CUTOUT });
    await open({ state });
    for (const [view, id] of [
      ["Scores", "scores"],
      ["Attention", "attention"],
    ] as const) {
      await panel.chooseView(view);
      await panel.fromMenu("Export", "CSV");
      const { name, data } = await panel.savedFile();
      expect(name).toBe(`rope_${id}_10-22_4-13.csv`);
      const texts = String(data).trim().split(/[\n,]/);
      const numbers = texts.map((text) => (text === "-inf" ? Number.NEGATIVE_INFINITY : Number(text)));
      expectClose(numbers, cutout(state, id));
    }
  });

  it("saves the visible cells as NPY", async () => {
    const state = stateOf("alibi", { viewport: CUTOUT });
    await open({ state });
    await panel.fromMenu("Export", "NPY");
    const { name, bytes } = await savedBytes();
    expect(name).toBe("alibi_scores_10-22_4-13.npy");
    const header = new TextDecoder("latin1").decode(bytes.subarray(0, 128));
    expect(header).toContain("'descr': '<f8', 'fortran_order': False, 'shape': (12, 9)");
    const data = bytes.slice(bytes.length - 12 * 9 * 8);
    expectClose([...new Float64Array(data.buffer)], cutout(state, "scores"));
  });

  it("saves the visible cells as JSON with the parameters", async () => {
    const state = stateOf("t5_bias", { view: "bias", shift: 3, viewport: CUTOUT });
    await open({ state });
    await panel.fromMenu("Export", "JSON");
    const { name, data } = await panel.savedFile();
    expect(name).toBe("t5_bias_bias_13-25_7-16.json");
    const json = JSON.parse(String(data));
    expect(json).toMatchObject({
      encoding: "t5_bias",
      view: "bias",
      rows: [13, 25],
      columns: [7, 16],
      shift: 3,
      mask: { causal: true },
      content: "ones",
    });
    const numbers = json.values.flat().map((value: number | null) => value ?? Number.NEGATIVE_INFINITY);
    expectClose(numbers, cutout(state, "bias"));
  });

  it("refuses a file that is too large and suggests a smaller one", async () => {
    await open({ state: stateOf("alibi", { keyLength: 1_000_000, queryLength: 1_000_000 }) });
    await panel.fromMenu("Export", "CSV");
    await panel.page
      .getByRole("alert")
      .filter({ hasText: /zoom in/ })
      .waitFor();
  });

  it("shows its progress and can be stopped", async () => {
    const viewport = { row: 0, column: 0, rows: 2000, columns: 2000 };
    await open({ state: stateOf("rope", { keyLength: 4000, queryLength: 4000, viewport, content: { seed: 1 } }) });
    await panel.fromMenu("Export", "CSV");
    await panel.page.getByText(/Exporting CSV: \d+ %/).waitFor();
    await panel.page.getByRole("button", { name: "Cancel" }).click();
    await eventually(() => panel.page.getByText(/Exporting CSV/).count()).toBe(0);
    expect(await panel.page.evaluate(() => window.posencSaved.length)).toBe(0);
  });

  it("saves the numbers of a chart with the names of their columns", async () => {
    await open({ state: stateOf("rope", { view: "frequencies" }) });
    await panel.fromMenu("Export", "CSV");
    const { name, data } = await panel.savedFile();
    expect(name).toBe("rope_frequencies.csv");
    const [head = "", ...lines] = String(data).trim().split("\n");
    expect(head.split(",").length).toBeGreaterThan(1);
    expect(lines.length).toBeGreaterThan(10);
  });
});

describe("the export of pictures", () => {
  it("saves a PNG with axes at twice the size, and keeps the page's picture", async () => {
    await open({ state: stateOf("alibi") });
    const before = await panel.picture();
    const box = await panel.figure.boundingBox();
    await panel.fromMenu("Export", "PNG");
    const { name, bytes } = await savedBytes();
    expect(name).toBe("alibi_scores_0-512_0-512.png");
    const image = decode(bytes);
    expect(image.width).toBe(Math.round((box?.width ?? 0) * 2));
    // The name of the figure is above it.
    expect(image.height).toBeGreaterThan((box?.height ?? 0) * 2);
    await eventually(() => panel.picture()).toBe(before);
  });

  it("saves an SVG with text, axes and colour bar as vectors and the cells as one picture", async () => {
    await open({ state: stateOf("alibi") });
    await panel.fromMenu("Export", "SVG");
    const { name, data } = await panel.savedFile();
    expect(name).toBe("alibi_scores_0-512_0-512.svg");
    const text = String(data);
    expect(text.match(/<image /g)).toHaveLength(1);
    expect(text).toContain('href="data:image/png;base64,');
    for (const words of ["key position j", "query position i", "linearGradient", "ALiBi"])
      expect(text).toContain(words);
    expect(text).not.toMatch(/var\(|color-mix/);
    // It is well formed and does not need the page's styles.
    const root = await panel.page.evaluate((file) => {
      const parsed = new DOMParser().parseFromString(file, "image/svg+xml");
      return parsed.querySelector("parsererror") === null ? parsed.documentElement.localName : "parsererror";
    }, text);
    expect(root).toBe("svg");
  });

  it("saves a chart as pure vectors and as a picture", async () => {
    await open({ state: stateOf("rope", { view: "frequencies" }) });
    await panel.fromMenu("Export", "SVG");
    const text = String((await panel.savedFile()).data);
    expect(text).toContain("<path");
    expect(text).not.toContain("<image");
    await panel.fromMenu("Export", "PNG");
    const image = decode((await savedBytes()).bytes);
    expect(image.width).toBeGreaterThan(800);
  });
});

describe("copying a picture", () => {
  it("puts it on the clipboard and confirms it", async () => {
    await open({ state: stateOf("alibi") });
    await panel.page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
    await panel.fromMenu("Copy", "Image");
    await panel.page.getByRole("status", { name: "Done" }).getByText("Copied: Image").waitFor();
    const types = await panel.page.evaluate(async () =>
      (await navigator.clipboard.read()).flatMap((item) => item.types),
    );
    expect(types).toContain("image/png");
  });

  it("suggests an alternative if the browser refuses", async () => {
    await open({ state: stateOf("alibi") });
    await panel.page.evaluate(() => {
      navigator.clipboard.write = () => Promise.reject(new Error("not allowed"));
    });
    await panel.fromMenu("Copy", "Image");
    await panel.page
      .getByRole("alert")
      .filter({ hasText: /not allowed.*Export the image/ })
      .waitFor();
  });
});

describe("copying as text", () => {
  it("offers the formula, code and a unit test", async () => {
    const state = stateOf("alibi", { viewport: CUTOUT, crosshair: { row: 15, column: 7 } });
    await open({ state });
    await panel.fromMenu("Copy", "LaTeX");
    expect(await panel.copiedText()).toContain("\\mathrm{logit}_{ij}");
    await panel.fromMenu("Copy", "NumPy code");
    const numpy = await panel.copiedText();
    expect(numpy).toContain("import numpy as np");
    expect(numpy).toContain("i = np.arange(10, 22, dtype=np.int64)");
    await panel.fromMenu("Copy", "PyTorch code");
    expect(await panel.copiedText()).toContain("import torch");
    const values = cutout(state, "scores");
    await panel.fromMenu("Copy", "Unit test");
    const test = await panel.copiedText();
    expect(test).toContain("def assert_golden(matrix");
    expect(test).toContain(`(15, 7): ${values[5 * 9 + 3]}`);
  });

  it("offers a link with the values of the config and without its path", async () => {
    const uri = "file:///secret/config.json";
    const spec: EncodingSpec = {
      encoding: "rope",
      where: "text",
      layers: "all",
      params: { rope_theta: 500_000, head_dim: 64 },
      sources: { rope_theta: "config", head_dim: "derived" },
      evidence: [],
      confidence: "checked",
    };
    const config = { uri, title: "config.json", version: 1, specs: [spec] };
    await open({ state: stateOf("rope", { config: { uri, index: 0 }, changes: { head_dim: 32 } }), config });
    await panel.fromMenu("Copy", "Link");
    const link = await panel.copiedText();
    expect(link).not.toContain("secret");
    const state = JSON.parse(link.slice(link.indexOf("?") + 1));
    expect(state).toMatchObject({
      config: null,
      given: { values: { rope_theta: 500_000 } },
      changes: { head_dim: 32 },
    });
  });

  it("is not offered without a matrix, with a reason", async () => {
    await open({ state: stateOf("rope", { view: "example" }) });
    await panel.page.getByRole("button", { name: "Copy", exact: true }).click();
    const item = panel.menuItem("Unit test");
    expect(await item.getAttribute("aria-disabled")).toBe("true");
    expect(await item.textContent()).toContain("Choose a view with a matrix");
  });
});

describe("the export of a comparison", () => {
  it("contains the numbers and the code of the picture in focus", async () => {
    const compare = { encoding: "alibi", config: null, given: null, changes: { alibi_bias_max: 4 } };
    const state = stateOf("alibi", { compare, viewport: CUTOUT });
    await open({ state });
    const part = (name: RegExp) => panel.page.getByRole("application", { name }).first();
    const saved = async () => {
      await panel.fromMenu("Export", "JSON");
      const { name, data } = await panel.savedFile();
      return { name, json: JSON.parse(String(data)) };
    };
    await part(/^B:/).focus();
    const b = await saved();
    expect(b.json.params.alibi_bias_max).toBe(4);
    await panel.fromMenu("Copy", "NumPy code");
    // Slope of head 0 of 8: 2^(−4/8). Chromium rounds the power correctly, Node 20's `2 ** -0.5` is one ulp below.
    expect(await panel.copiedText()).toContain(`slope = ${Math.SQRT1_2}`);
    await part(/^difference between/).focus();
    const difference = await saved();
    expect(difference.name).toBe("alibi-minus-alibi_scores_10-22_4-13.json");
    expect(difference.json).toMatchObject({ params: { alibi_bias_max: 8 }, minus: { params: { alibi_bias_max: 4 } } });
    // Query 10, key 4: six apart. Masked cells have no difference.
    expect(difference.json.values[0][0]).toBeCloseTo(6 * (2 ** -0.5 - 0.5), 12);
    expect(difference.json.values[0][8]).toBeNull();
    await panel.page.getByRole("button", { name: "Copy", exact: true }).click();
    expect(await panel.menuItem("NumPy code").textContent()).toContain("Code export does not support differences");
  });
});

describe("write back from the page", () => {
  const uri = "file:///models/config.json";
  const spec: EncodingSpec = {
    encoding: "rope",
    where: "text",
    layers: "all",
    params: { rope_theta: 500_000, head_dim: 64 },
    sources: { rope_theta: "config", head_dim: "derived" },
    evidence: [],
    confidence: "checked",
  };
  const config = { uri, title: "m / config.json", version: 7, specs: [spec] };
  const button = () => panel.page.getByRole("button", { name: "Write back" });

  it("sends all parameters with the version that was read, and clears the changes", async () => {
    await open({ state: stateOf("rope", { config: { uri, index: 0 }, changes: { rope_theta: 10_000 } }), config });
    await button().click();
    await panel.page.getByRole("status", { name: "Done" }).getByText("Written to m / config.json").waitFor();
    const asked = (await panel.posted()).find(({ name }) => name === "writeBack");
    expect(asked?.argument).toMatchObject({ uri, index: 0, version: 7, wanted: { rope_theta: 10_000, head_dim: 64 } });
    await eventually(async () => (await panel.state()).changes).toEqual({});
    await eventually(() => button().getAttribute("title")).toMatch(/All values match the config/);
  });

  it("gives a reason if it is not possible", async () => {
    await open({ state: stateOf("rope") });
    expect(await button().getAttribute("aria-disabled")).toBe("true");
    expect(await button().getAttribute("title")).toMatch(/This panel is not bound to a config/);
    await button().click({ force: true });
    expect((await panel.posted()).some(({ name }) => name === "writeBack")).toBe(false);
  });
});

describe("a menu", () => {
  it("opens, moves and closes by keyboard, and returns the focus", async () => {
    await open({ state: stateOf("alibi"), width: 360, height: 700 });
    const button = panel.page.getByRole("button", { name: "Export", exact: true });
    await button.focus();
    await panel.page.keyboard.press("ArrowDown");
    const focused = () => panel.page.locator(":focus").locator(".menu-label").textContent();
    expect(await button.getAttribute("aria-expanded")).toBe("true");
    expect(await focused()).toBe("PNG");
    await panel.page.keyboard.press("ArrowUp");
    expect(await focused()).toBe("JSON");
    await panel.page.keyboard.press("c");
    expect(await focused()).toBe("CSV");
    const box = await panel.page.getByRole("menu").boundingBox();
    expect(box?.x).toBeGreaterThanOrEqual(0);
    expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual(360);
    await panel.page.keyboard.press("Escape");
    expect(await panel.page.getByRole("menu").count()).toBe(0);
    expect(await button.evaluate((element) => element === document.activeElement)).toBe(true);
    await panel.page.keyboard.press("Enter");
    await panel.page.keyboard.press("End");
    await panel.page.keyboard.press("Enter");
    expect((await panel.savedFile()).name).toMatch(/\.json$/);
  });

  it("close at a press of their button or outside, and when the focus goes on", async () => {
    await open({ state: stateOf("alibi") });
    const menu = panel.page.getByRole("menu");
    const openMenu = async () => {
      await panel.page.getByRole("button", { name: "Copy", exact: true }).click();
      await menu.waitFor();
    };
    await openMenu();
    await panel.page.getByRole("button", { name: "Copy", exact: true }).click();
    expect(await menu.count()).toBe(0);
    await openMenu();
    await panel.page.getByRole("heading", { level: 1 }).click();
    expect(await menu.count()).toBe(0);
    await openMenu();
    await panel.page.keyboard.press("Tab");
    expect(await menu.count()).toBe(0);
    expect(await panel.page.locator(":focus").textContent()).toContain("Export");
  });

  it("open above everything, and another closes the first", async () => {
    await open({ state: stateOf("alibi") });
    await panel.page.getByRole("button", { name: "Compare…" }).click();
    const search = panel.page.getByRole("listbox", { name: /^Compare with/ });
    await search.waitFor();
    await panel.page.getByRole("button", { name: "Compare…" }).click();
    expect(await search.count()).toBe(0);
    await panel.page.getByRole("button", { name: "Compare…" }).click();
    await panel.page.getByRole("button", { name: "Export", exact: true }).click();
    await panel.page.getByRole("menu").waitFor();
    expect(await search.count()).toBe(0);
    await panel.page.keyboard.press("Escape");
    await panel.page.getByRole("button", { name: "Compare…" }).press("Enter");
    await panel.page.keyboard.press("Escape");
    expect(await panel.page.locator(":focus").textContent()).toBe("Compare…");
  });
});
