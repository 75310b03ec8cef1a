import { describe, expect, it } from "vitest";
import { collectRowStatistics } from "../../../../src/core/terms/engine.ts";
import type { Attention, BiasTerm, GatedTerm } from "../../../../src/core/terms/term.ts";
import {
  estimateStream,
  keySegments,
  type NormaliserValues,
  normaliserStream,
  takesLong,
} from "../../../../webview/engine/normaliserStreams.ts";
import { type SampledAxis, sampleAxis } from "../../../../webview/engine/sampledGrid.ts";

const base = { kind: "bias", role: "position_position", name: { en: "bias", zh: "偏置" }, scale: 1 } as const;

/** A function of δ, once with a profile and once by cell. */
function attentions(
  profile: (delta: number) => number,
  rest: Partial<Attention>,
): { byDelta: Attention; byCell: Attention } {
  const whole = { queryLength: 300_000, keyLength: 300_000, deltaOffset: 0, mask: { causal: true }, ...rest };
  const value = (i: number, j: number) => profile(i - j + whole.deltaOffset);
  const byCell: BiasTerm = { ...base, id: "bias", value };
  return { byDelta: { ...whole, terms: [{ ...byCell, profile }] }, byCell: { ...whole, terms: [byCell] } };
}

function settle(attention: Attention, rows: SampledAxis): NormaliserValues {
  return drain(normaliserStream(attention, rows));
}

function drain(stream: Generator<number, NormaliserValues>): NormaliserValues {
  for (;;) {
    const step = stream.next();
    if (step.done === true) return step.value;
  }
}

function expected(attention: Attention, i: number): number {
  const { max, sum } = collectRowStatistics(attention, i);
  return max + Math.log(sum);
}

describe("row normalisers of long rows", () => {
  it.each([
    ["for falling logits", (delta: number) => -0.001 * delta, {}],
    ["for logits beyond the range of exp", (delta: number) => 3 * delta, {}],
    ["for oscillating bidirectional logits", (delta: number) => Math.cos(delta / 777) * 4, { mask: {} }],
    [
      "in a window with kept tokens",
      (delta: number) => Math.sin(delta),
      { mask: { causal: true, window: 70_000, keepFirst: 5 } },
    ],
    ["with a sink", (delta: number) => -0.01 * delta, { extraLogit: 2 }],
    ["in decoding", (delta: number) => -0.01 * delta, { queryLength: 10, deltaOffset: 299_990 }],
  ] as const)("from blocks of δ %s equal those of the float64 engine", (_name, profile, rest) => {
    const { byDelta } = attentions(profile, rest);
    const last = byDelta.queryLength;
    const rows = sampleAxis(Math.max(0, last - 3), Math.min(3, last), last, 3);
    const { values, estimated } = settle(byDelta, rows);
    expect(estimated).toBe(false);
    values.forEach((value, k) => {
      const wanted = expected(byDelta, rows.first + k);
      expect(Math.abs(value - wanted)).toBeLessThan(1e-10 * Math.max(1, Math.abs(wanted)));
    });
  });

  it("computed by column equal those from blocks", () => {
    const { byDelta, byCell } = attentions((delta) => Math.cos(delta / 50) - delta / 1e5, {});
    const rows = sampleAxis(299_000, 4, 300_000, 4);
    const fromBlocks = settle(byDelta, rows).values;
    settle(byCell, rows).values.forEach((value, k) => {
      expect(value).toBeCloseTo(fromBlocks[k] ?? Number.NaN, 10);
    });
  });

  it("are −Infinity for a row without visible keys", () => {
    const { byCell } = attentions(() => 1, { queryLength: 4, keyLength: 2, deltaOffset: -2 });
    expect([...settle(byCell, sampleAxis(0, 4, 4, 4)).values].slice(0, 2)).toEqual([
      Number.NEGATIVE_INFINITY,
      Number.NEGATIVE_INFINITY,
    ]);
  });
});

describe("an estimate of long row normalisers", () => {
  const length = 2_000_000;
  const rest = { queryLength: length, keyLength: length };
  const rows = sampleAxis(0, length, length, 64);
  const fall = (delta: number) => -1e-5 * delta + Math.sin(delta / 3) / 10;

  it.each(["byDelta", "byCell"] as const)("is close for short and long rows: %s", (kind) => {
    const { [kind]: attention } = attentions(fall, rest);
    expect(takesLong(attention, rows)).toBe(true);
    const { values, estimated } = drain(estimateStream(attention, rows));
    expect(estimated).toBe(true);
    // The first row attends to itself only; far rows have the full sum of e^(−aδ).
    expect(values[0]).toBeCloseTo(fall(0), 12);
    const last = rows.count - 1;
    const wanted = Math.log(-Math.expm1(-1e-5 * (rows.first + last * rows.stride + 1)) / 1e-5);
    expect(Math.abs((values[last] ?? 0) - wanted)).toBeLessThan(0.05);
  });

  it("samples a few of many keys", () => {
    let calls = 0;
    const { byDelta } = attentions((delta) => {
      calls++;
      return fall(delta);
    }, rest);
    drain(estimateStream(byDelta, rows));
    expect(calls).toBeLessThan(10_000);
  });
});

describe("row normalisers of gated rows", () => {
  const gated: GatedTerm = { ...base, id: "gate", kind: "gated", row: (i, logits) => logits.map((logit) => logit * i) };

  it("are summed in small groups of rows and equal the float64 engine", () => {
    const { byCell } = attentions((delta) => Math.sin(delta), { queryLength: 3000, keyLength: 3000 });
    const attention = { ...byCell, terms: [...byCell.terms, { ...gated, scale: 1e-3 }] };
    const rows = sampleAxis(0, 3000, 3000, 300);
    const stream = normaliserStream(attention, rows);
    let steps = 0;
    let step = stream.next();
    for (; step.done !== true; step = stream.next()) steps++;
    expect(steps).toBeGreaterThan(5);
    step.value.values.forEach((value, k) => {
      expect(value).toBeCloseTo(expected(attention, rows.first + k * rows.stride), 10);
    });
  });
});

describe("row normalisers of more than a million keys", () => {
  const length = 4_000_000;
  const rest = { queryLength: length, keyLength: length };
  const rows = sampleAxis(length - 2, 2, length, 2);

  it("are exact by δ", () => {
    const { byDelta } = attentions((delta) => -1e-6 * delta, rest);
    const { values, estimated } = settle(byDelta, rows);
    expect(estimated).toBe(false);
    // Σ e^(−aδ) over δ = 0 … n − 1.
    const wanted = Math.log(-Math.expm1(-1e-6 * (length - 1)) / -Math.expm1(-1e-6));
    expect(values[0]).toBeCloseTo(wanted, 9);
  });

  it("are estimated by cell, marked as estimates, and include every key near the row", () => {
    const { byDelta, byCell } = attentions((delta) => -1e-6 * delta + Math.sin(delta) / 10, rest);
    const { values, estimated } = settle(byCell, rows);
    expect(estimated).toBe(true);
    expect(Math.abs((values[0] ?? 0) - (settle(byDelta, rows).values[0] ?? 0))).toBeLessThan(0.01);
    const [far, near] = keySegments(byCell, rows, { from: 0, to: length });
    expect(far?.stride).toBeGreaterThan(1);
    expect(near).toEqual({ from: length - 2 - 2 ** 15, to: length, stride: 1 });
  });
});
