import { decode } from "fast-png";
import { describe, expect, it } from "vitest";
import { Panel, type PanelSetup } from "../../../scripts/lib/pages/panelPage.ts";
import { colourTable } from "../../../src/core/export/colourMaps.ts";
import type { BoundConfig } from "../../../src/core/protocol/messages.ts";
import { type CompareSide, initialPanelState, type PanelState } from "../../../src/core/protocol/state.ts";
import type { EncodingId, Params } from "../../../src/core/spec.ts";
import { attentionWeight, collectRowStatistics, readCell } from "../../../src/core/terms/engine.ts";
import { derivePanelEncoding } from "../../../webview/state/panelEncoding.ts";
import { eventually, usePage } from "../support/usePage.ts";

const panel = usePage(new Panel(), "webview");

const open = (setup: PanelSetup) => panel.open(setup);

function side(encoding: EncodingId, changes: Params = {}): CompareSide {
  return { encoding, config: null, given: null, changes: { ...changes } };
}

function stateOf(encoding: EncodingId, change: Partial<PanelState> = {}): PanelState {
  return { ...initialPanelState(encoding), keyLength: 96, queryLength: 96, ...change };
}

const pane = (name: string) => panel.page.getByRole("region", { name, exact: true });
const figureOf = (name: string) => pane(name).getByRole("figure");
const plotOf = (name: string) => pane(name).getByRole("application");

async function drawn(): Promise<void> {
  for (const name of ["side A", "side B", "A − B"])
    await pane(name).locator('[role=figure][aria-busy="false"]').waitFor();
}

/** A, B and A − B of a row of the readout's table. */
async function numbers(name: string): Promise<number[]> {
  const row = panel.readout.getByRole("row").filter({ has: panel.page.getByRole("rowheader", { name, exact: true }) });
  const cells = await row.getByRole("cell").all();
  return Promise.all(cells.map(async (cell) => Number(await cell.getAttribute("title"))));
}

/** The most frequent colour of a plot, and its share of the pixels. */
async function mainColour(name: string): Promise<{ colour: string; share: number }> {
  await drawn();
  const { data, channels, width, height } = decode(await plotOf(name).screenshot());
  const counts = new Map<string, number>();
  for (let n = 0; n < data.length; n += channels) {
    const colour = `${data[n]},${data[n + 1]},${data[n + 2]}`;
    counts.set(colour, (counts.get(colour) ?? 0) + 1);
  }
  const [colour, count] = [...counts].reduce((most, entry) => (entry[1] > most[1] ? entry : most), ["", 0]);
  return { colour, share: count / (width * height) };
}

function spec(rope_theta: number): BoundConfig["specs"][number] {
  const params = { rope_theta, head_dim: 64 };
  const sources = { rope_theta: "config", head_dim: "config" } as const;
  return { encoding: "rope", where: "text", layers: "all", params, sources, evidence: [], confidence: "checked" };
}

function config(name: string, rope_theta: number): BoundConfig {
  return { uri: `file:///${name}/config.json`, title: `${name} / config.json`, version: 1, specs: [spec(rope_theta)] };
}

