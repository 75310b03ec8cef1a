import { describe, expect, it } from "vitest";
import { Panel, type PanelSetup } from "../../../scripts/lib/pages/panelPage.ts";
import type { BoundConfig } from "../../../src/core/protocol/messages.ts";
import { initialPanelState, type PanelState, type ViewId } from "../../../src/core/protocol/state.ts";
import type { EncodingId, EncodingSpec, Params } from "../../../src/core/spec.ts";
import { eventually, usePage } from "../support/usePage.ts";

const panel = usePage(new Panel(), "webview");

async function open(encoding: EncodingId, view: ViewId, change: Partial<PanelState> = {}, setup: PanelSetup = {}) {
  const state = { ...initialPanelState(encoding), view, ...change };
  await panel.open({ state, ...setup });
  await panel.page.locator('[role=figure][aria-busy="false"], .why').first().waitFor();
}

const size = (tokens: number) => ({ keyLength: tokens, queryLength: tokens });
const status = () => panel.page.locator("[role=status].chart-status").textContent();
const slider = (name: string) => panel.page.locator(".two-handles").getByRole("slider", { name });

describe("the Extrapolation view", () => {
  it("has two handles that move by keyboard, and exact fields", async () => {
    await open("rope", "extrapolation", size(16_384));
    expect(await panel.figure.getAttribute("aria-label")).toMatch(
      /^RoPE.*Extrapolation, upper bound of the score by distance, training context 4096, current length 16384$/,
    );
    expect(await status()).toMatch(/At 16.384 tokens, .* 18 of 64 pairs reach unseen angles/);
    await slider("training context").press("ArrowRight");
    await eventually(async () => ((await panel.state()).trained ?? 0) > 4096).toBe(true);
    await panel.page.locator(".lengths").getByRole("textbox", { name: "training context" }).fill("16384");
    await eventually(async () => (await panel.state()).trained).toBe(16_384);
    await eventually(status).toContain("Every pair stays within the angles seen in training");
    await panel.page.getByRole("button", { name: "Reset training context" }).click();
    await eventually(async () => (await panel.state()).trained).toBeNull();
    await slider("current length").press("Home");
    await eventually(async () => (await panel.state()).keyLength).toBe(16);
  });

  it("exceeds the training context with one click", async () => {
    await open("rope", "extrapolation");
    expect(await status()).toContain("At 512 tokens, 100 % of the cells");
    await panel.page.getByRole("button", { name: "Set the current length to 4 × the training context" }).click();
    await eventually(async () => (await panel.state()).keyLength).toBe(16_384);
  });

  it("moves both handles by pointer", async () => {
    await open("rope", "extrapolation", size(65_536));
    const track = await panel.page.locator(".two-handles").boundingBox();
    if (track === null) throw new Error("no track");
    const along = (length: number) =>
      track.x + 5.5 + ((track.width - 11) * Math.log(length / 16)) / Math.log(2 ** 20 / 16);
    const y = track.y + 11;
    await panel.page.mouse.move(along(4096), y);
    await panel.page.mouse.down();
    await panel.page.mouse.move(along(1024), y, { steps: 4 });
    await panel.page.mouse.up();
    await eventually(async () => Math.abs(((await panel.state()).trained ?? 0) / 1024 - 1) < 0.1).toBe(true);
    expect((await panel.state()).keyLength).toBe(65_536);
  });

  it("switches the scaling in place, fitted to both lengths", async () => {
    await open("rope", "extrapolation", size(16_384));
    const methods = panel.page.getByRole("region", { name: "Scaling methods compared" });
    expect(await methods.getByRole("row").count()).toBe(8);
    await methods.getByRole("button", { name: "Use YaRN" }).click();
    await eventually(async () => (await panel.state()).changes).toMatchObject({
      rope_type: "yarn",
      factor: 4,
      original_max_position_embeddings: 4096,
    });
    await eventually(status).toContain("Every pair stays within the angles seen in training");
    expect(await methods.getByRole("row", { name: /^YaRN/ }).getAttribute("aria-current")).toBe("true");
  });

  it("lists five reasons, three of them with a number", async () => {
    await open("rope", "extrapolation", size(16_384));
    const reasons = panel.page.getByRole("region", { name: "Five arguments for relative encodings" });
    expect(await reasons.getByRole("listitem").count()).toBe(5);
    expect(await reasons.locator("strong").count()).toBe(3);
    expect(await reasons.textContent()).toMatch(/n\/a: requires a trained model.*being relative is not enough/s);
  });

  it("shows the first position outside a table, and the saturation of buckets", async () => {
    await open("learned_absolute", "extrapolation", size(2048));
    expect(await status()).toContain("Position 512 does not exist");
    await open("t5_bias", "extrapolation", size(4096));
    expect(await status()).toContain("All distances ≥ 128 share row 15");
  });

  it("is in Chinese with that language", async () => {
    await open("rope", "extrapolation", size(16_384), { language: "zh-cn" });
    expect(await panel.page.getByRole("region", { name: "支持相对编码的五个理由" }).textContent()).toContain(
      "仅有相对性还不够",
    );
  });
});

