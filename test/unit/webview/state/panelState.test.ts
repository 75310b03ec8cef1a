import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { BoundConfig } from "../../../../src/core/protocol/messages.ts";
import { initialPanelState, type PanelState, VIEW_IDS } from "../../../../src/core/protocol/state.ts";
import {
  centreOn,
  clampViewport,
  panViewport,
  revealCell,
  sampleIndices,
  visibleRange,
  zoomViewport,
} from "../../../../webview/matrix/viewport.ts";
import { derivePanelEncoding } from "../../../../webview/state/panelEncoding.ts";
import * as change from "../../../../webview/state/reducers.ts";
import { createCachedResolver } from "../../../../webview/state/resolvedEncoding.ts";

const extents = fc.record({
  rows: fc.integer({ min: 1, max: 10_000_000 }),
  columns: fc.integer({ min: 1, max: 10_000_000 }),
});
const anything = fc.double({ min: -2e7, max: 2e7, noNaN: true });
const viewports = fc.record({ row: anything, column: anything, rows: anything, columns: anything });
const fraction = fc.double({ min: 0, max: 1, noNaN: true });

describe("the viewport", () => {
  const inside = (
    viewport: { row: number; column: number; rows: number; columns: number },
    extent: { rows: number; columns: number },
  ) => {
    expect(viewport.row).toBeGreaterThanOrEqual(0);
    expect(viewport.column).toBeGreaterThanOrEqual(0);
    expect(viewport.rows).toBeGreaterThan(0);
    expect(viewport.row + viewport.rows).toBeLessThanOrEqual(extent.rows + 1e-6);
    expect(viewport.column + viewport.columns).toBeLessThanOrEqual(extent.columns + 1e-6);
  };

  it("stays inside the matrix after any operation", () => {
    fc.assert(
      fc.property(
        viewports,
        extents,
        fc.double({ min: 0.01, max: 100, noNaN: true }),
        fraction,
        fraction,
        (any, extent, factor, x, y) => {
          const viewport = clampViewport(any, extent);
          inside(viewport, extent);
          inside(zoomViewport(viewport, extent, factor, { x, y }), extent);
          inside(panViewport(viewport, extent, any.row, any.column), extent);
          inside(centreOn(viewport, extent, { row: Math.floor(x * extent.rows), column: 0 }), extent);
        },
      ),
    );
  });

  it("keeps the cell under the pointer when zooming in", () => {
    const extent = { rows: 1000, columns: 1000 };
    const before = { row: 200, column: 300, rows: 400, columns: 400 };
    const after = zoomViewport(before, extent, 0.5, { x: 0.25, y: 0.75 });
    expect(after.column + 0.25 * after.columns).toBeCloseTo(before.column + 0.25 * before.columns, 9);
    expect(after.row + 0.75 * after.rows).toBeCloseTo(before.row + 0.75 * before.rows, 9);
  });

  it("moves only as far as needed to reveal a cell", () => {
    const extent = { rows: 1000, columns: 1000 };
    const viewport = { row: 100, column: 100, rows: 50, columns: 50 };
    expect(revealCell(viewport, extent, { row: 120, column: 149 })).toEqual(viewport);
    expect(revealCell(viewport, extent, { row: 99, column: 150 })).toEqual({ ...viewport, row: 99, column: 101 });
  });

  it("samples existing cells in order", () => {
    expect(sampleIndices(0, 4, 4, 4)).toEqual([0, 1, 2, 3]);
    expect(sampleIndices(0, 10_000_000, 2, 10_000_000)).toEqual([2_500_000, 7_500_000]);
    expect(visibleRange(0.5, 3, 10)).toEqual({ from: 0, to: 4 });
    expect(visibleRange(2, 3, 4)).toEqual({ from: 2, to: 4 });
  });
});

describe("a change of the panel state", () => {
  const fresh = initialPanelState("rope");

  it("keeps at least as many keys as queries", () => {
    const longer = change.changeQueryLength(1000)(fresh);
    expect([longer.queryLength, longer.keyLength]).toEqual([1000, 1000]);
    const decoding = change.changeQueryLength(1)(fresh);
    expect([decoding.queryLength, decoding.keyLength]).toEqual([1, 512]);
    const shorter = change.changeKeyLength(100)(change.changeQueryLength(300)(fresh));
    expect([shorter.queryLength, shorter.keyLength]).toEqual([100, 100]);
  });

  it("changes the number of queries with the length while both are equal", () => {
    const longer = change.changeKeyLength(131_072)(fresh);
    expect([longer.queryLength, longer.keyLength]).toEqual([131_072, 131_072]);
  });

  it("keeps the viewport between views with the same axes and resets it otherwise", () => {
    const placed = change.changeViewport({ row: 1, column: 2, rows: 30, columns: 40 })(fresh);
    expect(change.chooseView("attention")(placed).viewport).toEqual(placed.viewport);
    expect(change.chooseView("table")(placed).viewport).toBeNull();
  });

  it("to an encoding that starts with words follow it, unless the user chose another sequence", () => {
    const rope = initialPanelState("rope");
    const product = change.chooseEncoding("multiplicative")({ ...rope, crosshair: { row: 400, column: 3 } });
    expect(product).toMatchObject({ content: "tokens", keyLength: 48, queryLength: 48, crosshair: null });
    expect(change.chooseEncoding("alibi")(product)).toMatchObject({ content: "ones", keyLength: 512 });
    const chosen = change.chooseEncoding("multiplicative")({ ...rope, keyLength: 300 });
    expect(chosen).toMatchObject({ content: "ones", keyLength: 300 });
  });

  it("to another encoding drops parameters and config and keeps the sequence", () => {
    const bound = {
      ...change.changeParam("rope_theta", 5)(fresh),
      config: { uri: "file:///c", index: 0 },
      keyLength: 77,
    };
    const other = change.chooseEncoding("alibi")(bound);
    expect(other).toMatchObject({ encoding: "alibi", changes: {}, config: null, keyLength: 77 });
  });

  it("survives serialisation with setState", () => {
    for (const view of VIEW_IDS) {
      const state = change.chooseView(view)(change.changeCrosshair({ row: 3, column: 4 })(fresh));
      expect(JSON.parse(JSON.stringify(state))).toEqual(state);
    }
  });
});

