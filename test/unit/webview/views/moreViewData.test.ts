import { describe, expect, test } from "vitest";
import { initialPanelState, type PanelState } from "../../../../src/core/protocol/state.ts";
import type { EncodingId, EncodingSpec, Params } from "../../../../src/core/spec.ts";
import { derivePanelEncoding } from "../../../../webview/state/panelEncoding.ts";
import {
  alongTrack,
  computeExtrapolation,
  computeOutcomes,
  distancesByRatio,
  resolveLengths,
} from "../../../../webview/views/extrapolation/computeExtrapolation.ts";
import { buildLayerStacks, formatRanges, hasDifferentValues } from "../../../../webview/views/layers/layerStacks.ts";
import { buildIdRows, idRuns, parseLengths, queryKeyIndex } from "../../../../webview/views/positions/idRows.ts";
import {
  biasByDistance,
  computePrecision,
  firstErrorAbove,
  roundedBias,
} from "../../../../webview/views/precision/computePrecision.ts";

function drawable(id: EncodingId, change: Partial<PanelState> = {}) {
  const made = derivePanelEncoding({ ...initialPanelState(id), ...change }, null)?.resolved;
  if (made === undefined || made === null) throw new Error("cannot be drawn");
  return made;
}

const size = (tokens: number) => ({ queryLength: tokens, keyLength: tokens });

describe("the extrapolation data", () => {
  const panel = (change: Partial<PanelState> = {}): PanelState => ({ ...initialPanelState("rope"), ...change });

  test("uses the training context of the parameters, or a custom one", () => {
    const rope = drawable("rope", size(9000));
    expect(resolveLengths(rope, panel(size(9000)))).toEqual({
      trainingContext: 4096,
      source: "parameter",
      currentLength: 9000,
    });
    expect(resolveLengths(rope, panel({ trained: 777 }))).toMatchObject({ trainingContext: 777, source: "you" });
  });

  test("shows the decay bound for rotary encodings and the logit for others, at every distance of the current length", () => {
    const rope = computeExtrapolation(drawable("rope", size(9000)), 4096, "parameter", 9000);
    expect(rope.decay.isBound).toBe(true);
    expect(rope.decay.deltas.at(-1)).toBe(8999);
    const alibi = computeExtrapolation(drawable("alibi", size(9000)), 2048, "usual", 9000);
    expect(alibi.decay.isBound).toBe(false);
    // Content of ones gives √64 = 8, and head 0 of 8 has slope 1/2.
    alibi.decay.deltas.forEach((delta, n) => {
      expect(alibi.decay.values[n]).toBeCloseTo(8 - delta / 2, 9);
    });
  });

  test("ends a table's curve at its last position", () => {
    const { decay, size: rows } = computeExtrapolation(drawable("learned_absolute", size(2048)), 512, "table", 2048);
    expect(rows).toBe(512);
    decay.deltas.forEach((delta, n) => {
      expect(Number.isFinite(decay.values[n]), String(delta)).toBe(delta < 512);
    });
  });

  test("has scalings only for encodings that support them", () => {
    expect(computeOutcomes(drawable("rope"), 4096, 16_384)).toHaveLength(7);
    expect(computeOutcomes(drawable("alibi"), 4096, 16_384)).toEqual([]);
    expect(computeOutcomes(drawable("rope", { changes: { rope_type: "axial", head_dim: 32 } }), 4096, 16_384)).toEqual(
      [],
    );
  });

  test("has whole steps in equal ratios, each once, from 1 to the last", () => {
    expect(distancesByRatio(12)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]);
    const [short, long] = [distancesByRatio(5000), distancesByRatio(90_000)];
    expect(long.slice(0, short.length - 1)).toEqual(short.slice(0, -1));
    expect([short.at(-1), long.at(-1), new Set(long).size]).toEqual([5000, 90_000, long.length]);
  });

  test("has a logarithmic track between its ends", () => {
    expect([16, 4096, 1 << 20].map((length) => alongTrack(length, 1 << 20))).toEqual([0, 0.5, 1]);
    expect(alongTrack(1, 1 << 20)).toBe(0);
  });
});

