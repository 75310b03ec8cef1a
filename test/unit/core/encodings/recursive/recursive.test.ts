import { describe, expect, test } from "vitest";
import { evaluateFlow, type FlowNetwork, integrateInterval } from "../../../../../src/core/encodings/recursive/flow.ts";
import {
  MAX_RECURSIVE_POSITION,
  recursive,
  recursivePositionFactor,
} from "../../../../../src/core/encodings/recursive/recursive.ts";
import { requireParams } from "../../../../../src/core/encodings/support/schema.ts";
import { evaluateRow } from "../../../../../src/core/terms/linear.ts";
import type { Scene } from "../../../../../src/core/terms/scene.ts";
import { computeLogits, randomScene } from "../../../support/scenes.ts";

const scene = (tokens: number, change: Partial<Scene> = {}) => randomScene(tokens, 5, change);

describe("recursive positions", () => {
  const turning: FlowNetwork = {
    w1: [
      [1, 0, 0],
      [0, 1, 0],
    ],
    b1: [5, 5],
    w2: [
      [0, -1, 0],
      [1, 0, 0],
    ],
    b2: [5, -5],
    activation: "relu",
  };

  test.each(["rk4", "rk4_38"] as const)("rotate a point by the angle with a fourth-order error in %s", (method) => {
    // Far from ReLU's kink the field is a rotation about the origin: p' = (−y, x).
    expect(evaluateFlow(turning, 0, [1, 2])).toEqual([-2, 1]);
    const error = (substeps: number) => {
      const [x = 0, y = 0] = integrateInterval(turning, method, 0, 1, substeps, [1, 0]);
      return Math.hypot(x - Math.cos(1), y - Math.sin(1));
    };
    expect(error(10)).toBeLessThan(1e-5);
    expect(error(10) / error(20)).toBeGreaterThan(14);
  });

  test("are each computed from the previous one", () => {
    const inputs = { p0: [0.5], w_hh: [[2]], b_h: [-0.1] };
    const rows = recursivePositionFactor(requireParams(recursive, { variant: "rnn", hidden_size: 1 }), inputs);
    expect(evaluateRow(rows, 2)[0]).toBeCloseTo(Math.tanh(2 * Math.tanh(2 * 0.5 - 0.1) - 0.1), 14);
    expect(() => evaluateRow(rows, MAX_RECURSIVE_POSITION + 1)).toThrow(/recursion/);
  });

  test("give other scores when the sentence shifts", () => {
    const here = computeLogits(recursive, {}, scene(5));
    const there = computeLogits(recursive, {}, scene(5, { shift: 3 }));
    expect(Math.max(...here.map((value, n) => Math.abs(value - (there[n] ?? 0))))).toBeGreaterThan(0.1);
  });
});
