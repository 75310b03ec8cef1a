import type { Locator } from "playwright-core";
import { describe, expect, it } from "vitest";
import { Panel, type PanelSetup } from "../../../scripts/lib/pages/panelPage.ts";
import { initialPanelState, type PanelState, type ViewId } from "../../../src/core/protocol/state.ts";
import type { EncodingId } from "../../../src/core/spec.ts";
import { eventually, usePage } from "../support/usePage.ts";

const panel = usePage(new Panel(), "webview");

const YARN = {
  rope_type: "yarn",
  rope_theta: 1_000_000,
  factor: 4,
  original_max_position_embeddings: 32_768,
  max_position_embeddings: 131_072,
};

async function open(encoding: EncodingId, view: ViewId, change: Partial<PanelState> = {}, setup: PanelSetup = {}) {
  await panel.open({
    state: { ...initialPanelState(encoding), view, ...change },
    ...setup,
  });
  await panel.page.locator('[role=figure][aria-busy="false"], .why').first().waitFor();
}

function application(name: RegExp): Locator {
  return panel.page.getByRole("application", { name });
}

const status = () => panel.page.locator("[role=status].chart-status").textContent();

describe("measurements and explanation", () => {
  it("show at rest whether the logit depends on m − n alone", async () => {
    await open("rope", "scores", { changes: YARN });
    const section = panel.page.getByRole("region", { name: "Measurements" });
    await eventually(() => section.textContent()).toContain("pairs with a full rotation in training");
    expect(await section.textContent()).toMatch(/40 \/ 64.*257.*shifting both positions does not change it/s);
  });

  it("are updated when a parameter has come to rest", async () => {
    await open("rope", "scores");
    const section = panel.page.getByRole("region", { name: "Measurements" });
    await eventually(() => section.textContent()).toContain("46 / 64");
    await panel.field("rope_theta").fill("500000");
    await panel.field("rope_theta").press("Enter");
    await eventually(() => section.textContent()).toContain("32 / 64");
    expect(await section.getAttribute("aria-busy")).toBe("false");
  });

  it("report that a shift changes the logits of an absolute encoding", async () => {
    await open("sinusoidal", "scores");
    const section = panel.page.getByRole("region", { name: "Measurements" });
    await eventually(() => section.textContent()).toContain("shifting both positions changes it");
  });

  it("explain the four terms, facts and details, with links to papers", async () => {
    await open("t5_bias", "scores");
    const about = panel.page.getByRole("region", { name: "About this encoding" });
    const effects = about.getByRole("list", { name: /Terms of/ }).getByRole("listitem");
    expect(await effects.evaluateAll((items) => items.map((item) => item.getAttribute("aria-label")))).toEqual([
      "content · content: kept, x_i W_Q · x_j W_K",
      "content · position: dropped, x_i W_Q · p_j W_K",
      "position · content: dropped, p_i W_Q · x_j W_K",
      "position · position: changed, b[h, B(i, j)]",
    ]);
    expect(await about.textContent()).toContain("a trained number per head and bucket of distances");
    expect(await about.textContent()).toContain("256");
    await about.getByText("Models that use it").click();
    expect(await about.getByText("Flan-T5").isVisible()).toBe(true);
    await about.getByText("Papers and code").click();
    const paper = about.getByRole("link", { name: /arXiv 1910\.10683/ });
    expect(await paper.getAttribute("href")).toBe("https://arxiv.org/abs/1910.10683");
  });

  it("are in Chinese with that language", async () => {
    await open("rope", "frequencies", { changes: YARN }, { language: "zh-cn" });
    expect(await panel.page.getByRole("region", { name: "关于此编码" }).textContent()).toContain("形式上绝对");
    expect(await status()).toContain("弧度/词元");
    await eventually(() => panel.page.getByRole("region", { name: "测量" }).textContent()).toContain("同时平移");
  });
});