describe("a comparison of two encodings", () => {
  it("draws A, B and their difference, and shows the numbers of core", async () => {
    const state = stateOf("rope", { compare: side("alibi"), crosshair: { row: 60, column: 20 } });
    await open({ state });
    await drawn();
    expect(await figureOf("side A").getAttribute("aria-label")).toMatch(/^A: RoPE.*\(default\), Scores, 96 × 96$/);
    expect(await figureOf("side B").getAttribute("aria-label")).toMatch(/^B: ALiBi.*, Scores, 96 × 96$/);
    expect(await figureOf("A − B").getAttribute("aria-label")).toMatch(/^difference between RoPE.* and ALiBi/);
    const [a, b] = [
      derivePanelEncoding(state, null)?.resolved,
      derivePanelEncoding({ ...state, ...side("alibi") }, null)?.resolved,
    ];
    if (a == null || b == null) throw new Error("a side cannot be drawn");
    const readings = [a, b].map(({ attention }) => readCell(attention, 60, 20));
    const weights = [a, b].map(({ attention }, n) =>
      attentionWeight(readings[n]?.logit ?? 0, collectRowStatistics(attention, 60)),
    );
    const expected = (values: readonly number[]) => [...values, (values[0] ?? 0) - (values[1] ?? 0)];
    const logits = await numbers("logit");
    for (const [n, value] of expected(readings.map(({ logit }) => logit)).entries())
      expect(logits[n]).toBeCloseTo(value, 10);
    await eventually(async () => (await numbers("attention weight"))[1]).toBeCloseTo(weights[1] ?? 0, 12);
    expect((await numbers("attention weight"))[2]).toBeCloseTo((weights[0] ?? 0) - (weights[1] ?? 0), 12);
  });

  it("draws no difference between equal sides, in the middle colour of the map", async () => {
    await open({
      state: stateOf("alibi", { compare: side("alibi"), causal: false, crosshair: { row: 0, column: 0 } }),
    });
    const { colour, share } = await mainColour("A − B");
    expect(colour).toBe([...colourTable("difference").slice(128 * 3, 129 * 3)].join(","));
    expect(share).toBeGreaterThan(0.95);
    expect((await mainColour("side A")).share).toBeLessThan(0.2);
  });

  it("gives equal numbers equal colours on both sides", async () => {
    // Side B differs from A only in the distance penalty, so both have the same diagonal.
    const state = stateOf("alibi", {
      compare: side("alibi", { num_heads: 2 }),
      view: "bias",
      crosshair: { row: 95, column: 0 },
    });
    await open({ state });
    await drawn();
    const colourAt = async (name: string) => {
      const { data, channels, width, height } = decode(await plotOf(name).screenshot());
      const at = (Math.floor(height / 4) * width + Math.floor(width / 4)) * channels;
      return [data[at], data[at + 1], data[at + 2]];
    };
    expect(await colourAt("side A")).toEqual(await colourAt("side B"));
  });

  it("can use separate colour ranges if one side makes the other pale", async () => {
    await open({ state: stateOf("rope", { compare: side("alibi"), causal: false, crosshair: { row: 0, column: 0 } }) });
    const before = (await mainColour("side A")).share;
    await panel.page.getByRole("combobox", { name: "colours of A and B" }).click();
    await panel.page.getByRole("option", { name: "separate" }).click();
    await eventually(async () => (await panel.state()).sharedColours).toBe(false);
    await eventually(async () => (await mainColour("side A")).share).toBeLessThan(before / 2);
  });

  it("zooms, pans and points in all three pictures at once", async () => {
    await open({ state: stateOf("rope", { compare: side("alibi") }) });
    await drawn();
    const before = await Promise.all(["side A", "side B"].map((name) => plotOf(name).screenshot()));
    await plotOf("A − B").focus();
    await plotOf("A − B").press("+");
    await eventually(async () => (await panel.state()).viewport?.rows).toBe(64);
    await drawn();
    for (const [n, name] of ["side A", "side B"].entries())
      await eventually(async () => (await plotOf(name).screenshot()).equals(before[n] ?? Buffer.of())).toBe(false);
    await plotOf("side B").press("Home");
    await eventually(async () => (await panel.state()).crosshair?.column).toBe(0);
    await eventually(() => panel.readout.textContent()).toMatch(/key j\s*0/);
  });

  it("exports the picture in focus: the difference, in float64", async () => {
    const state = stateOf("rope", { compare: side("alibi"), keyLength: 12, queryLength: 12, causal: false });
    await open({ state });
    await drawn();
    await plotOf("A − B").focus();
    await panel.page.getByRole("button", { name: "Export" }).click();
    await panel.page.getByRole("menuitem", { name: /CSV/ }).click();
    const { data } = await panel.savedFile();
    const rows = String(data)
      .trim()
      .split("\n")
      .map((line) => line.split(",").map(Number));
    const [a, b] = [
      derivePanelEncoding(state, null)?.resolved,
      derivePanelEncoding({ ...state, ...side("alibi") }, null)?.resolved,
    ];
    if (a == null || b == null) throw new Error("a side cannot be drawn");
    const logit = ({ attention }: typeof a, row: number, column: number) => readCell(attention, row, column).logit;
    expect(rows).toHaveLength(12);
    for (const [row, column] of [
      [0, 0],
      [11, 3],
      [2, 9],
    ] as const)
      expect(rows[row]?.[column]).toBeCloseTo(logit(a, row, column) - logit(b, row, column), 10);
  });

  it("gives a reason if a view is not available for one side, and draws A alone", async () => {
    await open({ state: stateOf("alibi", { compare: side("rope"), view: "bias" }) });
    await panel.page.getByText(/Side B is not available in this view\. RoPE.* has no bias/).waitFor();
    expect(await panel.figure.getAttribute("aria-label")).toMatch(/^ALiBi/);
    await panel.chooseView("Rotation");
    await panel.page.getByText(/Rotation shows side A only/).waitFor();
  });

  it("overlays curves and frequencies, A solid and B dashed", async () => {
    const compare = side("rope", { rope_type: "linear", factor: 4 });
    await open({ state: stateOf("rope", { compare, view: "frequencies", picked: { pair: 10 } }) });
    const status = panel.page.getByRole("status", { name: "Readout" });
    await eventually(() => status.textContent()).toMatch(
      /k = 10 · A: full rotation in .* · B: full rotation in .* · A ÷ B 0\.25/,
    );
    await panel.chooseView("Curves");
    await eventually(() => status.textContent()).toMatch(/δ = \d+ · A .* · B .* · A − B/);
    expect(await panel.page.locator(".chart-key li").allTextContents()).toEqual([
      expect.stringMatching(/^A: RoPE/),
      expect.stringMatching(/^B: RoPE · .*×4/),
    ]);
  });

  it("draws both sides up to the end of the shorter one", async () => {
    const compare = side("learned_absolute", { max_position_embeddings: 40 });
    await open({ state: stateOf("rope", { compare }) });
    await drawn();
    await eventually(() => figureOf("side A").getAttribute("aria-label")).toMatch(/40 × 40$/);
    await panel.page.getByText(/Compared up to position 39/).waitFor();
  });

  it("places the pictures below each other in a narrow panel", async () => {
    await open({ state: stateOf("rope", { compare: side("alibi") }), width: 700, height: 900 });
    await drawn();
    const [a, b] = await Promise.all(["side A", "side B"].map((name) => pane(name).boundingBox()));
    expect(b?.y).toBeGreaterThan((a?.y ?? 0) + (a?.height ?? 0) - 1);
  });
});