describe("the Precision view", () => {
  it("shows positions, angles and cosines of the selected pair in four formats", async () => {
    await open("rope", "precision", { ...size(8192), picked: { pair: 10, position: 1001 } });
    expect(await panel.page.getByRole("figure", { name: /Precision, errors in/ }).count()).toBe(3);
    expect(await status()).toMatch(/p = 1001: angle 237\.\d+ rad.*bfloat16: position 1000, angle/);
    const row = panel.page.getByRole("row", { name: /^bfloat16 8/ });
    expect(await row.textContent()).toMatch(/257/);
    await panel.page.getByRole("slider", { name: "pair k" }).press("Home");
    await eventually(status).toMatch(/p = 1001: angle 1001 rad/);
  });

  it("shows where ALiBi's bias repeats, and why T5 has nothing to round", async () => {
    await open("alibi", "precision", size(8192));
    expect(await panel.page.getByRole("row", { name: /^float16/ }).textContent()).toMatch(/2049/);
    await open("t5_bias", "precision");
    expect(await panel.page.locator(".why").textContent()).toContain("no format rounds them");
  });
});

describe("the Positions view", () => {
  const ids = () => panel.page.getByRole("status", { name: "Position ids" }).textContent();

  it("restarts ids at packed documents and hides other documents", async () => {
    await open("rope", "positions", { ...size(64), crosshair: { row: 40, column: 10 } });
    await eventually(ids).toContain("query: token 40, id 40; key: token 10, id 10");
    await panel.page.getByRole("group", { name: "Position ids" }).getByRole("combobox").press("End");
    await eventually(async () => (await panel.state()).positions.kind).toBe("packed");
    await panel.field("document lengths").fill("16, 8");
    await eventually(async () => (await panel.state()).positions.documents).toEqual([16, 8]);
    await eventually(ids).toContain("query: token 40, id 0; key: token 10, id 10");
    await eventually(() => panel.readout.textContent()).toContain("masked");
    expect(await panel.readout.textContent()).toContain("0 − 10 = −10");
    await eventually(() => panel.page.getByRole("img", { name: "Position ids of 64 keys" }).textContent()).toMatch(
      /0 … 15.*0 … 7/s,
    );
  });

  it("keeps the scores if padded tokens are numbered by the mask", async () => {
    const padded: PanelState["positions"] = { kind: "left_padding", padding: 5, fromMask: true, documents: [128] };
    await open("sinusoidal", "positions", {
      ...size(24),
      content: "ones",
      positions: padded,
      crosshair: { row: 20, column: 9 },
    });
    await panel.drawn();
    const withMask = await panel.reading("logit");
    await panel.page.getByText("ids from the attention mask").click();
    await eventually(async () => (await panel.state()).positions.fromMask).toBe(false);
    await eventually(() => panel.reading("logit")).not.toBe(withMask);
  });

  it("decodes one token after its cache, and shows the three ids of a picture's tokens", async () => {
    await open("mrope", "positions", { ...size(300), crosshair: { row: 299, column: 40 } });
    await eventually(ids).toMatch(/key: token 40, id 32, 32, 40/);
    await panel.page.getByRole("button", { name: "Decode one token" }).click();
    await eventually(async () => (await panel.state()).queryLength).toBe(1);
    expect((await panel.state()).keyLength).toBe(300);
  });
});

function spec(encoding: EncodingId, layers: readonly number[], params: Params): EncodingSpec {
  return {
    encoding,
    where: "text",
    layers,
    params: { ...params, num_layers: 6 },
    sources: {},
    evidence: [],
    confidence: "checked",
  };
}

const LAYERED: BoundConfig = {
  uri: "file:///model/config.json",
  title: "config.json",
  version: 1,
  specs: [
    spec("rope", [0, 1, 3, 4], { rope_theta: 10_000, head_dim: 64, sliding_window: 512 }),
    spec("rope", [2], { rope_theta: 1_000_000, head_dim: 64 }),
  ],
};