describe("the Frequencies view", () => {
  it("shows YaRN's pairs against both contexts, with a crosshair by keyboard", async () => {
    await open("rope", "frequencies", { changes: YARN });
    expect(await panel.figure.getAttribute("aria-label")).toMatch(
      /^RoPE.*\(yarn\), Frequencies, wavelength of 64 pairs$/,
    );
    expect(await panel.figure.textContent()).toMatch(/unchanged.*(?<!un)changed.*divided by 4/s);
    expect(await panel.figure.textContent()).toMatch(/training context, 32.768.*extended context, 131.072/s);
    await application(/wavelength/).press("End");
    await eventually(status).toContain("k = 63");
    expect(await status()).toContain("divided by 4");
    await application(/wavelength/).press("ArrowLeft");
    await eventually(status).toContain("k = 62");
    await eventually(async () => (await panel.state()).picked).toEqual({ pair: 62 });
    expect(await panel.page.getByText(/40 of 64 pairs complete a full rotation/).textContent()).toContain(
      ", 0 of 64 pairs reach unseen angles",
    );
  });

  it("gives a reason for an encoding without frequencies", async () => {
    await open("alibi", "frequencies");
    expect(await panel.page.locator(".why").textContent()).toMatch(/ALiBi.* has no fixed frequencies/);
  });
});

describe("the Rotation view", () => {
  it("gives equal numbers in every form for the selected tokens", async () => {
    await open("rope", "rotation", { content: { seed: 1 }, crosshair: { row: 300, column: 100 } });
    expect(await panel.figure.getAttribute("aria-label")).toMatch(/Rotation, pair 0, m = 300, n = 100$/);
    const numbers = async (name: string) => {
      const cells = panel.page.getByRole("region", { name }).locator("td.number");
      return (await cells.evaluateAll((all) => all.map((cell) => cell.getAttribute("title")))).map(Number);
    };
    for (const name of ["Proof in two dimensions", "Equivalent forms of the whole head"]) {
      const values = await numbers(name);
      expect(values.length).toBeGreaterThanOrEqual(3);
      expect(Math.max(...values) - Math.min(...values)).toBeLessThan(1e-11);
    }
    const before = await numbers("Proof in two dimensions");
    await application(/Rotation/).press("ArrowRight");
    await eventually(() => panel.figure.getAttribute("aria-label")).toContain("pair 1,");
    expect(await numbers("Proof in two dimensions")).not.toEqual(before);
  });

  it("keeps its numbers when both positions shift", async () => {
    await open("rope", "rotation", { content: "ones", shift: 5000, crosshair: { row: 30, column: 10 } });
    expect(await panel.figure.getAttribute("aria-label")).toContain("m = 5030, n = 5010");
    expect(await panel.figure.textContent()).toContain("(m − n)ω = 65.92°");
  });
});

describe("the Buckets view", () => {
  it("shows the row of each distance in both directions", async () => {
    await open("t5_bias", "buckets", { picked: { distance: 7 } });
    expect(await status()).toMatch(/δ = 7 \(key before the query\) → row 7 of 32 · for this distance only/);
    await application(/Buckets/).press("ArrowRight");
    await eventually(status).toMatch(/δ = 8 .* row 8 of 32 · shared by distances 8 … 11/);
    await application(/Buckets/).press("Home");
    await eventually(status).toMatch(/key after the query\) → row 31 of 32/);
  });

  it("follows the pointer after it rests", async () => {
    await open("shaw", "buckets");
    const before = await status();
    const box = await application(/Buckets/).boundingBox();
    if (box === null) throw new Error("not shown");
    await panel.page.mouse.move(box.x + box.width * 0.9, box.y + 150);
    await eventually(status).not.toBe(before);
  });
});

describe("the Curves view", () => {
  it("draws a line per head and ALiBi's slopes", async () => {
    await open("alibi", "curves", { picked: { distance: 10 } });
    expect(await panel.figure.getAttribute("aria-label")).toMatch(/ALiBi.*Curves, 8 heads, distances 0 … 511/);
    expect(await panel.figure.locator("path.line").count()).toBe(8);
    expect(await status()).toContain("head 0 3");
    const ladder = panel.page.getByRole("figure", { name: /slopes of 8 heads/ });
    await ladder.getByRole("application").press("ArrowRight");
    await eventually(async () => (await panel.state()).head).toBe(1);
  });

  it("draws a long curve as a band with a note that it is sampled", async () => {
    await open("rope", "curves", { queryLength: 1_000_000, keyLength: 1_000_000 });
    expect(await panel.figure.locator("path.area").count()).toBe(1);
    expect(await panel.figure.locator("path.line").count()).toBe(0);
    await panel.page.getByText(/over sampled distances in each column/).waitFor();
  });
});