describe("the selection of side B", () => {
  const compareButton = () => panel.page.getByRole("button", { name: "Compare…" });
  const search = () => panel.page.getByRole("combobox", { name: "Compare with another encoding, model or config" });

  it("searches encodings and models, works with the keyboard, and can be ended", async () => {
    await open({ state: stateOf("rope") });
    await compareButton().press("Enter");
    await search().fill("bloom 560");
    await search().press("Enter");
    await eventually(async () => (await panel.state()).compare).toMatchObject({
      encoding: "alibi",
      given: { name: "BLOOM 560M", values: { num_heads: 16 } },
    });
    await drawn();
    await panel.page.getByRole("button", { name: "Stop comparing" }).click();
    await eventually(async () => (await panel.state()).compare).toBeNull();
  });

  it("offers the config as written after a change, and lists the differences", async () => {
    const own = config("a", 500_000);
    const state = stateOf("rope", { config: { uri: own.uri, index: 0 }, changes: { rope_theta: 1000 } });
    await open({ state, config: own });
    await compareButton().click();
    await panel.page.getByRole("option", { name: "Config as written" }).click();
    await drawn();
    const differing = panel.page.getByRole("region", { name: "Parameter differences" });
    await eventually(() => differing.getByRole("row").allTextContents()).toEqual([
      expect.stringMatching(/parameter\s*A\s*B/),
      expect.stringContaining("scores for the same q and k"),
      expect.stringMatching(/rope_theta\s*1000\s*500.000/),
    ]);
    await differing
      .getByText(
        /^Divergence at distance \d+: .* differ by more than 10 % of their spread, because the rotation angles differ/,
      )
      .waitFor();
  });

  it("takes a config from the workspace, swaps the sides, and undoes both", async () => {
    const [own, other] = [config("a", 500_000), config("b", 10_000)];
    const state = stateOf("rope", { config: { uri: own.uri, index: 0 } });
    await open({ state, config: own, picked: other });
    await compareButton().click();
    await panel.page.getByRole("option", { name: "Config from the workspace…" }).click();
    await eventually(async () => (await panel.state()).compare?.config).toEqual({ uri: other.uri, index: 0 });
    await pane("side B").getByText("b / config.json").waitFor();
    await panel.page.getByRole("button", { name: "Swap A and B" }).click();
    await eventually(async () => (await panel.state()).config?.uri).toBe(other.uri);
    await eventually(() => panel.field("rope_theta").inputValue()).toMatch(/^10.000$/);
    await pane("side B").getByText("a / config.json").waitFor();
    const undo = panel.page.getByRole("button", { name: "Undo" });
    await eventually(() => undo.getAttribute("disabled")).toBeNull();
    await undo.click();
    await eventually(() => panel.field("rope_theta").inputValue()).toMatch(/^500.000$/);
    await undo.click();
    await eventually(async () => (await panel.state()).compare).toBeNull();
  });

  it("is restored with the compared config and follows it", async () => {
    const [own, other] = [config("a", 500_000), config("b", 10_000)];
    const compare = { ...side("rope"), config: { uri: other.uri, index: 0 } };
    const state = stateOf("rope", { config: { uri: own.uri, index: 0 }, compare, crosshair: { row: 60, column: 20 } });
    await open({ state, config: own, compared: other });
    await drawn();
    const before = (await numbers("logit"))[1];
    await panel.send({ type: "compared", config: { ...other, version: 2, specs: [spec(77)] }, problem: null });
    await eventually(async () => (await numbers("logit"))[1]).not.toBe(before);
  });
});