describe("the precision data", () => {
  test("rounds slope, distance and product of ALiBi's bias", () => {
    const alibi = drawable("alibi", { ...size(4096), head: 2 });
    expect(biasByDistance(alibi)?.(1000)).toBe(125);
    expect(roundedBias(alibi, "bfloat16")(1001)).toBe(125);
    expect(computePrecision(alibi, 0)?.rows.map(({ collision }) => collision)).toEqual([null, null, 2049, 257]);
  });

  test("has errors that grow with position and with coarser formats", () => {
    const model = computePrecision(drawable("rope", size(100_000)), 0);
    if (model === null) throw new Error("nothing turns");
    expect(firstErrorAbove(model.lines.phase, "bfloat16", 0.1)).toBeLessThan(
      firstErrorAbove(model.lines.phase, "float16", 0.1) ?? 0,
    );
    expect(firstErrorAbove(model.lines.phase, "float64", 1e-6)).toBeNull();
    const worst = model.lines.position.find(({ format }) => format === "bfloat16")?.points.at(-1)?.[1];
    // Between 2^16 and 2^17 bfloat16 has every 512th position.
    expect(worst).toBe(256);
  });

  test("follows the last row for FIRE, which depends on the query", () => {
    const fire = drawable("fire", size(64));
    const [bias] = fire.attention.terms.filter((term) => term.kind === "bias");
    expect(biasByDistance(fire)?.(10)).toBe(bias?.value(63, 53));
    expect(biasByDistance(drawable("t5_bias"))).toBeNull();
  });
});

describe("the position id data", () => {
  const packed: PanelState["positions"] = { kind: "packed", padding: 0, fromMask: true, documents: [4, 2] };

  test("ends a run of ids where a document ends", () => {
    const rows = buildIdRows(drawable("rope", size(16)), packed);
    const [row] = rows.rows;
    if (row === undefined) throw new Error("no row");
    expect(
      idRuns(rows, row, 0, 8).map(({ from, to, first, last, document }) => [from, to, first, last, document]),
    ).toEqual([
      [0, 3, 0, 3, 0],
      [4, 5, 0, 1, 1],
      [6, 7, 0, 1, 2],
    ]);
  });

  test("has three ids for each token of a picture", () => {
    const mrope = drawable("mrope", { ...size(300), changes: { image_start: 4, image_height: 2, image_width: 3 } });
    const { rows, kind } = buildIdRows(mrope, packed);
    const at = (index: number) => rows.map(({ id }) => id(index));
    expect([3, 4, 6, 8, 9, 10].map(at)).toEqual([
      [3, 3, 3],
      [4, 4, 4],
      [4, 4, 6],
      [4, 5, 5],
      [4, 5, 6],
      [7, 7, 7],
    ]);
    expect([3, 4, 9, 10].map(kind)).toEqual(["text", "picture", "picture", "text"]);
  });

  test("places queries at the end of the keys", () => {
    expect(queryKeyIndex(drawable("rope", { queryLength: 1, keyLength: 300 }), 0)).toBe(299);
  });

  test("accepts whole positive lengths only", () => {
    expect(parseLengths("128, 64 7")).toEqual([128, 64, 7]);
    for (const text of ["", "0", "1.5", "-3", "a", new Array(65).fill("1").join(",")])
      expect(parseLengths(text), text).toBeUndefined();
  });
});

describe("the layer data", () => {
  const spec = (layers: EncodingSpec["layers"], params: Params): EncodingSpec => {
    return { encoding: "rope", where: "text", layers, params, sources: {}, evidence: [], confidence: "checked" };
  };

  test("has base, window and factor of each encoding that has them", () => {
    const specs = [
      spec([0, 2], { rope_theta: 10_000, sliding_window: 512, num_layers: 4 }),
      spec([1], { rope_theta: 1e6, factor: 8, num_layers: 4 }),
    ];
    const [stack] = buildLayerStacks(specs);
    expect(stack?.layers.map(({ base, window, factor, kind, spec: of }) => [base, window, factor, kind, of])).toEqual([
      [10_000, 512, null, "sliding", 0],
      [1e6, null, 8, "full", 1],
      [10_000, 512, null, "sliding", 0],
      [null, null, null, "none", null],
    ]);
  });

  test("is listed in runs, and omits a chart of equal values", () => {
    expect(formatRanges([0, 1, 2, 5, 7, 8])).toBe("0 … 2, 5, 7 … 8");
    expect([hasDifferentValues([1, 1, null]), hasDifferentValues([1, 2]), hasDifferentValues([null])]).toEqual([
      false,
      true,
      false,
    ]);
  });
});