describe("the Layers view", () => {
  const bound = (index: number) => ({ config: { uri: LAYERED.uri, index } });

  it("shows one cell per layer and selects a layer's encoding by keyboard or pointer", async () => {
    await open("rope", "layers", bound(0), { config: LAYERED });
    expect(await panel.figure.getAttribute("aria-label")).toMatch(/^RoPE.*Layers, 6 layers$/);
    expect(await status()).toMatch(/layer 0 · RoPE.*sliding window of 512 keys/);
    const strip = panel.page.getByRole("application", { name: /Layers, 6 layers/ });
    await strip.press("ArrowRight");
    await strip.press("ArrowRight");
    await eventually(status).toMatch(/layer 2 · RoPE · θ 1e6 · full attention/);
    await eventually(async () => (await panel.state())?.config?.index).toBe(0);
    await strip.press("Enter");
    await eventually(async () => (await panel.state()).config?.index).toBe(1);
    await strip.press("End");
    await eventually(status).toMatch(/layer 5 · no position encoding/);
    await panel.page.locator(".layer-cells .layer").first().click();
    await eventually(async () => (await panel.state()).config?.index).toBe(0);
  });

  it("shows what to do without a config", async () => {
    await open("rope", "layers");
    expect(await panel.page.locator(".why").textContent()).toContain("Open its config");
  });
});

describe("a shift of both positions", () => {
  it.each(["curves", "buckets"] as const)("is reported as having no effect in the view %s", async (view) => {
    await open("t5_bias", view, { shift: 250 });
    await panel.page.getByText(/Both positions are shifted by 250\. Distances do not change/).waitFor();
  });
});

describe("the Example view", () => {
  it("scores custom vectors and restores the token's own", async () => {
    await open("rope", "example");
    const none = panel.page.getByRole("figure", { name: "Example, No position, scores, 3 × 3" });
    const first = none.locator("td[title]").first();
    await panel.field("Vector of token 1, component 1").fill("3");
    await panel.field("Vector of token 1, component 2").fill("-2");
    await eventually(async () => (await panel.state()).vectors).toEqual([[3, -2], null, null]);
    await eventually(() => first.getAttribute("title")).toBe("13");
    await panel.page.getByRole("button", { name: "Reset the vector of this token" }).click();
    await eventually(() => first.getAttribute("title")).toBe("1");
  });

  it("shows a shift of all positions for absolute encodings, and explains a cell step by step", async () => {
    await open("rope", "example", { shift: 3, crosshair: { row: 0, column: 1 } });
    const verdict = (name: string) => panel.page.getByRole("figure", { name }).locator(".verdict").textContent();
    expect(await verdict("Example, Absolute, scores, 3 × 3")).toContain("Shifted by 3: 9 of 9 scores changed");
    expect(await verdict("Example, RoPE, scores, 3 × 3")).toContain("no scores changed");
    const steps = panel.page.getByRole("status", { name: "Step by step" });
    expect(await steps.textContent()).toMatch(/R\(4·θ\) \[1, 0\].*4 − 5 = −1/s);
  });
});

describe("axial RoPE", () => {
  it("has a picture in the Grid view", async () => {
    await open("rope", "grid", { changes: { rope_type: "axial", head_dim: 32, grid_height: 4, grid_width: 6 } });
    expect(await panel.figure.getAttribute("aria-label")).toMatch(/\(axial\), Grid, logit, 4 × 6 patches/);
  });
});

describe("every chart view", () => {
  const VIEWS: readonly (readonly [EncodingId, ViewId, Partial<PanelState>])[] = [
    ["alibi", "curves", {}],
    ["rope", "rotation", {}],
    ["t5_bias", "buckets", {}],
    ["swin_bias", "grid", {}],
    ["rope", "extrapolation", size(8192)],
    ["rope", "precision", size(2048)],
    ["rope", "example", {}],
  ];

  it.each(VIEWS)("exports %s, %s as vectors with their own colours, and as a table", async (encoding, view, change) => {
    await open(encoding, view, change);
    await panel.fromMenu("Export", "SVG");
    const text = String((await panel.savedFile()).data);
    expect(text).toMatch(/^<svg[^>]* xmlns="http:\/\/www\.w3\.org\/2000\/svg"/);
    expect(text).toContain("<title>");
    expect(text).not.toMatch(/class=|var\(|color\(|<!--/);
    expect(text).not.toContain("NaN");
    // Outlines stay outlines: without its style, a shape would be filled with black.
    for (const [circle] of text.matchAll(/<circle[^>]* r="92"[^>]*>/g)) expect(circle).toContain('fill="none"');
  });
});

describe("an analysis view at 360 pixels", () => {
  it.each(["extrapolation", "precision", "positions", "layers", "example"] as const)(
    "needs no sideways scrolling: %s",
    async (view) => {
      await open(
        "rope",
        view,
        { config: { uri: LAYERED.uri, index: 0 } },
        { width: 360, height: 800, config: LAYERED },
      );
      const [scroll, width] = await panel.page.evaluate(() => [
        document.documentElement.scrollWidth,
        document.documentElement.clientWidth,
      ]);
      expect(scroll).toBeLessThanOrEqual(width ?? 0);
    },
  );
});
