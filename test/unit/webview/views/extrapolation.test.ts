import { describe, expect, test } from "vitest";
import { initialPanelState, type PanelState } from "../../../../src/core/protocol/state.ts";
import {
  alongTrack,
  computeExtrapolation,
  computeOutcomes,
  distancesByRatio,
  resolveLengths,
} from "../../../../webview/views/extrapolation/computeExtrapolation.ts";
import { resolvedEncoding, square } from "../../support/resolvedEncoding.ts";

describe("the extrapolation data", () => {
  const panel = (change: Partial<PanelState> = {}): PanelState => ({ ...initialPanelState("rope"), ...change });

  test("uses the training context of the parameters, or a custom one", () => {
    const rope = resolvedEncoding("rope", square(9000));
    expect(resolveLengths(rope, panel(square(9000)))).toEqual({
      trainingContext: 4096,
      source: "parameter",
      currentLength: 9000,
    });
    expect(resolveLengths(rope, panel({ trained: 777 }))).toMatchObject({ trainingContext: 777, source: "you" });
  });

  test("shows the decay bound for rotary encodings and the logit for others, at every distance of the current length", () => {
    const rope = computeExtrapolation(resolvedEncoding("rope", square(9000)), 4096, "parameter", 9000);
    expect(rope.decay.isBound).toBe(true);
    expect(rope.decay.deltas.at(-1)).toBe(8999);
    const alibi = computeExtrapolation(resolvedEncoding("alibi", square(9000)), 2048, "usual", 9000);
    expect(alibi.decay.isBound).toBe(false);
    // Content of ones gives √64 = 8, and head 0 of 8 has slope 1/2.
    alibi.decay.deltas.forEach((delta, n) => {
      expect(alibi.decay.values[n]).toBeCloseTo(8 - delta / 2, 9);
    });
  });

  test("ends a table's curve at its last position", () => {
    const { decay, size: rows } = computeExtrapolation(
      resolvedEncoding("learned_absolute", square(2048)),
      512,
      "table",
      2048,
    );
    expect(rows).toBe(512);
    decay.deltas.forEach((delta, n) => {
      expect(Number.isFinite(decay.values[n]), String(delta)).toBe(delta < 512);
    });
  });

  test("has scalings only for encodings that support them", () => {
    expect(computeOutcomes(resolvedEncoding("rope"), 4096, 16_384)).toHaveLength(7);
    expect(computeOutcomes(resolvedEncoding("alibi"), 4096, 16_384)).toEqual([]);
    expect(
      computeOutcomes(resolvedEncoding("rope", { changes: { rope_type: "axial", head_dim: 32 } }), 4096, 16_384),
    ).toEqual([]);
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