describe("the Grid view", () => {
  it("shows one patch against all others and moves by keyboard", async () => {
    await open("swin_bias", "grid");
    expect(await panel.figure.getAttribute("aria-label")).toMatch(
      /Swin.*Grid, contribution of position, 7 × 7 patches/,
    );
    await eventually(status).toContain("query at row 3, column 3");
    await application(/contribution of position/).press("ArrowUp");
    await eventually(status).toContain("query at row 2, column 3");
    await application(/contribution of position/).press("Shift+ArrowRight");
    await eventually(status).toContain("key at row 0, column 1");
  });
});

describe("the Terms view", () => {
  it("shows CoPE's gates and Shaw's value term", async () => {
    await open("cope", "terms", { queryLength: 64, keyLength: 64, crosshair: { row: 40, column: 12 } });
    const gates = panel.page.getByRole("region", { name: "Gates of the row" });
    expect(await gates.getByRole("figure").count()).toBe(2);
    expect(await gates.textContent()).toContain("Gates of row 40");
  });

  it("shows the output with Shaw's value vectors", async () => {
    await open("shaw", "terms", { queryLength: 64, keyLength: 64, crosshair: { row: 40, column: 12 } });
    const part = panel.page.getByRole("region", { name: "What reaches the output" });
    expect(await part.getByRole("figure").getAttribute("aria-label")).toMatch(/Shaw.*output of row 40/);
    expect(await part.locator("path.line").count()).toBe(3);
  });
});

describe("the equation of the four terms", () => {
  it("is above the terms, each with its own, and what reaches the output is below", async () => {
    await open("transformer_xl", "terms");
    await panel.drawn();
    const equation = panel.page.getByRole("region", { name: "Equation of the four terms" });
    expect(await equation.textContent()).toContain("The two pᵢ W_Q became trained vectors u and v");
    expect(await equation.locator("math").count()).toBeGreaterThan(0);
    expect(await panel.page.locator(".multiple .term-equation math").count()).toBe(4);
    const output = panel.page.getByRole("region", { name: "What reaches the output" });
    expect(await output.textContent()).toContain("The values carry no position");
    expect(await output.getByRole("figure").count()).toBe(0);
  });

  it("draws the positions in the output of an absolute encoding", async () => {
    await open("learned_absolute", "terms", { queryLength: 64, keyLength: 64, crosshair: { row: 40, column: 12 } });
    const output = panel.page.getByRole("region", { name: "What reaches the output" });
    expect(await output.getByRole("figure").getAttribute("aria-label")).toMatch(/Learned table.*output of row 40/);
    expect(await output.textContent()).toContain("from the positions");
  });
});

describe("the rotation matrix", () => {
  it("is shown in symbols, and for the half layout with the permutation to blocks", async () => {
    await open("rope", "rotation");
    const part = panel.page.getByRole("region", { name: "Matrix and element-wise form" });
    expect(await part.locator("posenc-formula math").count()).toBeGreaterThan(1);
    expect(await part.getByRole("table", { name: "Permuted rotation matrix" }).count()).toBe(1);
    await open("rope", "rotation", { changes: { layout: "interleaved" } });
    expect(await part.getByRole("table", { name: "Permuted rotation matrix" }).count()).toBe(0);
  });
});

describe("a chart view at 360 pixels", () => {
  it.each(["frequencies", "rotation", "curves"] as const)("needs no sideways scrolling: %s", async (view) => {
    await open("rope", view, {}, { width: 360, height: 800 });
    const [scroll, width] = await panel.page.evaluate(() => [
      document.documentElement.scrollWidth,
      document.documentElement.clientWidth,
    ]);
    expect(scroll).toBeLessThanOrEqual(width ?? 0);
  });
});