const config: BoundConfig = {
  uri: "file:///model/config.json",
  title: "model / config.json",
  version: 3,
  specs: [
    {
      encoding: "rope",
      where: "text",
      layers: "all",
      params: { rope_theta: 500_000, head_dim: 128, rope_type: "default" },
      sources: { rope_theta: "config", head_dim: "derived", rope_type: "default" },
      evidence: [],
      confidence: "checked",
    },
  ],
};
const bound: PanelState = { ...initialPanelState("rope"), config: { uri: config.uri, index: 0 } };

describe("the resolved panel encoding", () => {
  const control = (state: PanelState, name: string) =>
    derivePanelEncoding(state, config)?.controls.find(({ parameter }) => parameter.name === name);

  it("has the source of each value", () => {
    expect(control(bound, "rope_theta")).toMatchObject({ value: 500_000, source: "config", base: 500_000 });
    expect(control(bound, "head_dim")).toMatchObject({ value: 128, source: "derived" });
    expect(control(bound, "layout")).toMatchObject({ source: "default" });
    const changed = change.changeParam("rope_theta", 1e6)(bound);
    expect(control(changed, "rope_theta")).toMatchObject({
      value: 1e6,
      source: "you",
      base: 500_000,
      baseSource: "config",
    });
  });

  it("names the broken rule at its control and has no picture until it is fixed", () => {
    const broken = change.changeParam("rope_theta", -1)(bound);
    const model = derivePanelEncoding(broken, config);
    expect(control(broken, "rope_theta")?.problem).toMatch(/greater than 0/);
    expect(model?.resolved).toBeNull();
    expect(derivePanelEncoding(change.resetParam("rope_theta")(broken), config)?.resolved).not.toBeNull();
  });

  it("computes its terms once per picture, however often the crosshair moves", () => {
    const resolve = createCachedResolver();
    const derive = (panel: PanelState) => derivePanelEncoding(panel, config, undefined, resolve)?.resolved;
    const before = derive(bound);
    expect(before).toBeDefined();
    expect(derive(change.changeCrosshair({ row: 5, column: 6 })(bound))).toBe(before);
    expect(derive(change.changeParam("rope_theta", 7)(bound))).not.toBe(before);
  });

  it("ends a learned table at its last row, with a note", () => {
    const state = change.changeKeyLength(4096)(initialPanelState("learned_absolute"));
    const drawable = derivePanelEncoding(state, null)?.resolved;
    expect(drawable?.limit?.size).toBe(512);
    expect(drawable?.scene.keyLength).toBe(512);
    const shifted = derivePanelEncoding({ ...state, shift: 500 }, null);
    expect(shifted?.resolved?.scene.keyLength).toBe(12);
    expect(derivePanelEncoding({ ...state, shift: 512 }, null)).toMatchObject({
      resolved: null,
      failure: expect.any(String),
    });
  });

  it("limits the length of encodings that must be computed from the start", () => {
    for (const encoding of ["cope", "recursive"] as const) {
      const drawable = derivePanelEncoding(
        change.changeKeyLength(10_000_000)(initialPanelState(encoding)),
        null,
      )?.resolved;
      expect(drawable?.scene.keyLength, encoding).toBe(2048);
      expect(drawable?.limit?.costly, encoding).toBe(true);
    }
  });

  it("combines any encoding with windows, chunks, kept first tokens and a sink", () => {
    const set = (state: PanelState) =>
      [
        change.setField("window", 8),
        change.setField("keepFirst", 2),
        change.setField("chunk", 16),
        change.setField("sink", 1.5),
      ].reduce((now, apply) => apply(now), state);
    const plain = derivePanelEncoding(initialPanelState("alibi"), null)?.resolved;
    const drawable = derivePanelEncoding(set(initialPanelState("alibi")), null)?.resolved;
    expect(drawable?.attention).toMatchObject({
      mask: { causal: true, window: 8, keepFirst: 2, chunk: 16 },
      extraLogit: 1.5,
    });
    expect(drawable?.attentionSource).toMatchObject({ mask: drawable?.attention.mask, extraLogit: 1.5 });
    expect(drawable).not.toBe(plain);
    expect(
      derivePanelEncoding(change.setField("keepFirst", 2)(initialPanelState("alibi")), null)?.resolved?.attention.mask,
    ).toEqual({
      causal: true,
    });
  });

  it("exists for every encoding of the table", async () => {
    const { ENCODINGS } = await import("../../../../src/core/encodings/index.ts");
    for (const encoding of ENCODINGS) {
      const model = derivePanelEncoding(initialPanelState(encoding.id), null);
      expect(model?.problems, encoding.id).toEqual([]);
      expect(model?.resolved?.attention.terms.length, encoding.id).toBeGreaterThan(0);
    }
  });
});
